import { beforeEach, describe, expect, it } from 'vitest';
import { WireCommitArrivals } from '#lib/api/git/commit-arrivals.ts';
import type { Within } from '#lib/domain/access/within.ts';
import type { Arrival } from '#lib/domain/chain/arrival.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { hour, minute } from '#lib/domain/time/length.ts';
import { readRecord } from '#server/store/record/record.ts';
import { createFleetCache } from '../cache/fleet-cache.ts';
import { commitArrivals } from '../endpoints/commits/commit-arrivals.ts';
import { isRefused } from '../http/problem.ts';
import { fakeGit, fakeSha } from '../testing/fake-git.ts';
import { memoryStore } from '../testing/memory-reader.ts';
import { answerOf, given, sampleMoment } from '../testing/moment.ts';
import { sampleCluster, sampleNow, sampleObject } from '../testing/sample.ts';
import { recordWithin } from '../worlds/record/record-within.ts';
import { sightOf } from '../worlds/sight.ts';
import { commitPage } from './commit-page.ts';

const url = 'https://github.com/acme/control-repo';
const store = await memoryStore().source.open();
const made = sampleNow - 10 * hour;
const commits = ['a', 'b', 'c'].map((digit) => ({ digit, files: ['k.yaml'], at: made }));
const git = fakeGit({ url, commits });

let cache: ReturnType<typeof createFleetCache>;
let arrivals: Arrival[];

function arrival(cluster: string, digit: string, [offered, first, last]: readonly [number, number, number]): Arrival {
  const at = (minutes: number): number => made + minutes * minute;
  return {
    ...{ cluster, commit: fakeSha(digit), offeredAt: at(offered), firstAt: at(first), lastAt: at(last) },
    objects: 2,
  };
}

/** The moment so many minutes after the commits were made. */
function moment(minutes: number) {
  const record = readRecord({ arrivals });
  return {
    ...sampleMoment(cache, defaultPolicy, git),
    now: () => made + minutes * minute,
    reader: () => ({ ...store, record }),
  };
}

async function rowsAt(minutes: number) {
  const answer = await answerOf(commitArrivals, moment(minutes), { sha: fakeSha('b').slice(0, 8) });
  expect(WireCommitArrivals.parse(answer)).toEqual(answer);
  return answer.clusters.map(({ cluster, offeredAt, firstAt, lastAt }) => [
    cluster,
    ...[offeredAt, firstAt, lastAt].map((at) => (at === null ? null : (Date.parse(at) - made) / minute)),
  ]);
}

beforeEach(() => {
  cache = createFleetCache();
  arrivals = [arrival('eu', 'b', [1, 2, 30])];
  for (const cluster of ['us', 'eu']) {
    const runs = { repository: url, path: 'apps', commit: fakeSha('b') };
    cache.apply([
      { type: 'cluster', cluster: sampleCluster(cluster) },
      { type: 'object', object: sampleObject({ cluster, name: 'shop' }, runs) },
    ]);
  }
});

const none = [null, null, null];

it.each([
  [0.5, none],
  [1.5, [1, null, null]],
  [10, [1, 2, null]],
  [30, [1, 2, 30]],
])('are those that were recorded by the moment, %s min after it was made', async (minutes, times) => {
  expect(await rowsAt(minutes)).toEqual([
    ['eu', ...times],
    ['us', ...none],
  ]);
});

it('are of the first later commit that holds it, where an older one was seen to come before', async () => {
  arrivals = [arrival('us', 'a', [-20, -10, -5]), arrival('us', 'c', [5, 6, 7]), arrival('eu', 'c', [5, 6, 7])];
  expect(await rowsAt(60)).toEqual([
    ['us', 5, 6, 7],
    ['eu', ...none],
  ]);
});

it('say of a commit that is dated later that it is', async () => {
  const at = async (minutes: number) =>
    (await answerOf(commitArrivals, moment(minutes), { sha: fakeSha('b') })).isLater;
  expect([await at(-5), await at(5)]).toEqual([true, false]);
});

it('are refused of a commit that no mirror holds', async () => {
  const answer = await commitArrivals.ask(moment(1), { sha: 'f'.repeat(40) });
  expect(isRefused(answer) && answer.refused.type).toBe('not-found');
});

describe('to who sees a part of a cluster', () => {
  const namespaces = ['flux-system'];

  async function wholeOrNot(within: Within) {
    const coverage = ['eu', 'us'].map((cluster) => {
      return { cluster, kind: null, at: made - hour, observed: true, state: 'live', reason: null } as const;
    });
    const sight = sightOf(within);
    const record = recordWithin(readRecord({ arrivals, coverage }), () => sight);
    const seen = { ...moment(60), reader: () => ({ ...store, record }) };
    const then = await answerOf(commitArrivals, seen, { sha: fakeSha('b') });
    const query = { sha: fakeSha('b'), cluster: '', label: '', state: 'not-concerned', wait: 0 };
    const page = given(await commitPage(seen, query));
    const { clusters } = page;
    for (const of of [then.clusters, clusters])
      expect(of.filter(({ notKnown, firstAt }) => notKnown !== null && firstAt !== null)).toEqual([]);
    const whyOf = (of: readonly { readonly cluster: string; readonly notKnown: string | null }[]) =>
      Object.fromEntries(of.map(({ cluster, notKnown }) => [cluster, notKnown]));
    return [whyOf(then.clusters), whyOf(clusters)];
  }

  it('are not known there, and told of clusters that are seen whole', async () => {
    expect(await wholeOrNot([{ clusters: null, namespaces }])).toEqual([
      { eu: 'part-of-cluster', us: 'part-of-cluster' },
      { eu: 'part-of-cluster', us: 'part-of-cluster' },
    ]);
    const mixed = [
      { clusters: ['eu'], namespaces },
      { clusters: ['us'], namespaces: null },
    ];
    const known = { eu: 'part-of-cluster', us: null };
    expect(await wholeOrNot(mixed)).toEqual([known, known]);
  });
});

it('are not known while the record cannot be read', async () => {
  const { clusters } = await answerOf(commitArrivals, { ...moment(10), reader: () => null }, { sha: fakeSha('b') });
  expect(clusters.map(({ notKnown }) => notKnown)).toEqual(['not-read', 'not-read']);
});
