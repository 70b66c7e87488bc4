import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import type { Role } from '#lib/domain/observation/observation.ts';
import { at, listAt, numberAt, objectAt, parseForeign, textAt, timeAt } from '#lib/foreign.ts';
import { commonKinds, groupResource, neighbourKinds } from '../api/kinds.ts';
import type { ServedKind } from '../api/kinds.ts';
import { objectKey } from '../api/kube-object.ts';
import type { DemoCluster } from '../fleet/demo-cluster.ts';
import type { DemoFleet } from '../fleet/demo-fleet.ts';
import type { Expected } from '../truth.ts';
import type { Inventory, PastObject } from './inventory.ts';

const sourceGroup = commonKinds.gitRepository.group;
const kustomizeGroup = commonKinds.kustomization.group;

/** Role of each kind for the others, and whose loop turns for it. */
function stationOf({ group, kind }: ObjectRef): { reconciler: string; role: Role; controller: string } {
  if (kind === neighbourKinds.artifactGenerator.kind || kind === neighbourKinds.externalArtifact.kind)
    return { reconciler: 'flux', role: 'source', controller: 'source-watcher' };
  if (group === sourceGroup) return { reconciler: 'flux', role: 'source', controller: 'source-controller' };
  if (group === kustomizeGroup) return { reconciler: 'flux', role: 'applier', controller: 'kustomize-controller' };
  if (kind === 'HelmRelease') return { reconciler: 'helm', role: 'applier', controller: 'helm-controller' };
  if (kind === 'Terraform') return { reconciler: 'terraform', role: 'applier', controller: 'tofu-controller' };
  if (kind === 'Application')
    return { reconciler: 'argocd', role: 'applier', controller: 'argocd-application-controller' };
  const crossplane = { reconciler: 'crossplane', controller: 'crossplane' };
  if (kind === 'CompositeResourceDefinition') return { ...crossplane, role: 'definition' };
  if (group === commonKinds.provider.group) return { ...crossplane, role: 'package' };
  if (group.endsWith('.aws.upbound.io') || group.endsWith('.aws.m.upbound.io'))
    return { ...crossplane, role: 'managed', controller: `provider-aws-${group.split('.')[0]}` };
  return { ...crossplane, role: kind === 'Database' ? 'claim' : 'composite' };
}

function sourceOf(cluster: string, object: unknown): ObjectRef | null {
  const [kind, name] = [textAt(object, 'spec', 'sourceRef', 'kind'), textAt(object, 'spec', 'sourceRef', 'name')];
  return kind && name ? { cluster, group: sourceGroup, kind, namespace: 'flux-system', name } : null;
}

/** Its composite by its owner, the claim of a composite by its labels, a chart's repository, a release's chart. */
function partOf(ref: ObjectRef, object: unknown): ObjectRef | null {
  const { cluster, kind, namespace } = ref;
  if (kind === 'HelmChart') return sourceOf(cluster, object);
  if (kind === 'HelmRelease') {
    const chart = textAt(object, 'spec', 'chart', 'spec', 'chart') ?? '';
    return { cluster, group: sourceGroup, kind: 'HelmChart', namespace: 'flux-system', name: `${namespace}-${chart}` };
  }
  const claim = textAt(object, 'metadata', 'labels', 'crossplane.io/claim-name');
  const claimNamespace = textAt(object, 'metadata', 'labels', 'crossplane.io/claim-namespace') ?? '';
  if (claim && kind === 'XDatabase')
    return { cluster, group: ref.group, kind: 'Database', namespace: claimNamespace, name: claim };
  const [owner] = listAt(object, 'metadata', 'ownerReferences');
  const [ownerKind, ownerName] = [textAt(owner, 'kind'), textAt(owner, 'name')];
  if (!ownerKind || !ownerName || ownerKind.startsWith('Provider')) return null;
  const group = (textAt(owner, 'apiVersion') ?? '').replace(/\/.*$/, '');
  return { cluster, group, kind: ownerKind, namespace, name: ownerName };
}

function delivererOf(ref: ObjectRef, object: unknown): ObjectRef | null {
  const labels = objectAt(object, 'metadata', 'labels');
  const name = textAt(labels, `${kustomizeGroup}/name`);
  const namespace = textAt(labels, `${kustomizeGroup}/namespace`) ?? '';
  return name ? { cluster: ref.cluster, group: kustomizeGroup, kind: 'Kustomization', namespace, name } : null;
}

function revisionOf(role: Role, object: unknown): string | null {
  if (role === 'source') return textAt(object, 'status', 'artifact', 'revision');
  return textAt(object, 'status', 'lastAppliedRevision') ?? textAt(object, 'status', 'sync', 'revision');
}

function suspensionOf(object: unknown): PastObject['suspended'] {
  if (at(object, 'spec', 'suspend') !== true) return null;
  const owners = listAt(object, 'metadata', 'managedFields').filter(
    (entry) => at(entry, 'fieldsV1', 'f:spec', 'f:suspend') !== undefined,
  );
  const owner = owners.toSorted((a, b) => (timeAt(b, 'time') ?? 0) - (timeAt(a, 'time') ?? 0))[0];
  return { by: textAt(owner, 'manager') ?? 'kubectl-edit', field: 'spec.suspend' };
}

function described({ ref, verdict, since }: Expected, object: unknown): PastObject {
  const station = stationOf(ref);
  const revision = revisionOf(station.role, object);
  return {
    ref,
    uid: textAt(object, 'metadata', 'uid') ?? '',
    ...station,
    createdAt: timeAt(object, 'metadata', 'creationTimestamp') ?? since,
    generation: numberAt(object, 'metadata', 'generation') ?? 0,
    source: station.role === 'applier' ? sourceOf(ref.cluster, object) : null,
    deliveredBy: delivererOf(ref, object),
    partOf: partOf(ref, object),
    path: textAt(object, 'spec', 'path')?.replace(/^\.\//, '') ?? null,
    revision,
    commit:
      /sha1:([0-9a-f]{40})$/.exec(textAt(object, 'status', 'lastAppliedOriginRevision') ?? revision ?? '')?.[1] ?? null,
    suspended: suspensionOf(object),
    optedOut: textAt(object, 'metadata', 'annotations', `${kustomizeGroup}/reconcile`) === 'disabled',
    verdict,
    since,
  };
}

function kindIn({ cluster }: DemoCluster, ref: ObjectRef): ServedKind | undefined {
  return cluster.store.kinds().find(({ group, kind }) => group === ref.group && kind === ref.kind);
}

/** Objects that depend on something that is not well, at best unconfirmed: the script does not say so of every part. */
function leaning(objects: readonly PastObject[]): readonly PastObject[] {
  const known = new Map(objects.map((object) => [refKey(object.ref), object]));
  let moved = true;
  while (moved) {
    moved = false;
    for (const [key, object] of known) {
      if (object.verdict !== 'converged' || object.partOf === null) continue;
      const under = known.get(refKey(object.partOf));
      if (!under || under.verdict === 'converged') continue;
      known.set(key, { ...object, verdict: 'unconfirmed', since: under.since });
      moved = true;
    }
  }
  return [...known.values()];
}

/** Objects with the commit that they run: what is delivered runs that of what delivers it. */
function running(objects: readonly PastObject[]): PastObject[] {
  const known = new Map(objects.map((object) => [refKey(object.ref), object]));
  const commitOf = ({ commit, deliveredBy, partOf: whole }: PastObject): string | null => {
    const under = deliveredBy ?? whole;
    const next = commit === null && under ? known.get(refKey(under)) : undefined;
    return next ? commitOf(next) : commit;
  };
  return objects.map((object) => ({ ...object, commit: commitOf(object) }));
}

/** Describes the demo's fleet as it is at `now` (ms since the epoch). */
export function inventoryOf(fleet: DemoFleet, now: number): Inventory {
  const objects = fleet.ledger.truth(now).flatMap((expected): PastObject[] => {
    const { ref } = expected;
    const cluster = fleet.clusters.get(ref.cluster);
    const kind = cluster && kindIn(cluster, ref);
    const stored = kind && cluster.cluster.store.store(groupResource(kind))?.get(objectKey(ref.namespace, ref.name));
    return stored ? [described(expected, parseForeign(stored.json().toString()))] : [];
  });
  return {
    at: now,
    repository: fleet.repository.url,
    clusters: [...fleet.clusters.values()].map(({ plan, cluster }) => ({
      name: plan.name,
      labels: cluster.labels,
      version: plan.environment === 'production' ? 'v1.33.6' : 'v1.34.3',
    })),
    objects: running(leaning(objects)),
    commits: fleet.repository
      .commits()
      .map(({ sha, subject, time, paths }) => ({ sha, subject, time, paths: [...paths] })),
  };
}
