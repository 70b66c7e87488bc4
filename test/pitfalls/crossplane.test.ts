// The caveats of Crossplane (docs/facts/crossplane.md), one test each.
// From the object as the API server sends it to the record as every page shows it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { minute } from '#lib/domain/time/length.ts';
import type { ObservedEvent, WatchedKind } from '#server/collector/clusters/cluster-event.ts';
import { startBed, type Bed } from '#server/collector/model/testing/bed.ts';
import { kinds, ownedBy, rfc3339, type ObjectPart } from '#server/collector/model/testing/objects.ts';
import { adapterFor } from '#server/collector/reconcilers/registry.ts';

const { instance, database, providerRevision } = kinds;

/** A namespaced managed resource and composite, as Crossplane v2 has them, and a claim as v1. */
const namespaced: WatchedKind = { ...instance, group: 'rds.aws.m.upbound.io', resource: 'instances', namespaced: true };
const composite: WatchedKind = { ...database, group: 'example.org', kind: 'App', resource: 'apps', namespaced: true };
const claim: WatchedKind = {
  ...database,
  kind: 'Database',
  resource: 'databases',
  namespaced: true,
  categories: ['claim'],
};

let bed: Bed;
beforeEach(() => {
  bed = startBed();
});
afterEach(() => bed.model.stop());

/** One condition as Crossplane writes it. Without a generation it is of a runtime before 1.20. */
function says(type: string, status: string, reason: string, message = '', generation: number | null = 1): object {
  const own = generation === null ? {} : { observedGeneration: generation };
  return { type, status, reason, message, lastTransitionTime: rfc3339(bed.clock.now()), ...own };
}
const synced = () => says('Synced', 'True', 'ReconcileSuccess');
const available = () => says('Ready', 'True', 'Available');
const syncFails = (message: string) => says('Synced', 'False', 'ReconcileError', message);

function revision(healthy = 'True'): ReturnType<Bed['object']> {
  return bed.object(providerRevision, 'provider-aws-rds-1', {
    spec: { desiredState: 'Active', image: 'xpkg.example.org/provider-aws-rds:v2.6.0' },
    status: {
      conditions: [
        says('RevisionHealthy', 'True', 'HealthyPackageRevision'),
        says('RuntimeHealthy', healthy, healthy === 'True' ? 'HealthyPackageRevision' : 'UnhealthyPackageRevision'),
      ],
      objectRefs: [instance, namespaced].map(({ resource, group }) => ({
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        name: `${resource}.${group}`,
      })),
    },
  });
}

function orders(conditions: readonly object[], part: ObjectPart = {}): ReturnType<Bed['object']> {
  return bed.object(instance, 'orders', {
    spec: { providerConfigRef: { name: 'default' } },
    status: { conditions },
    ...part,
  });
}

/** Opens the cluster with a provider that runs and one managed resource. */
function openWith(conditions: readonly object[], part: ObjectPart = {}): void {
  bed.open([
    [providerRevision, revision()],
    [instance, orders(conditions, part)],
  ]);
}

function updated(count: number, at: number): ObservedEvent {
  return {
    uid: 'event-1',
    about: { group: instance.group, kind: instance.kind, namespace: '', name: 'orders' },
    type: 'Normal',
    reason: 'UpdatedExternalResource',
    message: 'Successfully requested update of external resource',
    count,
    firstAt: at,
    lastAt: at,
    annotations: {},
    component: 'managed/rds.aws.upbound.io/v1beta1, kind=instance',
  };
}

describe('Crossplane: v1 and v2', () => {
  it('a namespaced composite leaves the namespace out of its references: it is its own', () => {
    const refs = [{ apiVersion: 'rds.aws.m.upbound.io/v1beta1', kind: 'Instance', name: 'orders' }];
    bed.open([
      [providerRevision, revision()],
      [
        composite,
        bed.object(composite, 'shop', {
          spec: { crossplane: { resourceRefs: refs } },
          status: { conditions: [synced(), available()] },
        }),
      ],
      [
        namespaced,
        bed.object(namespaced, 'orders', {
          owners: [ownedBy(composite, 'shop')],
          status: { conditions: [syncFails('update failed: denied'), available()] },
        }),
      ],
    ]);
    expect(bed.at('shop').rootCause).toMatchObject({
      ref: { group: 'rds.aws.m.upbound.io', namespace: 'flux-system', name: 'orders' },
    });
  });

  it.each([
    ['managed', ['crossplane', 'managed', 'aws']],
    ['composite', ['composite']],
    ['claim', ['claim']],
  ])('kinds are found by the category %s, whatever their group', (_category, categories) => {
    expect(adapterFor({ group: 'anything.example.org', kind: 'Anything', categories })?.reconciler).toBe('crossplane');
    expect(adapterFor({ group: 'anything.example.org', kind: 'Anything', categories: [] })).toBeNull();
  });
});

describe('Crossplane: conditions', () => {
  it.each<readonly [string, () => readonly object[], Partial<CurrentObject>]>([
    ['in order', () => [synced(), available()], { verdict: 'converged', drift: 'none' }],
    [
      'Ready=True may carry no reason, and conditions no generation',
      () => [says('Synced', 'True', 'ReconcileSuccess', '', null), says('Ready', 'True', '', '', null)],
      { verdict: 'converged' },
    ],
    [
      'connect failed: the provider is blind',
      () => [syncFails('connect failed: cannot get credentials'), available()],
      { verdict: 'stale', was: null },
    ],
    [
      'observe failed: the provider is blind',
      () => [syncFails('observe failed: cannot describe'), available()],
      { verdict: 'stale' },
    ],
    [
      'observe failed: external resource does not exist: it looked, and it is not there',
      () => [syncFails('observe failed: external resource does not exist')],
      { verdict: 'diverged' },
    ],
    [
      'create failed',
      () => [syncFails('create failed: quota'), says('Ready', 'False', 'Creating')],
      { verdict: 'diverged' },
    ],
    [
      'update failed, though Ready=True',
      () => [syncFails('update failed: denied'), available()],
      { verdict: 'diverged' },
    ],
    [
      'delete failed',
      () => [syncFails('delete failed: in use'), says('Ready', 'False', 'Deleting')],
      { verdict: 'diverged' },
    ],
    [
      'creation incomplete, which is never retried',
      () => [
        syncFails(
          'cannot determine creation result - remove the crossplane.io/external-create-pending annotation if it is safe to proceed',
        ),
      ],
      { verdict: 'diverged' },
    ],
    [
      'a policy that the provider does not support',
      () => [
        syncFails('`spec.managementPolicies` is set to a non-default value but the feature is not enabled: [Observe]'),
      ],
      { verdict: 'diverged' },
    ],
    [
      'an asynchronous update that failed beside Synced=True',
      () => [
        synced(),
        available(),
        says('LastAsyncOperation', 'False', 'AsyncUpdateFailure', 'async update failed: denied'),
      ],
      { verdict: 'diverged', reason: 'AsyncUpdateFailure' },
    ],
    [
      'AsyncOperation=False/Ongoing is normal',
      () => [synced(), available(), says('AsyncOperation', 'False', 'Ongoing')],
      { verdict: 'converged' },
    ],
    [
      'Synced=True with Ready=False: made, but it does not work',
      () => [synced(), says('Ready', 'False', 'Unavailable')],
      { verdict: 'unhealthy' },
    ],
    [
      'UpToDate=True',
      () => [synced(), available(), says('UpToDate', 'True', 'ObserveMatched')],
      { verdict: 'converged', drift: 'none' },
    ],
    [
      'UpToDate=False/UpdateRestricted: drift that is left',
      () => [synced(), available(), says('UpToDate', 'False', 'UpdateRestricted')],
      { verdict: 'drifted', drift: 'found' },
    ],
    [
      'UpToDate=False/UpdateFailed',
      () => [synced(), available(), says('UpToDate', 'False', 'UpdateFailed', 'denied')],
      { verdict: 'diverged' },
    ],
  ])('%s', (_what, conditions, expected) => {
    openWith(conditions());
    bed.pass(minute);
    expect(bed.at('orders')).toMatchObject(expected);
  });

  it('Synced=True of a composite hides Synced=False of what it composes: the tree is walked down to it, from the claim', () => {
    const mr = { apiVersion: 'rds.aws.upbound.io/v1beta1', kind: 'Instance', name: 'orders' };
    const xr = { apiVersion: 'example.org/v1', kind: 'XDatabase', name: 'orders-x' };
    bed.open([
      [providerRevision, revision()],
      [
        claim,
        bed.object(claim, 'orders-claim', {
          spec: { resourceRef: xr },
          status: { conditions: [synced(), available()] },
        }),
      ],
      [
        database,
        bed.object(database, 'orders-x', {
          spec: {
            claimRef: {
              apiVersion: 'example.org/v1',
              kind: 'Database',
              namespace: 'flux-system',
              name: 'orders-claim',
            },
            resourceRefs: [mr],
          },
          status: { conditions: [synced(), available()] },
        }),
      ],
      [
        instance,
        orders([syncFails('update failed: denied'), available()], { owners: [ownedBy(database, 'orders-x')] }),
      ],
    ]);
    for (const name of ['orders-x', 'orders-claim']) {
      expect(bed.at(name).verdict).not.toBe('converged');
      expect(bed.at(name).rootCause).toMatchObject({ type: 'object', ref: { kind: 'Instance', name: 'orders' } });
    }
  });

  it('"Unsynced resources" of a composite could not be applied; "Unready resources" are being made', () => {
    bed.open([
      [
        database,
        bed.object(database, 'unsynced', {
          status: { conditions: [syncFails('Unsynced resources: a, b, and 2 more')] },
        }),
        bed.object(database, 'unready', {
          createdAt: bed.clock.now(),
          status: { conditions: [synced(), says('Ready', 'False', 'Creating', 'Unready resources: a')] },
        }),
      ],
    ]);
    expect([bed.at('unsynced').verdict, bed.at('unready').verdict]).toEqual(['diverged', 'progressing']);
  });

  it('an open watch circuit (Responsive=False) makes a composite blind', () => {
    bed.open([
      [
        database,
        bed.object(database, 'shop', {
          status: { conditions: [synced(), available(), says('Responsive', 'False', 'WatchCircuitOpen')] },
        }),
      ],
    ]);
    expect(bed.at('shop').verdict).toBe('stale');
  });

  it.each([
    [
      'AwaitingActivation is intended, and no fault',
      [
        says2('RevisionHealthy', 'True', 'HealthyPackageRevision'),
        says2('RuntimeActive', 'False', 'AwaitingActivation'),
      ],
      'Active',
      'converged',
    ],
    [
      'a runtime that is not healthy',
      [
        says2('RevisionHealthy', 'True', 'HealthyPackageRevision'),
        says2('RuntimeHealthy', 'False', 'UnhealthyPackageRevision'),
      ],
      'Active',
      'unhealthy',
    ],
    [
      'an inactive revision, kept for a roll back',
      [says2('RevisionHealthy', 'True', 'HealthyPackageRevision')],
      'Inactive',
      'converged',
    ],
  ] as const)('package revisions: %s', (_what, conditions, desiredState, verdict) => {
    bed.open([
      [providerRevision, bed.object(providerRevision, 'provider', { spec: { desiredState }, status: { conditions } })],
    ]);
    expect(bed.at('provider').verdict).toBe(verdict);
  });
});

/** A condition outside of a test's clock. */
function says2(type: string, status: string, reason: string): object {
  return { type, status, reason, message: '', lastTransitionTime: '2026-11-20T00:00:00Z', observedGeneration: 1 };
}

describe('Crossplane: times and generations', () => {
  it('lastTransitionTime is stamped anew with every message: a failure began with the first', () => {
    openWith([synced(), available()]);
    const first = bed.clock.now();
    for (let poll = 0; poll < 3; poll += 1) {
      bed.write(instance, orders([syncFails(`update failed: request id ${poll}`), available()]));
      bed.pass(minute);
    }
    expect(bed.at('orders')).toMatchObject({ verdict: 'diverged', onset: { time: first, bound: 'exact' } });
  });

  it('a steady resource is never written: its provider revision alone proves its loop', () => {
    openWith([synced(), available()]);
    bed.pass(60 * minute);
    expect(bed.at('orders')).toMatchObject({ verdict: 'converged', confirmation: 'controller' });
    bed.write(providerRevision, revision('False'));
    bed.pass(minute);
    expect(bed.at('orders')).toMatchObject({
      verdict: 'stale',
      was: 'converged',
      rootCause: { type: 'object', ref: { name: 'provider-aws-rds-1' } },
    });
  });

  it('without a provider revision that names its kind nothing proves it', () => {
    bed.open([[instance, orders([synced(), available()])]]);
    expect(bed.at('orders')).toMatchObject({ verdict: 'unconfirmed', confirmation: 'none' });
  });

  it('a spec that is edited while the provider is dead leaves the generation of the conditions behind', () => {
    openWith([synced(), available()]);
    bed.write(instance, orders([synced(), available()], { generation: 2 }));
    bed.pass(minute);
    expect(bed.at('orders')).toMatchObject({ verdict: 'progressing', reason: 'SpecNotObserved' });
    bed.pass(31 * minute);
    expect(bed.at('orders')).toMatchObject({ verdict: 'diverged', reason: 'NeverSettled' });
  });

  it('a deletion under a dead provider stands with its finalizer: stuck after 15 min', () => {
    openWith([synced(), available()]);
    bed.write(instance, orders([synced(), says('Ready', 'False', 'Deleting')], { deletedAt: bed.clock.now() }));
    bed.pass(minute);
    expect(bed.at('orders').verdict).toBe('progressing');
    bed.pass(15 * minute);
    expect(bed.at('orders')).toMatchObject({ verdict: 'diverged', reason: 'DeletionStuck' });
  });
});

describe('Crossplane: pauses and policies', () => {
  it.each([
    ['the annotation with exactly "true"', { annotations: { 'crossplane.io/paused': 'true' } }, 'suspended'],
    ['the annotation with anything else', { annotations: { 'crossplane.io/paused': 'yes' } }, 'converged'],
    ['managementPolicies []', { spec: { managementPolicies: [] } }, 'suspended'],
  ])('paused by %s', (_what, part, verdict) => {
    openWith(
      verdict === 'suspended' ? [says('Synced', 'False', 'ReconcilePaused'), available()] : [synced(), available()],
      part,
    );
    const { verdict: said, was } = bed.at('orders');
    expect([said, was]).toEqual([verdict, verdict === 'suspended' ? 'converged' : null]);
  });

  it('paused from birth there is no Ready, and nothing beneath that could be good', () => {
    openWith([says('Synced', 'False', 'ReconcilePaused')], { annotations: { 'crossplane.io/paused': 'true' } });
    expect(bed.at('orders').verdict).toBe('suspended');
    expect(bed.at('orders').was).not.toBe('converged');
  });

  it('a paused composite does not pause what it composes', () => {
    const mr = { apiVersion: 'rds.aws.upbound.io/v1beta1', kind: 'Instance', name: 'orders' };
    bed.open([
      [providerRevision, revision()],
      [
        database,
        bed.object(database, 'orders-x', {
          annotations: { 'crossplane.io/paused': 'true' },
          spec: { resourceRefs: [mr] },
          status: { conditions: [says('Synced', 'False', 'ReconcilePaused'), available()] },
        }),
      ],
      [instance, orders([synced(), available()])],
    ]);
    expect([bed.at('orders-x').verdict, bed.at('orders').verdict]).toEqual(['suspended', 'converged']);
  });

  it.each([
    ['Observe only', ['Observe'], 'not-measured', 'observe-only'],
    ['no Update', ['Observe', 'Create', 'Delete'], 'not-measured', 'management-restricted'],
    ['everything', ['*'], 'none', null],
  ] as const)(
    'Synced=True is no word on drift where updates are not allowed: %s',
    (_what, managementPolicies, drift, exemption) => {
      openWith([synced(), available()], { spec: { managementPolicies } });
      expect(bed.at('orders').drift).toBe(drift);
      const restricting = new Set(['observe-only', 'management-restricted']);
      const found = bed.at('orders').exemptions.map(({ kind }) => kind);
      expect(found.filter((kind) => restricting.has(kind))).toEqual(exemption === null ? [] : [exemption]);
    },
  );
});

describe('Crossplane: corrections', () => {
  it('an update that no edit prompted was probably drift; one after an edit was not; three in a row are contested', () => {
    openWith([synced(), available()]);
    bed.pass(5 * minute);
    bed.model.take({ type: 'event', at: bed.clock.now(), event: updated(1, bed.clock.now()) });
    bed.pass(minute);
    expect(bed.at('orders').drift).toBe('corrected');
    for (const count of [2, 3]) {
      bed.pass(minute);
      bed.model.take({ type: 'event', at: bed.clock.now(), event: updated(count, bed.clock.now()) });
    }
    bed.pass(minute);
    expect(bed.at('orders').drift).toBe('contested');
  });

  it('an update after an edit of the spec is the edit', () => {
    openWith([synced(), available()]);
    bed.pass(5 * minute);
    bed.write(instance, orders([synced(), available()], { generation: 2 }));
    bed.model.take({ type: 'event', at: bed.clock.now(), event: updated(1, bed.clock.now()) });
    bed.clock.advance(1_000);
    bed.write(
      instance,
      orders([says('Synced', 'True', 'ReconcileSuccess', '', 2), says('Ready', 'True', 'Available', '', 2)], {
        generation: 2,
      }),
    );
    bed.pass(minute);
    expect(bed.at('orders').drift).toBe('none');
  });
});

describe('Crossplane: measured', () => {
  it('a composite that no Composition fits', () => {
    bed.open([
      [
        database,
        bed.object(database, 'shop', {
          status: {
            conditions: [
              syncFails('cannot select Composition: no compatible Compositions found'),
              says('Responsive', 'True', 'WatchCircuitClosed'),
            ],
          },
        }),
      ],
    ]);
    expect(bed.at('shop')).toMatchObject({ verdict: 'diverged', reason: 'ReconcileError' });
  });

  it('kinds appear while the cluster is watched', () => {
    openWith([synced(), available()]);
    bed.model.take({ type: 'kinds', at: bed.clock.now(), kinds: [providerRevision, instance, database], absent: [] });
    bed.list(database, bed.object(database, 'shop', { status: { conditions: [synced(), available()] } }));
    bed.pass(1_000);
    expect(bed.at('shop').verdict).toBe('converged');
  });
});
