import { expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import type { ViewScope } from '#lib/domain/access/scope.ts';
import { createFleetCache } from '../cache/fleet-cache.ts';
import { knownFleet } from '../cache/known-fleet.ts';
import { sampleCluster, sampleDiverged, sampleNow, sampleObject, sampleRef } from '../testing/sample.ts';
import { sightOver } from './sight.ts';
import { worldCache } from './world-cache.ts';
import { worldFleet } from './world-fleet.ts';

function fleetOf(grants: Extract<ViewScope, { type: 'grants' }>['grants']) {
  const cache = createFleetCache();
  const cluster = (name: string, environment: string): void =>
    cache.apply([{ type: 'cluster', cluster: sampleCluster(name, { labels: { environment } }) }]);
  cluster('a', 'production');
  cluster('b', 'staging');
  const own = { source: null };
  const objects = [
    sampleObject({ cluster: 'a', namespace: 'apps', name: 'x' }, own),
    sampleDiverged({ cluster: 'a', namespace: 'ops', name: 'y' }, own),
    sampleDiverged({ cluster: 'b', namespace: 'apps', name: 'z' }, own),
  ];
  cache.apply(objects.map((object) => ({ type: 'object', object })));
  const whole = knownFleet(cache, defaultPolicy);
  const sightNow = sightOver({ type: 'grants', grants }, cache);
  return { cache, cluster, whole, own: worldCache(cache, sightNow), fleet: worldFleet(whole, sightNow, defaultPolicy) };
}

const any = { clusters: null, labels: {}, namespaces: null };

it('shares a cluster of which all is seen, and counts anew what is seen of another', () => {
  const { whole, fleet, own } = fleetOf([
    { ...any, clusters: ['b'] },
    { ...any, clusters: ['a'], namespaces: ['apps'] },
  ]);
  const [a, b] = fleet.all(sampleNow);
  expect(b).toBe(whole.cluster('b', sampleNow));
  expect(a?.objects.map(({ ref }) => ref.name)).toEqual(['x']);
  expect([a?.deviating.length, a?.worst]).toEqual([0, 'converged']);
  expect(a?.feeds.map(({ kind, objects }) => [kind, objects])).toContainEqual(['Kustomization', 1]);
  expect([own.size(), own.clusterCache('a')?.objects.size]).toEqual([2, 1]);
  expect(own.object(sampleRef({ cluster: 'a', namespace: 'ops', name: 'y' }))).toBeNull();
});

it('shows a cluster of which a namespace is seen that has nothing, and none of which nothing is', () => {
  const { fleet } = fleetOf([{ ...any, clusters: ['a'], namespaces: ['empty'] }]);
  expect(fleet.all(sampleNow).map(({ name, objects }) => [name, objects.length])).toEqual([['a', 0]]);
  expect(fleet.cluster('b', sampleNow)).toBeNull();
});

it('follows labels as they are now, and stands still while nothing that is seen changes', () => {
  const { fleet, cluster, own } = fleetOf([{ ...any, labels: { environment: 'production' } }]);
  const names = (): readonly string[] => fleet.all(sampleNow).map(({ name }) => name);
  expect(names()).toEqual(['a']);
  const stamp = fleet.stamp(sampleNow);
  cluster('c', 'staging');
  expect([names(), fleet.stamp(sampleNow)]).toEqual([['a'], stamp]);
  cluster('b', 'production');
  expect(names()).toEqual(['a', 'b']);
  expect(fleet.stamp(sampleNow)).not.toBe(stamp);
  cluster('a', 'staging');
  expect(names()).toEqual(['b']);
  expect([...own.clusterCaches()].map(({ name }) => name)).toEqual(['b']);
});
