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
