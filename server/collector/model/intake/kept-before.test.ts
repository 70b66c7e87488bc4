// A record of before the uids of owners were kept: what it holds is read anew, and nothing is told to be gone meanwhile.
import { describe, expect, it } from 'vitest';
import type { ForeignObject } from '#lib/foreign.ts';
import type { Observation } from '#lib/domain/observation/observation.ts';
import { minute } from '#lib/domain/time/length.ts';
import type { StoredClusterState } from '#server/store/port/port.ts';
import type { WatchedKind } from '../../clusters/cluster-event.ts';
import { startBed, type Bed } from '../testing/bed.ts';
import { kinds, ownedBy, ready } from '../testing/objects.ts';
import { resumableOf } from './kept-before.ts';

const { database, instance, helmRelease, kustomization, providerRevision } = kinds;
const claim: WatchedKind = { ...database, kind: 'Database', resource: 'databases', categories: ['claim'] };
const all = [providerRevision, claim, database, instance, helmRelease, kustomization];

function well(bed: Bed): { readonly conditions: readonly object[] } {
  const at = bed.clock.now() - minute;
  return { conditions: [ready('True', 'Available', at), { ...ready('True', 'ReconcileSuccess', at), type: 'Synced' }] };
}

function refTo({ group, version, kind, namespaced }: WatchedKind, name: string): object {
  return { apiVersion: `${group}/${version}`, kind, name, ...(namespaced ? { namespace: 'flux-system' } : {}) };
}

/** A claim with its composite, and what that makes: a managed resource and a release. */
function objectsOf(bed: Bed): readonly (readonly [WatchedKind, ...ForeignObject[]])[] {
  const status = well(bed);
  const owners = [ownedBy(database, 'xr')];
  const healthy = { ...ready('True', 'HealthyPackageRevision', bed.clock.now()), type: 'RevisionHealthy' };
  const objectRefs = [{ kind: 'CustomResourceDefinition', name: 'instances.rds.aws.upbound.io' }];
  return [
    [
      providerRevision,
      bed.object(providerRevision, 'aws', {
        spec: { desiredState: 'Active' },
        status: { conditions: [healthy], objectRefs },
      }),
    ],
    [claim, bed.object(claim, 'orders', { spec: { resourceRef: refTo(database, 'xr') }, status })],
    [
      database,
      bed.object(database, 'xr', {
        spec: {
          claimRef: { ...refTo(claim, 'orders'), namespace: '' },
          resourceRefs: [refTo(instance, 'db'), refTo(helmRelease, 'web')],
        },
        status,
      }),
    ],
    [instance, bed.object(instance, 'db', { owners, status })],
    [helmRelease, bed.object(helmRelease, 'web', { owners, spec: { interval: '10m' }, status })],
    [kustomization],
  ];
}

/** The state of a collector of before, that knew no uids of owners. */
function before(state: StoredClusterState): StoredClusterState {
  const without = (observation: Observation): Observation => {
    const { ownerUid, ...rest } = observation;
    return ownerUid === undefined ? observation : rest;
  };
  const objects = state.objects.map(({ object, detail }) => ({
    object,
    detail: { ...detail, observation: without(detail.observation) },
  }));
  return { ...state, objects };
}

const points = all.map(({ group, kind, version }) => ({ group, kind, version, resourceVersion: '1' }));

describe('a record of before the uids of owners were kept', () => {
  it('has those kinds listed anew of which something is owned, and after that none', () => {
    const bed = startBed();
    bed.open(objectsOf(bed));
    const stored = { ...bed.stored(), resume: points };
    const kindsOf = (state: StoredClusterState): readonly string[] => resumableOf(state).map(({ kind }) => kind);
    expect(kindsOf(stored)).toEqual(all.map(({ kind }) => kind));
    expect(kindsOf(before(stored))).toEqual(['ProviderRevision', 'Database', 'XDatabase', 'Kustomization']);
    bed.model.stop();
  });

  it('is read with them, though no object has changed, and nothing was gone meanwhile', () => {
    const bed = startBed();
    const lists = objectsOf(bed);
    bed.open(lists);
    const well = ['orders', 'xr', 'db'].map((name) => [name, bed.at(name).verdict]);
    expect(well).toEqual(['orders', 'xr', 'db'].map((name) => [name, 'converged']));
    const next = startBed(before(bed.stored()), bed.clock.now() + 5_000);
    next.open(lists);
    next.pass(3 * minute);
    for (const name of ['orders', 'xr', 'db'])
      expect([name, next.at(name).verdict, next.verdicts(name)]).toEqual([name, 'converged', []]);
    expect(next.recorded('db').detail.observation.ownerUid).toBe('uid-xr');
    for (const one of [bed, next]) one.model.stop();
  });
});
