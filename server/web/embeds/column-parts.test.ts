import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import { expect, it, vi } from 'vitest';
import { columnSeeds } from '#lib/domain/matrix/column-seeds.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import type { FleetCache, ClusterCache } from '../cache/fleet-cache.ts';
import { sampleCluster, sampleObject } from '../testing/sample.ts';
import { columnParts } from './column-parts.ts';

vi.mock(import('#lib/domain/matrix/column-seeds.ts'), async (load) => {
  const real = await load();
  return { ...real, columnSeeds: vi.fn<typeof real.columnSeeds>(real.columnSeeds) };
});

function clusterCacheOf(name: string, revision: number, objects: readonly KnownObject[]): ClusterCache {
  const keyed = new Map(objects.map((object) => [refKey(object.ref), object]));
  return { name, record: sampleCluster(name), objects: keyed, revision, renewal: 0 };
}

function fleetCacheOf(clusterCaches: () => readonly ClusterCache[]): FleetCache {
  return {
    clusterCache: (name) => clusterCaches().find((clusterCache) => clusterCache.name === name) ?? null,
    clusterCaches,
    object: () => null,
    size: () => 0,
  };
}

it('finds a column with its seed for as long as it is asked, while others come and go', () => {
  const still = clusterCacheOf('a', 1, [sampleObject({ cluster: 'a', name: 'checkout' }, { path: 'apps/checkout' })]);
  let clusterCaches: readonly ClusterCache[] = [still];
  const columns = columnParts(fleetCacheOf(() => clusterCaches));
  const renewed: number[] = [];
  // Of the first turn 3 entries are needed: so 4 times 3 and 4,000 are held before all is found anew.
  for (let turn = 2; turn < 6_000; turn++) {
    clusterCaches = [
      still,
      clusterCacheOf('b', turn, [sampleObject({ cluster: 'b', name: `preview-${turn}` }, { path: null })]),
    ];
    const { parts, seed } = columns.of('Kustomization/checkout');
    expect([parts.map(({ name }) => name), seed?.group, seed?.title]).toEqual([['a'], 'apps', 'checkout']);
    if (vi.mocked(columnSeeds).mock.calls.length > renewed.length) renewed.push(turn);
  }
  expect(renewed).toEqual([2, 4_013]);
});

const checkout = (cluster: string): KnownObject =>
  sampleObject({ cluster, name: 'checkout' }, { path: 'apps/checkout' });

it('looks through a cluster again only when it changed, for 16 columns', () => {
  const one = clusterCacheOf('a', 1, [checkout('a')]);
  const read = vi.spyOn(one.objects, 'values');
  const columns = columnParts(fleetCacheOf(() => [one]));
  const reads = (ids: readonly string[]): number => {
    read.mockClear();
    for (const id of ids) columns.of(id);
    return read.mock.calls.length;
  };
  const ids = Array.from({ length: 17 }, (_, at) => `Kustomization/${at}`);
  expect(reads(ids.slice(0, 16))).toBe(16);
  expect(reads(ids.slice(0, 16))).toBe(0);
  expect(reads(ids)).toBe(1);
  expect(reads(['Kustomization/16', 'Kustomization/0'])).toBe(1);
});

it('gives of each cluster what lies in the column, and clusters that may hide more of it', () => {
  const hidden = {
    ...sampleCluster('d'),
    feeds: sampleCluster('d').feeds.map((feed) => ({ ...feed, state: 'failed' as const })),
  };
  const clusterCaches = [
    clusterCacheOf('a', 1, [checkout('a'), sampleObject({ cluster: 'a', name: 'other' })]),
    { ...clusterCacheOf('b', 1, [checkout('b')]), record: null },
    { ...clusterCacheOf('c', 1, []), record: null },
    { ...clusterCacheOf('d', 1, [sampleObject({ cluster: 'd', name: 'other' })]), record: hidden },
    clusterCacheOf('e', 1, [sampleObject({ cluster: 'e', name: 'other' })]),
  ];
  const { parts } = columnParts(fleetCacheOf(() => clusterCaches)).of('Kustomization/checkout');
  expect(
    parts.map(({ name, record, objects }) => [
      name,
      record?.feeds.map(({ kind }) => kind),
      [...objects.entries()].map(([key]) => key),
    ]),
  ).toEqual([
    ['a', ['Kustomization'], [refKey(checkout('a').ref)]],
    ['b', undefined, [refKey(checkout('b').ref)]],
    ['c', undefined, []],
    ['d', ['Kustomization'], []],
  ]);
});
