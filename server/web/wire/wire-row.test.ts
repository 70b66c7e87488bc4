import { expect, it } from 'vitest';
import { fleet } from '../endpoints/fleet.ts';
import { createFleetCache } from '../cache/fleet-cache.ts';
import { answerOf, sampleMoment } from '../testing/moment.ts';
import { sampleCluster, sampleDiverged, sampleObject } from '../testing/sample.ts';

const exemption = { kind: 'suspended', field: 'spec.suspend', meaning: '', by: null, at: null, reach: null } as const;

it.each([
  [0, ''],
  [1, '1'],
  [35, 'z'],
  [36, 'z'],
])('of %i exemptions behind a cell the row says "%s", and what is busy', async (exemptions, exempt) => {
  const fleetCache = createFleetCache();
  const many = Array.from({ length: exemptions }, () => exemption);
  fleetCache.apply([
    { type: 'cluster', cluster: sampleCluster('eu-west-3') },
    { type: 'object', object: sampleDiverged({ name: 'a' }, { exemptions: many, reconciling: true }) },
    { type: 'object', object: sampleDiverged({ name: 'b' }) },
    { type: 'object', object: sampleObject({ name: 'c' }) },
  ]);
  const { rows } = await answerOf(fleet, sampleMoment(fleetCache), { rows: '' });
  expect(rows.map((row) => [row.cells, row.exempt, row.marks.map(({ c, busy }) => [c, busy])])).toEqual([
    [
      'DDc',
      exempt,
      [
        [0, true],
        [1, undefined],
      ],
    ],
  ]);
});

it('tells no commit of what is not seen: it may run another one by now', async () => {
  const fleetCache = createFleetCache();
  const differs = { commitDiffers: true, commit: 'a'.repeat(40) };
  fleetCache.apply([
    { type: 'cluster', cluster: sampleCluster('eu-west-3', { state: 'unreachable' }) },
    { type: 'cluster', cluster: sampleCluster('us-east-1') },
    { type: 'object', object: sampleObject({ cluster: 'eu-west-3', name: 'a' }, differs) },
    { type: 'object', object: sampleObject({ cluster: 'us-east-1', name: 'a' }, differs) },
  ]);
  const { rows } = await answerOf(fleet, sampleMoment(fleetCache), { rows: '' });
  const told = Object.fromEntries(rows.map(({ cluster, runs, commits }) => [cluster, { runs, commits }]));
  expect(told).toEqual({
    'eu-west-3': { runs: '', commits: [] },
    'us-east-1': { runs: '0', commits: [differs.commit] },
  });
});
