import { unknownAlarms } from '#lib/domain/alarm/known-object.ts';
import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { second } from '#lib/domain/time/length.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import type { GitReader } from '#server/git/port/git-reader.ts';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { createFleetCache } from '../cache/fleet-cache.ts';
import { knownFleet } from '../cache/known-fleet.ts';
import { knownMoment, type KnownMoment } from '../fleet/known-moment.ts';
import { fakeGit } from '../testing/fake-git.ts';
import { answerTo } from '../turns/asked-by.ts';
import { fairGit } from '../turns/fair-git.ts';
import { sampleCluster, sampleNow, sampleObject } from '../testing/sample.ts';
import { sharedAnswers } from './shared-answers.ts';

let cache: ReturnType<typeof createFleetCache>;
let git: ReturnType<typeof fakeGit>;
let clock: ReturnType<typeof fakeClock>;
let moment: KnownMoment;
let asked: string[];
/** Answers of questions whose name says that they wait. */
let waiting: (() => void)[];

interface Answer {
  readonly of: string;
  readonly number: number;
}

const ask = sharedAnswers<KnownMoment, { readonly cluster: string }, Answer>(
  async ({ git: reader }, { cluster }) => {
    const number = asked.push(cluster);
    if (cluster.startsWith('slow')) await new Promise<void>((resolve) => void waiting.push(resolve));
    if (cluster.startsWith('finds')) await reader.find(`${number}`);
    if (cluster === 'fails') throw new Error('No.');
    return { of: cluster, number };
  },
  ({ of }) => (of === 'late' ? null : 1),
);

function momentOf(reader: GitReader): KnownMoment {
  const fleet = knownFleet(cache, defaultPolicy);
  const nothing = {
    alarms: unknownAlarms('none'),
    links: () => null,
    simulated: false,
    reader: () => null,
    trouble: () => null,
  };
  return knownMoment({ fleetCache: cache, fleet, clock, policy: defaultPolicy, git: reader, ...nothing });
}

const viewers = (cluster: string) => Promise.all(Array.from({ length: 20 }, () => ask(moment, { cluster })));

beforeEach(() => {
  [asked, waiting] = [[], []];
  clock = fakeClock(sampleNow);
  cache = createFleetCache();
  cache.apply([{ type: 'cluster', cluster: sampleCluster('eu', { validUntil: sampleNow + 60 * second }) }]);
  git = fakeGit({ url: 'https://github.com/acme/control-repo', commits: [{ digit: 'a', files: [] }] });
  moment = momentOf(git);
});

it('answers once for all who ask the same while nothing changes', async () => {
  expect(new Set(await viewers('eu')).size).toBe(1);
  await viewers('eu');
  expect(asked).toEqual(['eu']);
});

it('never answers for another scope, nor another moment', async () => {
  await viewers('eu');
  expect(await ask(moment, { cluster: 'us' })).toMatchObject({ of: 'us' });
  expect(await ask(momentOf(git), { cluster: 'eu' })).toMatchObject({ of: 'eu', number: 3 });
});

it.each<[string, () => void]>([
  ['an object', () => cache.apply([{ type: 'object', object: sampleObject({ cluster: 'eu', name: 'web' }) }])],
  ['a cluster that comes', () => cache.apply([{ type: 'cluster', cluster: sampleCluster('us') }])],
  ['a proof that runs out', () => clock.advance(61 * second)],
  ['a branch that moves', () => git.add({ digit: 'b', files: [] })],
  ['time: answers speak of it', () => clock.advance(10 * second)],
  ['a clock that was set back', () => clock.set(sampleNow - second)],
])('answers anew after %s', async (_name, change) => {
  await viewers('eu');
  change();
  await viewers('eu');
  expect(asked).toEqual(['eu', 'eu']);
});

it('does not give one who asks after a change what was asked before it', async () => {
  const before = ask(moment, { cluster: 'slow' });
  await expect.poll(() => waiting.length).toBe(1);
  cache.apply([{ type: 'cluster', cluster: sampleCluster('us') }]);
  const after = ask(moment, { cluster: 'slow' });
  await expect.poll(() => waiting.length).toBe(2);
  for (const go of waiting) go();
  expect([(await before).number, (await after).number]).toEqual([1, 2]);
});

it('keeps no failure, and nothing that is not to be kept', async () => {
  for (const cluster of ['fails', 'fails']) await expect(ask(moment, { cluster })).rejects.toThrow('No.');
  await viewers('late');
  await viewers('late');
  expect(asked).toEqual(['fails', 'fails', 'late', 'late']);
});

it('waits half a second for a git process that hangs, and then answers all who wait once', async () => {
  moment = momentOf({ ...git, repositories: () => new Promise(() => {}) });
  const all = viewers('slow');
  expect(asked).toEqual([]);
  clock.advance(500);
  await expect.poll(() => waiting.length).toBe(1);
  waiting[0]?.();
  await all;
  expect(asked).toEqual(['slow']);
});

describe('one who has thousands of questions to git waiting', () => {
  const greedy = (cluster: string) => answerTo('greedy', () => ask(moment, { cluster }));
  const other = (cluster: string) => answerTo('other', () => ask(moment, { cluster }));

  /** Every question of the greedy one stays open; what others ask is told. */
  function crowd(questions: number): void {
    const hanging = {
      ...git,
      find: (digits: string) => (digits === 'x' ? new Promise<never>(() => {}) : git.find(digits)),
    };
    moment = momentOf({ ...fairGit(hanging, () => clock.now()), repositories: git.repositories });
    answerTo('greedy', () => {
      for (let n = 0; n < questions; n += 1) void moment.git.find('x');
    });
  }

  it('keeps nobody else waiting for long: who waits for his answer makes it himself, once for all', async () => {
    crowd(100);
    void greedy('finds');
    await expect.poll(() => asked).toEqual(['finds']);
    const others = [other('finds'), answerTo('third', () => ask(moment, { cluster: 'finds' }))];
    await turn();
    expect(asked).toEqual(['finds']);
    clock.advance(2_000);
    expect(new Set((await Promise.all(others)).map(({ number }) => number))).toEqual(new Set([2]));
    expect(await other('finds')).toMatchObject({ number: 2 });
  });

  it('is told that it is too much, and nobody else', async () => {
    crowd(2_006);
    await greedy('finds');
    expect(await other('finds')).toMatchObject({ number: 2 });
    expect(await greedy('finds')).toMatchObject({ number: 2 });
    expect(asked).toHaveLength(2);
  });
});
