import { describe, expect, it } from 'vitest';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { fleet } from '../endpoints/fleet.ts';
import { createFleetCache } from '../cache/fleet-cache.ts';
import { answerOf, sampleMoment } from '../testing/moment.ts';
import { sampleCluster, sampleDiverged, sampleObject, sampleSource, sourceGroup } from '../testing/sample.ts';

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
  const differs = { commitDiffers: 'yes', commit: 'a'.repeat(40) } as const;
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

describe('behind which cells a source stands', () => {
  const told = async (columns: string, ...objects: readonly CurrentObject[]) => {
    const fleetCache = createFleetCache();
    fleetCache.apply([
      { type: 'cluster', cluster: sampleCluster('eu') },
      ...objects.map((object) => ({ type: 'object' as const, object })),
    ]);
    const answer = await answerOf(fleet, sampleMoment(fleetCache), { rows: '', columns });
    return { titles: answer.columns.map(({ title }) => title), sources: answer.rows[0]?.sources };
  };
  const kinds = ['GitRepository', 'OCIRepository', 'Bucket', 'HelmChart', 'HelmRepository', 'ExternalArtifact'];
  const applier = sampleObject({ cluster: 'eu', name: 'web' });

  it.each(kinds)('is told of a %s beside its appliers', async (kind) => {
    const source = sampleObject({ cluster: 'eu', group: sourceGroup, kind, name: 'x' }, { role: 'source', path: null });
    const { titles, sources } = await told('delivery', applier, source);
    expect([titles.length, sources?.indexOf('s')]).toEqual([2, titles.findIndex((title) => title !== 'web')]);
  });

  it('is told where it is one of several objects', async () => {
    expect(await told('namespace', applier, sampleSource('eu'))).toEqual({ titles: ['flux-system'], sources: 's' });
  });

  it('is not told of one that has no commit, nor of appliers', async () => {
    expect(await told('namespace', applier, sampleSource('eu', { commit: null }))).toMatchObject({ sources: '' });
  });
});

it.each(['constructor', '__proto__', 'toString'])('no cluster has the label %s that nobody gave it', async (name) => {
  const fleetCache = createFleetCache();
  fleetCache.apply([
    { type: 'cluster', cluster: sampleCluster('eu-west-3') },
    { type: 'object', object: sampleObject({ name: 'a' }) },
  ]);
  const moment = sampleMoment(fleetCache);
  const { rows } = await answerOf(fleet, moment, { rows: name, show: name });
  expect(rows.map(({ group, labels }) => [group, labels])).toEqual([['', ['']]]);
  const { columns } = await answerOf(fleet, moment, { columns: `label:${name}` });
  expect(columns.map(({ title }) => title)).toEqual([`no ${name}`]);
});
