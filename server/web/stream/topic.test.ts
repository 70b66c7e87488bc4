import { expect, it } from 'vitest';
import { FleetView } from '#lib/api/fleet.ts';
import { createFleetCache } from '../cache/fleet-cache.ts';
import { sampleMoment } from '../testing/moment.ts';
import { sampleCluster, sampleDiverged, sampleObject, sampleRef } from '../testing/sample.ts';
import { topicSource } from './topic.ts';

it('a matrix sends the rows that changed, its order and columns where those did, and nothing where none did', () => {
  const cache = createFleetCache();
  for (const cluster of ['a', 'b'])
    cache.apply([
      { type: 'cluster', cluster: sampleCluster(cluster) },
      { type: 'object', object: sampleObject({ cluster, name: 'web' }) },
    ]);
  const source = topicSource({ type: 'fleet', view: FleetView.parse({ sort: 'name' }) }, sampleMoment(cache));
  const rowsSent = () =>
    source.changes().flatMap((frame) => {
      if (frame.type !== 'rows') return [];
      const { rows, order, columns } = frame;
      return { rows: rows.map(({ cluster }) => cluster), order, columns: columns?.map(({ title }) => title) ?? null };
    });
  expect(rowsSent()).toEqual([]);

  cache.apply([{ type: 'object', object: sampleDiverged({ cluster: 'b', name: 'web' }) }]);
  expect(rowsSent()).toEqual([{ rows: ['b'], order: null, columns: null }]);

  cache.apply([{ type: 'object', object: sampleDiverged({ cluster: 'b', name: 'web' }, { message: 'other words' }) }]);
  expect(rowsSent()).toEqual([]);

  cache.apply([{ type: 'object', object: sampleObject({ cluster: 'a', name: 'api' }) }]);
  expect(rowsSent()).toEqual([{ rows: ['a', 'b'], order: null, columns: ['api', 'web'] }]);

  cache.apply([{ type: 'removed', ref: sampleRef({ cluster: 'a', name: 'api' }) }]);
  cache.apply([{ type: 'cluster', cluster: sampleCluster('c') }]);
  expect(rowsSent()).toEqual([{ rows: ['a', 'b', 'c'], order: ['a', 'b', 'c'], columns: ['web'] }]);
});
