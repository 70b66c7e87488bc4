// What the web says of stacks that plumbline.yaml declares.
import { beforeEach, expect, it } from 'vitest';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { cluster } from '../../endpoints/cluster.ts';
import { fleet } from '../../endpoints/fleet.ts';
import { neighbours } from '../../endpoints/neighbours.ts';
import { object } from '../../endpoints/object.ts';
import { objects } from '../../endpoints/objects.ts';
import type { KnownMoment } from '../../fleet/known-moment.ts';
import { createFleetCache } from '../../cache/fleet-cache.ts';
import { answerOf, sampleMoment } from '../../testing/moment.ts';
import { sampleCluster, sampleObject, sampleRef } from '../../testing/sample.ts';

const sentence = 'No loop reports on this: Ansible runs only when somebody runs it.';
const row = 'not on a cluster';
let web: KnownMoment;

function stack(cluster: string, name: string): CurrentObject {
  const ref = { cluster, group: 'declared', kind: 'Stack', namespace: '', name };
  const said = { verdict: 'unobserved', reason: 'NoLoop', sentence, validUntil: null, confirmation: 'none' } as const;
  return sampleObject(ref, { ...said, reconciler: 'none', role: 'declared', drift: 'not-measured', commit: null });
}

beforeEach(() => {
  const fleetCache = createFleetCache();
  fleetCache.apply([
    { type: 'cluster', cluster: sampleCluster('eu-west-3') },
    { type: 'cluster', cluster: { ...sampleCluster(row), state: 'declared', feeds: [] } },
    { type: 'object', object: sampleObject({ name: 'web' }) },
    { type: 'object', object: stack('eu-west-3', 'legacy-vpc') },
    { type: 'object', object: stack(row, 'dns') },
  ]);
  web = sampleMoment(fleetCache);
});

it('they are counted apart and do not turn the sentence, and a row of them is no cluster', () => {
  const { guarantee, partial } = web.summary();
  expect(guarantee).toMatchObject({
    truth: 'holds',
    unknown: 0,
    declared: 2,
    clusters: { total: 1, unseen: 0, away: 0 },
  });
  expect(guarantee.body).toBe('So it is, on the one cluster: 1 object.');
  expect(partial).toEqual([]);
});

it('they stand in the matrix under a heading of their own, after all others', async () => {
  const { columns, rows } = await answerOf(fleet, web, { rows: '' });
  expect(columns.slice(-2).map(({ group, title }) => [group, title])).toEqual([
    ['declared', 'dns'],
    ['declared', 'legacy-vpc'],
  ]);
  expect(rows.find(({ cluster }) => cluster === row)).toMatchObject({ state: 'declared', cells: ' O ' });
});

it('they are in lists, never green, and no command is offered for them', async () => {
  const list = await answerOf(objects, web, { group: 'declared' });
  expect(list.objects).toMatchObject([
    { verdict: 'unobserved', guarantee: 'declared', sentence },
    { verdict: 'unobserved', guarantee: 'declared', sentence },
  ]);
  expect(list.reconcilers).toEqual(['flux']);
  const page = await answerOf(object, web, stack(row, 'dns').ref);
  expect(page).toMatchObject({ object: { role: 'declared' }, commands: [] });
});

it('they turn no row: its worst is what is observed there, and they are counted apart', async () => {
  const { rows } = await answerOf(fleet, web, { rows: '' });
  expect(rows.map(({ cluster, worst, declared, counts }) => [cluster, worst, declared, counts['unobserved']])).toEqual([
    ['eu-west-3', 'converged', 1, 1],
    [row, null, 1, 1],
  ]);
  expect(rows[0]?.marks).toMatchObject([{ declared: true, n: 1 }]);
});

it('they turn no cluster, and its numbers say how many of the unobserved they are', async () => {
  expect(await answerOf(cluster, web, { name: 'eu-west-3' })).toMatchObject({
    declared: 1,
    counts: { unobserved: 1, converged: 1 },
    cluster: { worst: 'converged', declared: 1 },
  });
  expect(await answerOf(cluster, web, { name: row })).toMatchObject({ cluster: { worst: null, declared: 1 } });
});

it('they stand in a list after all that can be observed and is not in order, and are counted apart', async () => {
  const list = await answerOf(objects, web, {});
  expect(list).toMatchObject({ total: 3, declared: 2, counts: { unobserved: 2, converged: 1 } });
  const none = await answerOf(objects, web, { reconciler: 'flux' });
  expect(none).toMatchObject({ total: 1, declared: 0 });
});

it('nobody is led to them from one deviation to the next', async () => {
  const page = await answerOf(neighbours, web, sampleRef({ name: 'web' }));
  expect(page).toEqual({ previous: null, next: null });
});

it('the page of their row says that they are never observed', async () => {
  expect(await answerOf(cluster, web, { name: row })).toMatchObject({
    cluster: { state: 'declared' },
    sentence: 'What is declared here is never observed: no loop reports on it.',
  });
});
