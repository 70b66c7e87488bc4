import type { Subject } from '../harness/plumbline.ts';
import type { Never } from './situation.ts';

/** A Kustomization of flux-system. */
export function kustomizationOf(cluster: string, name: string): Subject {
  return { cluster, kind: 'Kustomization', namespace: 'flux-system', name };
}

/** A source of flux-system: a GitRepository, OCIRepository or HelmRepository. */
export function sourceOf(cluster: string, kind: `${string}Repository`, name: string): Subject {
  return { cluster, kind, namespace: 'flux-system', name };
}

/** A GitRepository of flux-system. */
export function gitRepositoryOf(cluster: string, name: string): Subject {
  return sourceOf(cluster, 'GitRepository', name);
}

/** Something of namespace apps on alpha. */
export function inApps(kind: string, name: string): Subject {
  return { cluster: 'alpha', kind, namespace: 'apps', name };
}

/** Something of alpha that has no namespace. */
export function ofAlpha(kind: string, name: string): Subject {
  return { cluster: 'alpha', kind, namespace: '', name };
}

/** Nothing but converged may be seen of it, not for a moment. */
export function staysConverged(subject: Subject): Never {
  return { subject, verdicts: 'all but converged' };
}

/** An object for people: "alpha Kustomization base". */
export function titleOf({ cluster, kind, name }: Subject): string {
  return `${cluster} ${kind} ${name}`;
}
