import { parseForeign, type ForeignObject } from '#lib/foreign.ts';
import { day, hour } from '#lib/domain/time/length.ts';
import type { WatchedKind } from '../../clusters/cluster-event.ts';

const flux = 'kustomize.toolkit.fluxcd.io';
const sources = 'source.toolkit.fluxcd.io';

/** The kinds of the test bed, as discovery would tell them. */
export const kinds = {
  kustomization: {
    group: flux,
    kind: 'Kustomization',
    version: 'v1',
    resource: 'kustomizations',
    namespaced: true,
    categories: [],
  },
  gitRepository: {
    group: sources,
    kind: 'GitRepository',
    version: 'v1',
    resource: 'gitrepositories',
    namespaced: true,
    categories: [],
  },
  helmRelease: {
    group: 'helm.toolkit.fluxcd.io',
    kind: 'HelmRelease',
    version: 'v2',
    resource: 'helmreleases',
    namespaced: true,
    categories: [],
  },
  instance: {
    group: 'rds.aws.upbound.io',
    kind: 'Instance',
    version: 'v1beta1',
    resource: 'instances',
    namespaced: false,
    categories: ['crossplane', 'managed', 'aws'],
  },
  database: {
    group: 'example.org',
    kind: 'XDatabase',
    version: 'v1',
    resource: 'xdatabases',
    namespaced: false,
    categories: ['composite'],
  },
  providerRevision: {
    group: 'pkg.crossplane.io',
    kind: 'ProviderRevision',
    version: 'v1',
    resource: 'providerrevisions',
    namespaced: false,
    categories: ['crossplane', 'pkgrev'],
  },
} as const satisfies Readonly<Record<string, WatchedKind>>;

/** A revision of the control repository, by one hex digit. */
export function revision(digit: string): string {
  return `main@sha1:${digit.repeat(40)}`;
}

/** The parts of an object that a test is about; the rest is as a healthy object has it. */
export interface ObjectPart {
  readonly uid?: string;
  readonly generation?: number;
  readonly labels?: { readonly [key: string]: string };
  readonly annotations?: { readonly [key: string]: string };
  readonly createdAt?: number;
  readonly deletedAt?: number;
  readonly managedFields?: readonly object[];
  readonly spec?: object;
  readonly status?: object;
}

/** A moment as the API writes it: cut to whole seconds. */
export function rfc3339(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

/** Ready as a condition. */
export function ready(status: string, reason: string, at: number, generation = 1): object {
  return {
    type: 'Ready',
    status,
    reason,
    message: reason,
    lastTransitionTime: rfc3339(at),
    observedGeneration: generation,
  };
}

/** An object as the API server would send it at `now` (ms). */
export function foreignObject(
  kind: WatchedKind,
  name: string,
  version: number,
  now: number,
  part: ObjectPart,
): ForeignObject {
  const metadata = {
    name,
    ...(kind.namespaced ? { namespace: 'flux-system' } : {}),
    uid: part.uid ?? `uid-${name}`,
    resourceVersion: String(version),
    generation: part.generation ?? 1,
    creationTimestamp: rfc3339(part.createdAt ?? now - day),
    labels: part.labels ?? {},
    annotations: part.annotations ?? {},
    ...(part.managedFields ? { managedFields: part.managedFields } : {}),
    ...(part.deletedAt === undefined ? {} : { deletionTimestamp: rfc3339(part.deletedAt), finalizers: ['x'] }),
  };
  const apiVersion = `${kind.group}/${kind.version}`;
  const { spec = {}, status = {} } = part;
  return parseForeign(JSON.stringify({ apiVersion, kind: kind.kind, metadata, spec, status })) ?? {};
}

/** The status of a Kustomization that passed well at `at` with a revision. */
export function passedWell(at: number, applied: string, generation = 1): object {
  const history = [
    {
      digest: 'sha256:1',
      firstReconciled: rfc3339(at - hour),
      lastReconciled: rfc3339(at),
      lastReconciledDuration: '100ms',
      lastReconciledStatus: 'ReconciliationSucceeded',
      totalReconciliations: Math.trunc(at / 1000) % 100_000,
      metadata: { revision: applied },
    },
  ];
  return {
    conditions: [ready('True', 'ReconciliationSucceeded', at, generation)],
    observedGeneration: generation,
    lastAppliedRevision: applied,
    lastAttemptedRevision: applied,
    history,
  };
}

/** The spec of a Kustomization. */
export function kustomizationSpec(source: string, part: object = {}): object {
  return { interval: '10m', path: './app', prune: true, sourceRef: { kind: 'GitRepository', name: source }, ...part };
}

/** Labels by which a Kustomization marks what it delivers. */
export function deliveredBy(name: string): { readonly [key: string]: string } {
  return { [`${flux}/name`]: name, [`${flux}/namespace`]: 'flux-system' };
}

/** The spec and status of a GitRepository that offers a revision. */
export function offering(at: number, artifact: string): { readonly spec: object; readonly status: object } {
  return {
    spec: { interval: '1m', url: 'https://git.example.org/acme/control.git', ref: { branch: 'main' } },
    status: {
      conditions: [
        ready('True', 'Succeeded', at),
        {
          type: 'ArtifactInStorage',
          status: 'True',
          reason: 'Succeeded',
          message: `stored artifact for revision '${artifact}'`,
          lastTransitionTime: rfc3339(at),
          observedGeneration: 1,
        },
      ],
      observedGeneration: 1,
      artifact: { revision: artifact, digest: 'sha256:1', lastUpdateTime: rfc3339(at) },
    },
  };
}
