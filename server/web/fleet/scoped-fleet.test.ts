import { expect, it } from 'vitest';
import { wholeFleet } from '#lib/api/scope.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { createFleetCache } from '../cache/fleet-cache.ts';
import { knownFleet } from '../cache/known-fleet.ts';
import { sampleCluster, sampleNow, sampleObject } from '../testing/sample.ts';
import { scopedFleet } from './scoped-fleet.ts';

function fleetOf(...names: readonly string[]) {
  const fleetCache = createFleetCache();
  for (const cluster of names)
    fleetCache.apply([
      { type: 'cluster', cluster: sampleCluster(cluster) },
      { type: 'object', object: sampleObject({ cluster, name: 'checkout' }) },
      { type: 'object', object: sampleObject({ cluster, name: 'web' }) },
    ]);
  return { fleetCache, fleet: knownFleet(fleetCache, defaultPolicy) };
}

it('of no scope is the fleet itself', () => {
  const { fleet } = fleetOf('a', 'b');
  expect(scopedFleet(wholeFleet, fleet, defaultPolicy)).toBe(fleet);
});

it.each([
  [{ cluster: 'a' }, ['a 2']],
  [{ label: 'environment=production' }, ['a 2', 'b 2']],
  [{ label: 'environment=lab' }, []],
  [{ name: 'web' }, ['a 1', 'b 1']],
  [{ name: 'web', cluster: 'b' }, ['b 1']],
  [{ name: 'nothing' }, []],
])('of %j keeps %j', (part, kept) => {
  const { fleet } = fleetOf('a', 'b');
  const scoped = scopedFleet({ ...wholeFleet, ...part }, fleet, defaultPolicy);
  const counted = scoped.all(sampleNow);
  expect(counted.map(({ name, objects }) => `${name} ${objects.length}`)).toEqual(kept);
  for (const name of ['a', 'b', 'c'])
    expect(scoped.cluster(name, sampleNow)).toBe(counted.find((cluster) => cluster.name === name) ?? null);
  expect(scoped.stamp(sampleNow)).toBe(fleet.stamp(sampleNow));
});

it('counts a cluster once until it changes, whatever comes or goes beside it', () => {
  const { fleetCache, fleet } = fleetOf('a', 'b');
  const scoped = scopedFleet({ ...wholeFleet, name: 'web' }, fleet, defaultPolicy);
  const first = scoped.all(sampleNow);
  expect(scoped.all(sampleNow)).toBe(first);
  fleetCache.apply([{ type: 'cluster-removed', cluster: 'b' }]);
  expect(scoped.all(sampleNow)).toEqual([first[0]]);
  expect(scoped.all(sampleNow)[0]).toBe(first[0]);
  fleetCache.apply([{ type: 'removed', ref: sampleObject({ cluster: 'a', name: 'checkout' }).ref }]);
  expect(scoped.all(sampleNow)[0]).not.toBe(first[0]);
});
