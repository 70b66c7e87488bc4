import { expect, it } from 'vitest';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { clusterSource, sourceKey, type FactSource } from '#server/store/port/port.ts';
import { settled } from '../clusters/testing/until.ts';
import { leaseKeeper } from './lease-keeper.ts';
import type { Answer, Question } from './messages.ts';

const a = clusterSource('a');
const b = clusterSource('b');

/** A keeper over a thread that gives every source its epoch, 1 where none is set; 0: another holder has it. */
function keeper() {
  const asked: Question[] = [];
  const lost: FactSource[] = [];
  const answers: unknown[] = [];
  const warnings: [object, string][] = [];
  const epochs = new Map<string, number>();
  let instead: Answer | null = null;
  const clock = fakeClock(1_000);
  const leases = leaseKeeper({
    thread: {
      async ask(question): Promise<Answer> {
        asked.push(question);
        if (question.type !== 'acquire') return { type: 'released' };
        if (instead !== null) return instead;
        const given = question.sources.map((source) => {
          const epoch = epochs.get(source.name) ?? 1;
          return epoch === 0 ? null : { source, holder: question.holder, epoch };
        });
        return { type: 'acquired', leases: given };
      },
      end: async () => undefined,
    },
    clock,
    log: { ...silentLog, warn: (data, message) => void warnings.push([data, message]) },
    holder: 'one',
    ttl: 300,
    onLost: (source) => void lost.push(source),
    onAnswer: (refusal) => void answers.push(refusal),
  });
  return {
    leases,
    asked,
    lost,
    answers,
    warnings,
    epochs,
    clock,
    answersInstead: (answer: Answer | null) => void (instead = answer),
    async pass(ms: number): Promise<void> {
      clock.advance(ms);
      await settled(3);
    },
  };
}

const asks = (now: number, ...sources: FactSource[]): Question => ({
  type: 'acquire',
  sources,
  holder: 'one',
  now,
  ttl: 300,
});

it('takes a lease and renews all that it holds at a third of their time', async () => {
  const { leases, asked, pass, answers } = keeper();
  expect(leases.held(a)).toBeNull();
  expect(await leases.acquire(a)).toEqual({ source: a, holder: 'one', epoch: 1 });
  expect(leases.held(a)).toEqual({ source: a, holder: 'one', epoch: 1 });
  await pass(40);
  await leases.acquire(b);
  expect(asked).toEqual([asks(1_000, a), asks(1_040, b)]);
  await pass(59);
  expect(asked).toHaveLength(2);
  await pass(1);
  await pass(100);
  expect(asked.slice(2)).toEqual([asks(1_100, a, b), asks(1_200, a, b)]);
  expect(answers).toEqual([null, null, null, null]);
});

it('neither holds nor renews a lease that another has', async () => {
  const { leases, asked, epochs, clock, answers } = keeper();
  epochs.set('a', 0);
  expect([await leases.acquire(a), leases.held(a), clock.pending()]).toEqual([null, null, 0]);
  expect([asked.length, answers]).toEqual([1, [null]]);
});

it.each([
  ['for the disk', { type: 'full', message: 'disk full' } as const, [{ type: 'full', message: 'disk full' }]],
  ['for another reason', undefined, []],
])('says that leases could not be taken %s', async (_name, refusal, expected) => {
  const { leases, answersInstead, answers, warnings } = keeper();
  answersInstead({ type: 'failed', message: 'disk full', ...(refusal ? { refusal } : {}) });
  expect(await leases.acquire(a)).toBeNull();
  expect(answers).toEqual(expected);
  expect(warnings).toEqual([[{ message: 'disk full', leases: 1 }, 'leases could not be taken']]);
});

it('takes no other answer for one', async () => {
  const { leases, answersInstead, answers, warnings } = keeper();
  answersInstead({ type: 'closed' });
  expect([await leases.acquire(a), answers, warnings]).toEqual([null, [], []]);
});

it.each<[string, number, FactSource[]]>([
  ['the same epoch', 1, []],
  ['a later epoch', 2, [a]],
  ['no lease', 0, [a]],
])('loses at a renewal what is answered with %s', async (_name, epoch, expected) => {
  const { leases, epochs, lost, pass, warnings } = keeper();
  await leases.acquire(a);
  await leases.acquire(b);
  epochs.set('a', epoch);
  await pass(100);
  expect(lost).toEqual(expected);
  expect(warnings).toEqual(expected.map(() => [{ cluster: 'a' }, 'another collector has taken over']));
});

it('loses nothing by a renewal that fails, and renews again', async () => {
  const { leases, lost, pass, asked, answersInstead } = keeper();
  await leases.acquire(a);
  answersInstead({ type: 'failed', message: 'locked' });
  await pass(100);
  answersInstead(null);
  await pass(100);
  expect([lost, asked.length]).toEqual([[], 3]);
});

it('says once that leases cannot be taken, however many clusters ask how often, until they can', async () => {
  const { leases, warnings, answersInstead } = keeper();
  answersInstead({ type: 'failed', message: 'full' });
  for (let round = 0; round < 3; round += 1) await Promise.all([leases.acquire(a), leases.acquire(b)]);
  expect(warnings).toHaveLength(1);
  answersInstead(null);
  await leases.acquire(a);
  answersInstead({ type: 'failed', message: 'full' });
  await leases.acquire(b);
  expect(warnings).toHaveLength(2);
});

it('takes the answer of a renewal for nothing where the lease was dropped or taken anew meanwhile', async () => {
  const { leases, epochs, lost, clock } = keeper();
  await leases.acquire(a);
  await leases.acquire(b);
  epochs.set('a', 2).set('b', 2);
  clock.advance(100);
  leases.drop(a);
  expect(leases.held(a)).toBeNull();
  await settled(3);
  expect(lost.map(sourceKey)).toEqual([sourceKey(b)]);
});

it('renews what it takes after everything was dropped', async () => {
  const { leases, pass, asked } = keeper();
  await leases.acquire(a);
  leases.drop(a);
  await pass(100);
  expect(asked).toHaveLength(1);
  await leases.acquire(b);
  await pass(100);
  expect(asked.slice(1)).toEqual([asks(1_100, b), asks(1_200, b)]);
});

it('gives up one lease or all, each once, and asks for nothing where it has none', async () => {
  const { leases, asked } = keeper();
  const lease = await leases.acquire(a);
  const other = await leases.acquire(b);
  await leases.release(a);
  await leases.release(a);
  await leases.releaseAll();
  await leases.releaseAll();
  expect(asked.slice(2)).toEqual([
    { type: 'release', leases: [lease] },
    { type: 'release', leases: [other] },
  ]);
  expect(leases.held(b)).toBeNull();
});

it('renews no longer once it pauses', async () => {
  const { leases, pass, asked, clock } = keeper();
  await leases.acquire(a);
  leases.pause();
  expect(clock.pending()).toBe(0);
  await leases.acquire(b);
  await pass(1_000);
  expect(asked).toHaveLength(2);
});

it('renews no longer either where it pauses while it renews', async () => {
  const { leases, pass, asked, clock } = keeper();
  await leases.acquire(a);
  clock.advance(100);
  leases.pause();
  await pass(0);
  expect([asked.length, clock.pending()]).toEqual([2, 0]);
});
