import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { FleetView } from '#lib/api/fleet.ts';
import { createFleetCache } from '../cache/fleet-cache.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { sampleMoment } from '../testing/moment.ts';
import { sampleCluster, sampleDiverged, sampleObject } from '../testing/sample.ts';
import { topicSource } from './topic.ts';

const view = FleetView.parse({});

/** A cluster, and a moment whose boards give way to others after each reading. */
function beside() {
  const cache = createFleetCache();
  cache.apply([
    { type: 'cluster', cluster: sampleCluster('a') },
    { type: 'object', object: sampleObject({ cluster: 'a', name: 'web' }) },
  ]);
  const known: KnownMoment = { ...sampleMoment(cache), board: (asked) => sampleMoment(cache).board(asked) };
  return { cache, known };
}

it('a board that was made anew sends what is different, not its columns and all of its rows', () => {
  const { cache, known } = beside();
  const source = topicSource({ type: 'fleet', view }, known);
  cache.apply([{ type: 'cluster', cluster: sampleCluster('a', { lastWordAt: 1 }) }]);
  expect(source.changes().filter(({ type }) => type === 'rows')).toEqual([]);
  cache.apply([{ type: 'object', object: sampleDiverged({ cluster: 'a', name: 'web' }) }]);
  expect(source.changes()).toContainEqual(expect.objectContaining({ type: 'rows', columns: null, order: null }));
});

it('a view that is followed holds no rows of a board that gave way to another', async () => {
  const { known } = beside();
  const rows: WeakRef<object>[] = [];
  const board: KnownMoment['board'] = (asked) => {
    const state = known.board(asked);
    rows.push(...state.rows.map((row) => new WeakRef(row)));
    return state;
  };
  const source = topicSource({ type: 'fleet', view }, { ...known, board });
  expect(rows).toHaveLength(1);
  setFlagsFromString('--expose-gc');
  await new Promise((done) => setImmediate(done));
  runInNewContext('gc')();
  expect(rows.map((row) => row.deref())).toEqual([undefined]);
  expect(source.changes()).toEqual([]);
});
