import { beforeEach, expect, it } from 'vitest';
import { WireCommitArrivals } from '#lib/api/git/commit-arrivals.ts';
import type { Arrival } from '#lib/domain/chain/arrival.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { hour, minute } from '#lib/domain/time/length.ts';
import { readRecord } from '#server/store/record/record.ts';
import { createFleetCache } from '../cache/fleet-cache.ts';
import { commitArrivals } from '../endpoints/commits/commit-arrivals.ts';
import { isRefused } from '../http/problem.ts';
import { fakeGit, fakeSha } from '../testing/fake-git.ts';
import { memoryStore } from '../testing/memory-reader.ts';
import { answerOf, sampleMoment } from '../testing/moment.ts';
import { sampleCluster, sampleNow, sampleObject } from '../testing/sample.ts';

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
