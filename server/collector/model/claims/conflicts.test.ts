// Conflicts of ownership as the model of a cluster finds, keeps and publishes them.
import { describe, expect, it } from 'vitest';
import type { Conflict } from '#lib/domain/observation/conflict.ts';
import type { CurrentCluster } from '#lib/domain/record/current.ts';
import { objectAt, type ForeignObject } from '#lib/foreign.ts';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { createExternalClaims } from './external-claims.ts';
import { createRemoteApplierIndex } from '../remote/remote-applier-index.ts';
import { startBed, type Bed } from '../testing/bed.ts';
import { kinds, kustomizationSpec, offering, passedWell, revision } from '../testing/objects.ts';

/** "kind: owners: resource" of each conflict. */
function textsOf(conflicts: readonly Conflict[]): string[] {
  return conflicts.map(
    ({ kind, owners, resource }) =>
      `${kind}: ${owners.map(({ name }) => name).join(' + ')}: ${resource.kind} ${resource.namespace}/${resource.name}`,
  );
}

/** Record written of the cluster last. */
function record(bed: Bed): CurrentCluster {
  const found = bed.batches.findLast((batch) => batch.cluster !== null)?.cluster;
  if (!found) throw new Error('nothing was written of the cluster');
  return found;
}

function conflictsOf(bed: Bed): string[] {
  return textsOf(record(bed).conflicts);
}

interface Held {
  readonly ids: readonly string[];
  readonly spec?: object;
}

function applier(bed: Bed, name: string, { ids, spec = {} }: Held): ForeignObject {
  const inventory = { entries: ids.map((id) => ({ id, v: 'v1' })) };
  const status = { ...passedWell(bed.clock.now() - 60_000, revision('a')), inventory };
  return bed.object(kinds.kustomization, name, { spec: kustomizationSpec('control', spec), status });
}

function release(bed: Bed, name: string, ids: readonly string[]): ForeignObject {
  return bed.object(kinds.helmRelease, name, {
    spec: { interval: '10m' },
    status: { inventory: { entries: ids.map((id) => ({ id, v: 'v1' })) } },
  });
}

function open(bed: Bed, kustomizations: readonly ForeignObject[], releases: readonly ForeignObject[] = []): void {
  const source = bed.object(kinds.gitRepository, 'control', offering(bed.clock.now() - 60_000, revision('a')));
  bed.open([
    [kinds.kustomization, ...kustomizations],
    [kinds.helmRelease, ...releases],
    [kinds.gitRepository, source],
  ]);
  bed.pass(2_000);
}

const shared = 'apps_shared__ConfigMap';

describe('inventories', () => {
  it('of two Kustomizations that hold one id are a conflict, with both as owners, since it was first seen', () => {
    const bed = startBed();
    open(bed, [
      applier(bed, 'base', { ids: [shared, 'apps_own__ConfigMap'] }),
      applier(bed, 'on-other', { ids: [shared] }),
    ]);
    expect(record(bed)).toMatchObject({
      conflictsTotal: 1,
      conflicts: [
        {
          kind: 'two-inventories',
          resource: { group: '', kind: 'ConfigMap', namespace: 'apps', name: 'shared' },
          owners: [{ ref: { cluster: 'c1', kind: 'Kustomization', name: 'base' } }, { ref: { name: 'on-other' } }],
          why: 'both have applied it and do so again on every pass',
        },
      ],
    });
    const since = record(bed).conflicts[0]?.since ?? 0;
    bed.pass(60_000);
    expect(record(bed).conflicts[0]?.since).toBe(since);
  });

  it('of a HelmRelease and a Kustomization are one as well', () => {
    const bed = startBed();
    open(bed, [applier(bed, 'base', { ids: [shared] })], [release(bed, 'web', [shared])]);
    expect(conflictsOf(bed)).toEqual(['two-inventories: web + base: ConfigMap apps/shared']);
  });

  it('of what lives on another cluster are not mixed with what lives here', () => {
    const bed = startBed();
    const far = applier(bed, 'far', { ids: [shared], spec: { kubeConfig: { secretRef: { name: 'k' } } } });
    open(bed, [applier(bed, 'base', { ids: [shared] }), far]);
    expect(conflictsOf(bed)).toEqual([]);
  });

  it('are followed: one lets go, one is deleted, one comes to hold it', () => {
    const bed = startBed();
    const other = applier(bed, 'on-other', { ids: [shared] });
    open(bed, [applier(bed, 'base', { ids: [shared] }), other]);
    bed.write(kinds.kustomization, applier(bed, 'base', { ids: [] }));
    bed.pass(2_000);
    expect(conflictsOf(bed)).toEqual([]);
    bed.write(kinds.kustomization, applier(bed, 'base', { ids: [shared] }));
    bed.pass(2_000);
    expect(conflictsOf(bed)).toHaveLength(1);
    bed.remove(kinds.kustomization, other);
    bed.pass(2_000);
    expect(conflictsOf(bed)).toEqual([]);
  });

  it('who is suspended is said', () => {
    const bed = startBed();
    const stopped = applier(bed, 'stopped', { ids: [shared], spec: { suspend: true } });
    open(bed, [applier(bed, 'base', { ids: [shared] }), stopped]);
    expect(record(bed).conflicts[0]?.why).toMatch(/stopped not while suspended$/);
  });

  it('more than are published are counted', () => {
    const bed = startBed();
    const ids = Array.from({ length: 260 }, (_, index) => `apps_c${index}__ConfigMap`);
    open(bed, [applier(bed, 'base', { ids }), applier(bed, 'on-other', { ids })]);
    expect(record(bed).conflicts).toHaveLength(200);
    expect(record(bed).conflictsTotal).toBe(260);
  });

  it('a restart of the collector keeps since when', () => {
    const bed = startBed();
    open(bed, [applier(bed, 'base', { ids: [shared] }), applier(bed, 'on-other', { ids: [shared] })]);
    const since = record(bed).conflicts[0]?.since;
    const next = startBed(bed.stored(), bed.clock.now() + 60_000);
    expect(next.model.cluster().conflicts[0]?.since).toBe(since);
    open(next, [applier(next, 'base', { ids: [shared] }), applier(next, 'on-other', { ids: [shared] })]);
    expect(record(next).conflicts.map((conflict) => conflict.since)).toEqual([since]);
  });

  it('a quiet pass of each is no news of the cluster', () => {
    const bed = startBed();
    open(bed, [applier(bed, 'base', { ids: [shared] }), applier(bed, 'on-other', { ids: [shared] })]);
    bed.pass(12_000);
    const before = record(bed).conflicts;
    bed.write(kinds.kustomization, applier(bed, 'base', { ids: [shared] }));
    bed.pass(12_000);
    expect(record(bed).conflicts).toBe(before);
  });
});

describe('field managers', () => {
  const managedFields = ['kustomize-controller', 'kubectl-edit'].map((manager) => ({
    manager,
    operation: 'Apply',
    time: '2026-11-21T08:00:00Z',
    fieldsV1: { 'f:spec': { 'f:suspend': {} } },
  }));

  it('a hand in what git delivers is a conflict until it lets go', () => {
    const bed = startBed();
    const plain = applier(bed, 'policy', { ids: [] });
    const metadata = { ...objectAt(plain, 'metadata'), managedFields };
    open(bed, [{ ...plain, metadata }]);
    expect(conflictsOf(bed)).toEqual([
      'edited-by-hand: kustomize-controller + kubectl-edit: Kustomization flux-system/policy',
    ]);
    bed.write(kinds.kustomization, applier(bed, 'policy', { ids: [] }));
    bed.pass(2_000);
    expect(conflictsOf(bed)).toEqual([]);
  });
});

describe('external resources', () => {
  function instance(bed: Bed, name: string, annotations: { readonly [key: string]: string } = {}): ForeignObject {
    return bed.object(kinds.instance, name, {
      annotations: { 'crossplane.io/external-name': 'orders', ...annotations },
      spec: { providerConfigRef: { name: 'aws' } },
      status: { atProvider: { arn: 'arn:aws:rds:eu-west-3:1:db:orders' } },
    });
  }

  it('E.c: two managed resources of one external resource are a conflict; who is paused is none of them', () => {
    const bed = startBed();
    bed.open([[kinds.instance, instance(bed, 'orders'), instance(bed, 'orders-old')]]);
    bed.pass(2_000);
    expect(conflictsOf(bed)).toEqual(['external-resource: orders + orders-old: Instance /orders']);
    bed.write(kinds.instance, instance(bed, 'orders-old', { 'crossplane.io/paused': 'true' }));
    bed.pass(2_000);
    expect(conflictsOf(bed)).toEqual([]);
  });

  it('both clusters tell of a resource that is managed from both, and neither any more when one lets go', () => {
    const externals = createExternalClaims();
    const shared = { clock: fakeClock(), remotes: createRemoteApplierIndex(() => true), externals };
    const [here, there] = ['c1', 'c2'].map((cluster) => startBed(null, undefined, { ...shared, cluster }));
    if (!here || !there) throw new Error('no beds');
    here.open([[kinds.instance, instance(here, 'orders')]]);
    there.open([[kinds.instance, instance(there, 'orders')]]);
    for (const bed of [here, there]) bed.pass(2_000);
    for (const bed of [here, there]) {
      expect(record(bed).conflicts.map(({ owners }) => owners.map(({ ref }) => ref?.cluster))).toEqual([['c1', 'c2']]);
    }
    there.remove(kinds.instance, instance(there, 'orders'));
    for (const bed of [here, there]) bed.pass(12_000);
    expect([conflictsOf(here), conflictsOf(there)]).toEqual([[], []]);
  });
});
