import { commonKinds } from '../api/kinds.ts';
import type { ServedKind } from '../api/kinds.ts';
import { kubeTime } from '../api/kube-object.ts';
import type { KubeObject } from '../api/kube-object.ts';
import type { Random } from '../random.ts';
import { say } from './condition.ts';
import type { StatusCondition } from './condition.ts';
import { setManagedFields } from './managed-fields.ts';
import { appliedObject, digest, specDuration } from './metadata.ts';
import type { Names } from './metadata.ts';

/** status.artifact of a source. */
export interface Artifact {
  digest: string;
  lastUpdateTime: string;
  path: string;
  revision: string;
  size: number;
  url: string;
  metadata?: { [key: string]: string };
}

/** A GitRepository, OCIRepository, HelmRepository or HelmChart of source-controller 1.9. */
export interface Source extends KubeObject {
  spec: { interval: string; suspend?: boolean } & { [key: string]: unknown };
  status: {
    artifact?: Artifact;
    conditions: StatusCondition[];
    observedGeneration: number;
  };
}

/** Offer of a source. */
export interface Offer {
  readonly revision: string;
  /** Annotations of an OCI artifact. */
  readonly metadata?: { readonly [key: string]: string };
  /** The text that source-controller puts into Ready. */
  readonly message: string;
  readonly reason: string;
}

const address = 'http://source-controller.flux-system.svc.cluster.local.';

/** An artifact as source-controller stores it at `at` (ms). */
export function artifactOf(source: Source, offer: Offer, at: number, random: Random): Artifact {
  const { metadata } = source;
  const file = `${offer.revision.replace(/^.*[:@+]/, '')}.tar.gz`;
  const path = `${source.kind.toLowerCase()}/${metadata.namespace}/${metadata.name}/${file}`;
  return {
    digest: digest(random),
    lastUpdateTime: kubeTime(at),
    path,
    revision: offer.revision,
    size: random.between(18_000, 96_000),
    url: `${address}/${path}`,
    ...(offer.metadata ? { metadata: { ...offer.metadata } } : {}),
  };
}

/** Keeps managedFields true. */
export function stampSource(source: Source, statusAt: number | null): void {
  setManagedFields(source, { controller: 'source-controller', statusAt });
}

/** Plan of a source. Interval in seconds, time in ms. */
export interface SourcePlan extends Names {
  readonly kind: ServedKind;
  readonly interval: number;
  readonly spec: { readonly [key: string]: unknown };
  readonly createdAt: number;
}

/** A source as it is just after it was applied. */
export function createSource(plan: SourcePlan, random: Random): Source {
  const source: Source = {
    ...appliedObject(plan.kind, plan, plan.createdAt, random, 'finalizers.fluxcd.io'),
    spec: { ...plan.spec, interval: specDuration(plan.interval) },
    status: { conditions: [], observedGeneration: -1 },
  };
  stampSource(source, null);
  return source;
}

/** Gives a source a past: it has offered `offer` since `since` (ms). */
export function settleSource(source: Source, offer: Offer, since: number, random: Random): void {
  const { reason, message } = offer;
  const observedGeneration = source.metadata.generation ?? 1;
  source.status = { conditions: [], artifact: artifactOf(source, offer, since, random), observedGeneration };
  say(source, since, ['Ready', 'True', reason, message], ['ArtifactInStorage', 'True', reason, message]);
  stampSource(source, since);
}

/** The served kind of a source by its kind's name. */
export const sourceKinds = {
  GitRepository: commonKinds.gitRepository,
  OCIRepository: commonKinds.ociRepository,
  HelmRepository: commonKinds.helmRepository,
  HelmChart: commonKinds.helmChart,
} as const;
