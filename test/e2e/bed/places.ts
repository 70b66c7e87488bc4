import { objectPath } from '#lib/api/paths.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';

/** A Kustomization in flux-system. */
function kustomization(cluster: string, name: string): ObjectRef {
  return { cluster, group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization', namespace: 'flux-system', name };
}

/** Its page. */
export function kustomizationPath(cluster: string, name: string): string {
  return objectPath(kustomization(cluster, name));
}

/** Faults that the bed shows: diverged by a failed build, and what waits for it. */
export const broken = { cluster: 'eu-west-3', name: 'checkout', path: kustomizationPath('eu-west-3', 'checkout') };

/** Kustomizations that tests break by an order or a commit. */
export const accounts = kustomization('us-west-2', 'accounts');
export const search = kustomization('us-west-2', 'search');
