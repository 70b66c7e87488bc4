import { parseForeign, type ForeignObject } from '#lib/foreign.ts';
import { day, hour } from '#lib/domain/time/length.ts';
import type { WatchedKind } from '../../clusters/cluster-event.ts';

const flux = 'kustomize.toolkit.fluxcd.io';
const sources = 'source.toolkit.fluxcd.io';

function kindOf(group: string, kind: string, version: string, categories: readonly string[] | null): WatchedKind {
  const resource = kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`;
  return {
    group,
    kind,
    version,
    resource: resource.toLowerCase(),
    namespaced: categories === null,
    categories: categories ?? [],
  };
}

/** The kinds of the test bed, as discovery would tell them. */
export const kinds = {
  kustomization: kindOf(flux, 'Kustomization', 'v1', null),
  gitRepository: kindOf(sources, 'GitRepository', 'v1', null),
  helmRelease: kindOf('helm.toolkit.fluxcd.io', 'HelmRelease', 'v2', null),
  terraform: kindOf('infra.contrib.fluxcd.io', 'Terraform', 'v1alpha2', null),
  instance: kindOf('rds.aws.upbound.io', 'Instance', 'v1beta1', ['crossplane', 'managed', 'aws']),
  database: kindOf('example.org', 'XDatabase', 'v1', ['composite']),
  providerRevision: kindOf('pkg.crossplane.io', 'ProviderRevision', 'v1', ['crossplane', 'pkgrev']),
};

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
  readonly owners?: readonly object[];
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
    ...(part.owners ? { ownerReferences: part.owners } : {}),
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

/** The reference to the controller among the owners of an object, which has the uid that it is given here unless told. */
export function ownedBy({ group, version, kind }: WatchedKind, name: string, uid = `uid-${name}`): object {
  return { apiVersion: `${group}/${version}`, kind, name, uid, controller: true };
}

/** The spec of a Kustomization. */
export function kustomizationSpec(source: string, part: object = {}): object {
  return { interval: '10m', path: './app', prune: true, sourceRef: { kind: 'GitRepository', name: source }, ...part };
}

/** The inventory of what was applied, as a part of a status: by ids. */
export function listing(...ids: readonly string[]): { readonly inventory: object } {
  return { inventory: { entries: ids.map((id) => ({ id, v: 'v1' })) } };
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
