import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WireClusterList, WireClusterPage } from '#lib/api/cluster.ts';
import { WireFleet } from '#lib/api/fleet.ts';
import { WireObjectList, WireObjectPage } from '#lib/api/object.ts';
import { WireTransitionList } from '#lib/api/transition.ts';
import type { Transition } from '#lib/domain/record/current.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { minute } from '#lib/domain/time/length.ts';
import { runningWeb, type RunningWeb } from '../testing/running-web.ts';
import {
  badCommit,
  goodCommit,
  sampleCluster,
  sampleDetail,
  sampleNow,
  sampleObject,
  sampleRange,
  sampleRef,
} from '../testing/sample.ts';

const checkout = sampleRef({ name: 'checkout' });
const payments = sampleRef({ name: 'payments' });
const web3 = sampleRef({ cluster: 'us-east-1', name: 'checkout' });

let web: RunningWeb;

/** So many minutes before now, in ms and as it stands in an address. */
const ago = (minutes: number): number => sampleNow - minutes * minute;
const then = (minutes: number): string => new Date(ago(minutes)).toISOString();

function turned(minutes: number, ref: ObjectRef, to: Verdict | null, rest: Partial<Transition> = {}): void {
  web.store.transition({
    ref,
    uid: `uid-${ref.name}`,
    at: ago(minutes),
    bound: 'exact',
    noticedAt: ago(minutes),
    from: null,
    to,
    reason: to === 'diverged' ? 'BuildFailed' : 'ReconciliationSucceeded',
    message: `${to} then`,
    commit: goodCommit,
    attempted: to === 'diverged' ? `main@sha1:${badCommit}` : `main@sha1:${goodCommit}`,
    rootCause: null,
    ...rest,
  });
}

function covered(minutes: number, cluster: string, state: string): void {
  const observed = state === 'live';
  web.store.covered({ cluster, kind: null, at: ago(minutes), observed, state, reason: observed ? null : 'no route' });
}

beforeEach(async () => {
  web = await runningWeb();
  for (const name of ['eu-west-3', 'us-east-1']) {
    web.store.cluster(sampleCluster(name));
    covered(120, name, 'live');
  }
  const now = sampleObject(checkout);
  web.store.object(now, sampleDetail(now));
  web.store.object(sampleObject(payments));
  turned(120, checkout, 'converged');
  turned(120, web3, 'converged');
  turned(60, checkout, 'diverged', { from: 'converged', at: ago(65) });
  turned(30, checkout, 'converged', { from: 'diverged' });
  web.store.absence({
    ref: checkout,
    uid: 'uid-checkout',
    openedAt: ago(65),
    bound: 'exact',
    noticedAt: ago(60),
    closedAt: ago(30),
    ended: 'converged',
    worst: 'diverged',
    reason: 'BuildFailed',
    rootCause: null,
    range: sampleRange,
  });
  turned(40, web3, null, { from: 'converged' });
  turned(20, payments, 'converged');
  covered(50, 'us-east-1', 'unreachable');
  covered(45, 'us-east-1', 'live');
  await web.advance(300);
});
afterEach(() => web.stop());

async function ask(path: string): Promise<unknown> {
  const response = await web.get(path);
  if (response.status !== 200) throw new Error(`${path} is ${response.status}: ${await response.text()}`);
  return response.json();
}

async function verdictsAt(at: string): Promise<readonly string[]> {
  const list = WireObjectList.parse(await ask(`/api/v1/objects?at=${at}`));
  expect(list.asOf).toBe(new Date(/^\d+$/.test(at) ? Number(at) : at).toISOString());
  return list.objects.map(({ cluster, name, verdict }) => `${cluster} ${name} ${verdict}`).toSorted();
}

describe('what was known at a past moment', () => {
  it.each([
    [120, ['eu-west-3 checkout converged', 'us-east-1 checkout converged']],
    // It had left converged by then, and nobody knew.
    [61, ['eu-west-3 checkout converged', 'us-east-1 checkout converged']],
    [60, ['eu-west-3 checkout diverged', 'us-east-1 checkout converged']],
    // Nobody looked.
    [47, ['eu-west-3 checkout diverged', 'us-east-1 checkout unobserved']],
    [45, ['eu-west-3 checkout diverged', 'us-east-1 checkout converged']],
    // It was removed.
    [40, ['eu-west-3 checkout diverged']],
    [30, ['eu-west-3 checkout converged']],
    [20, ['eu-west-3 checkout converged', 'eu-west-3 payments converged']],
  ])('%d minutes ago', async (minutes, known) => {
    expect(await verdictsAt(then(minutes))).toEqual(known);
    expect(await verdictsAt(String(ago(minutes)))).toEqual(known);
  });

  it('is the same in the matrix, the clusters and the page of one', async () => {
    const fleet = WireFleet.parse(await ask(`/api/v1/fleet?at=${then(47)}`));
    expect(fleet.summary).toMatchObject({
      asOf: then(47),
      objects: 2,
      guarantee: { clusters: { total: 2, unseen: 1 } },
    });
    expect(fleet.rows.map(({ cluster, state, cells }) => [cluster, state, cells.trim()])).toEqual([
      ['eu-west-3', 'live', 'D'],
      ['us-east-1', 'unreachable', 'O'],
    ]);
    const { clusters } = WireClusterList.parse(await ask(`/api/v1/clusters?at=${then(47)}`));
    expect(clusters.map(({ name, state, worst }) => [name, state, worst])).toEqual([
      ['eu-west-3', 'live', 'diverged'],
      ['us-east-1', 'unreachable', 'unobserved'],
    ]);
    const page = WireClusterPage.parse(await ask(`/api/v1/clusters/eu-west-3?at=${then(47)}`));
    expect(page.objects.map(({ name, verdict, sentence }) => [name, verdict, sentence])).toEqual([
      ['checkout', 'diverged', 'Kustomization checkout cannot be made as declared, tried at 9f31c07 (BuildFailed).'],
    ]);
  });

  it('of an object: as it began and was known, and nothing of what only the present has', async () => {
    const query = new URLSearchParams({ ...checkout, at: then(47) }).toString();
    const page = WireObjectPage.parse(await ask(`/api/v1/object?${query}`));
    expect(page).toMatchObject({
      asOf: then(47),
      object: {
        verdict: 'diverged',
        reason: 'BuildFailed',
        message: 'diverged then',
        onset: { time: then(65), noticedAt: then(60) },
        revision: { attempted: `main@sha1:${badCommit}` },
        commit: goodCommit,
        range: { lastGood: { commit: goodCommit }, firstBad: { commit: badCommit } },
      },
      conditions: [],
      evidence: [],
    });
    expect(page.transitions.map(({ to }) => to)).toEqual(['diverged', 'converged']);
  });

  it('is not what is known of it by now', async () => {
    const query = new URLSearchParams({ ...payments, at: then(21) }).toString();
    const response = await web.get(`/api/v1/object?${query}`);
    expect(response.status).toBe(404);
    expect(await verdictsAt(then(21))).not.toContain('eu-west-3 payments converged');
  });

  it('ends where nobody vouched for a cluster any more, though its gap is recorded only later', async () => {
    // The collector died: 10 min on, nothing has told of a gap.
    await web.advance(10 * minute);
    expect(await verdictsAt(then(-0.5))).toEqual(['eu-west-3 checkout converged', 'eu-west-3 payments converged']);
    expect(await verdictsAt(then(-5))).toEqual(['eu-west-3 checkout unobserved', 'eu-west-3 payments unobserved']);
  });

  it('is asked again after a while, for what is written late', async () => {
    expect(await verdictsAt(then(10))).toContain('eu-west-3 checkout converged');
    covered(15, 'eu-west-3', 'unobserved');
    expect(await verdictsAt(then(10))).toContain('eu-west-3 checkout converged');
    await web.advance(31_000);
    expect(await verdictsAt(then(10))).toContain('eu-west-3 checkout unobserved');
  });
});

describe('moments of which nothing is known', () => {
  it.each([
    ['of the future', `/api/v1/fleet?at=${then(-1)}`, 400, { parameter: 'at' }],
    ['that are no times', '/api/v1/clusters?at=03:12', 400, { parameter: 'at' }],
    [
      'given twice',
      `/api/v1/objects?at=${then(1)}&at=${then(2)}`,
      400,
      { parameter: 'at', detail: 'at: is given twice' },
    ],
    [
      'before the record',
      `/api/v1/clusters/eu-west-3?at=${then(121)}`,
      404,
      {
        type: '/problems/not-recorded',
        since: '2026-11-21T00:00:00Z',
      },
    ],
    ['of a stream', `/api/v1/stream?topic=summary&at=${then(1)}`, 400, { parameter: 'at' }],
  ])('%s', async (_what, path, status, problem) => {
    const response = await web.get(path);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ status, ...problem });
  });

  it('while the store cannot be read', async () => {
    web.store.vanish();
    await web.advance(2_000);
    const response = await web.get(`/api/v1/fleet?at=${then(10)}`);
    expect(response.status).toBe(503);
  });
});

describe('changes of verdict between two moments', () => {
  const read = async (query: string) => WireTransitionList.parse(await ask(`/api/v1/transitions?${query}`));
  const lines = ({ transitions }: WireTransitionList) =>
    transitions.map(({ ref, to, noticedAt }) => `${ref.cluster} ${ref.name} ${to} ${noticedAt}`);

  it('come newest first by when they were noticed, the end not included, of all clusters or of one', async () => {
    const period = `from=${then(60)}&to=${then(30)}`;
    expect(lines(await read(period))).toEqual([
      `us-east-1 checkout null ${then(40)}`,
      `eu-west-3 checkout diverged ${then(60)}`,
    ]);
    expect(lines(await read(`${period}&cluster=us-east-1`))).toEqual([`us-east-1 checkout null ${then(40)}`]);
  });

  it('come page by page, each once', async () => {
    const all = lines(await read('last=24h'));
    expect(all).toHaveLength(6);
    const paged: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: WireTransitionList = await read(`last=24h&limit=2&cursor=${cursor}`);
      paged.push(...lines(page));
      cursor = page.nextCursor;
    }
    expect(paged).toEqual(all);
  });

  it.each(['cursor=nonsense', `from=${then(1)}&to=${then(2)}`, 'from=yesterday'])('%s is refused', async (query) => {
    expect((await web.get(`/api/v1/transitions?${query}`)).status).toBe(400);
  });
});
