// What the web says of stacks that plumbline.yaml declares.
import { beforeEach, expect, it } from 'vitest';
import { FleetView } from '#lib/api/fleet.ts';
import { ObjectFilter } from '#lib/api/object-filter.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { fleetQueries, type FleetQueries } from '../../fleet/fleet-queries.ts';
import { knownFleet } from '../../cache/known-fleet.ts';
import { createFleetCache } from '../../cache/fleet-cache.ts';
import { sampleCluster, sampleNow, sampleObject, sampleRef } from '../../testing/sample.ts';

const sentence = 'No loop reports on this: Ansible runs only when somebody runs it.';
const row = 'not on a cluster';
let web: FleetQueries;

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
  const [clock, policy] = [fakeClock(sampleNow), defaultPolicy];
  const nothingElse = { links: () => null, simulated: false, reader: () => null, trouble: () => null };
  web = fleetQueries({ fleetCache, fleet: knownFleet(fleetCache, policy), clock, policy, ...nothingElse });
});

it('they are counted apart and do not turn the sentence, and a row of them is no cluster', () => {
  const { guarantee, partial } = web.head();
  expect(guarantee).toMatchObject({
    truth: 'holds',
    unknown: 0,
    declared: 2,
    clusters: { total: 1, unseen: 0, away: 0 },
  });
  expect(guarantee.head).toBe('So it is, on the one cluster: 1 object.');
  expect(partial).toEqual([]);
});

it('they stand in the matrix under a head of their own, after all others', () => {
  const { columns, rows } = web.fleet(FleetView.parse({ rows: '' }));
  expect(columns.slice(-2).map(({ group, title }) => [group, title])).toEqual([
    ['declared', 'dns'],
    ['declared', 'legacy-vpc'],
  ]);
  expect(rows.find(({ cluster }) => cluster === row)).toMatchObject({ state: 'declared', cells: ' O ' });
});

it('they are in lists, never green, and no command is offered for them', async () => {
  const list = web.objects(ObjectFilter.parse({ group: 'declared' }));
  expect('objects' in list ? list.objects : []).toMatchObject([
    { verdict: 'unobserved', guarantee: 'declared', sentence },
    { verdict: 'unobserved', guarantee: 'declared', sentence },
  ]);
  expect('reconcilers' in list ? list.reconcilers : []).toEqual(['flux']);
  const page = await web.objectPage(stack(row, 'dns').ref);
  expect(page).toMatchObject({ object: { role: 'declared' }, commands: [] });
});

it('they turn no row: its worst is what is observed there, and they are counted apart', () => {
  const { rows } = web.fleet(FleetView.parse({ rows: '' }));
  expect(rows.map(({ cluster, worst, declared, counts }) => [cluster, worst, declared, counts['unobserved']])).toEqual([
    ['eu-west-3', 'converged', 1, 1],
    [row, null, 1, 1],
  ]);
  expect(rows[0]?.marks).toMatchObject([{ declared: true, n: 1 }]);
});

it('they turn no cluster, and its numbers say how many of the unobserved they are', () => {
  expect(web.clusterPage('eu-west-3')).toMatchObject({
    declared: 1,
    counts: { unobserved: 1, converged: 1 },
    cluster: { worst: 'converged', declared: 1 },
  });
  expect(web.clusterPage(row)).toMatchObject({ cluster: { worst: null, declared: 1 } });
});

it('they stand in a list after all that can be observed and is not in order, and are counted apart', () => {
  const list = web.objects(ObjectFilter.parse({}));
  expect(list).toMatchObject({ total: 3, declared: 2, counts: { unobserved: 2, converged: 1 } });
  const none = web.objects(ObjectFilter.parse({ reconciler: 'flux' }));
  expect(none).toMatchObject({ total: 1, declared: 0 });
});

it('nobody is led to them from one deviation to the next', () => {
  const page = web.neighbours(sampleRef({ name: 'web' }));
  expect(page).toEqual({ previous: null, next: null });
});

it('the page of their row says that they are never observed', () => {
  expect(web.clusterPage(row)).toMatchObject({
    cluster: { state: 'declared' },
    sentence: 'What is declared here is never observed: no loop reports on it.',
  });
});
