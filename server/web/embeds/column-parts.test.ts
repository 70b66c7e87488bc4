import { expect, it, vi } from 'vitest';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { columnSeeds } from '#lib/domain/matrix/column-seeds.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import type { FleetCache, ClusterCache } from '../cache/fleet-cache.ts';
import { sampleCluster, sampleObject } from '../testing/sample.ts';
import { columnParts } from './column-parts.ts';

vi.mock(import('#lib/domain/matrix/column-seeds.ts'), async (load) => {
  const real = await load();
  return { ...real, columnSeeds: vi.fn<typeof real.columnSeeds>(real.columnSeeds) };
});

function clusterCacheOf(name: string, revision: number, objects: readonly CurrentObject[]): ClusterCache {
  const keyed = new Map(objects.map((object) => [refKey(object.ref), object]));
  return { name, record: sampleCluster(name), objects: keyed, revision, renewal: 0 };
}

it('finds a column with its seed for as long as it is asked, while others come and go', () => {
  const still = clusterCacheOf('a', 1, [sampleObject({ cluster: 'a', name: 'checkout' }, { path: 'apps/checkout' })]);
  let clusterCaches: readonly ClusterCache[] = [still];
  const fleetCache: FleetCache = {
    clusterCache: (name) => clusterCaches.find((clusterCache) => clusterCache.name === name) ?? null,
    clusterCaches: () => clusterCaches,
    object: () => null,
    size: () => 0,
  };
  const columns = columnParts(fleetCache);
  // More than are held of what has gone, so that all is looked for anew meanwhile.
  for (let turn = 2; turn < 6_000; turn++) {
    clusterCaches = [
      still,
      clusterCacheOf('b', turn, [sampleObject({ cluster: 'b', name: `preview-${turn}` }, { path: null })]),
    ];
    const { parts, seed } = columns.of('Kustomization/checkout');
    expect([parts.map(({ name }) => name), seed?.group, seed?.title]).toEqual([['a'], 'apps', 'checkout']);
  }
  const made = vi.mocked(columnSeeds).mock.calls.length;
  expect(made).toBeGreaterThan(1);
  expect(made).toBeLessThan(10);
});
