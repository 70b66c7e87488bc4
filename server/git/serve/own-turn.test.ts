import { expect, it } from 'vitest';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { type Attempt, ownTurn } from './own-turn.ts';

/** Attempts by what each finds, and when they were made (s after the first). */
function tries(found: readonly Attempt<string>[]) {
  const clock = fakeClock(0);
  const at: number[] = [];
  const said: string[] = [];
  const ending = new AbortController();
  const log = { ...silentLog, warn: (_: object, words: string) => void said.push(words) };
  const turn = ownTurn(
    () => {
      at.push(clock.now() / 1_000);
      return Promise.resolve(found[at.length - 1] ?? { type: 'taken' });
    },
    { clock, log, ending: ending.signal },
  );
  return { clock, at, said, ending, turn };
}

async function pass(clock: ReturnType<typeof fakeClock>, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    await new Promise((resolve) => void setImmediate(resolve));
    clock.advance(1_000);
  }
  await new Promise((resolve) => void setImmediate(resolve));
}

const refused = { type: 'refused', reason: 'the disk may only be read' } as const;

it('what the machine refuses is tried again with growing pauses, and said once', async () => {
  const { clock, at, said, turn } = tries([refused, refused, refused, refused, { type: 'begun', begun: 'it' }]);
  await pass(clock, 80);
  expect(await turn).toBe('it');
  expect(at).toEqual([0, 5, 15, 35, 75]);
  expect(said).toEqual(['no repository is mirrored: the disk may only be read; this is tried again']);
});

it('pauses no longer than 5 min', async () => {
  const { clock, at, ending, turn } = tries(Array.from({ length: 20 }, () => refused));
  await pass(clock, 2_000);
  ending.abort();
  expect(await turn).toBeNull();
  expect(at.slice(-2)).toEqual([1515, 1815]);
});

it('waits for another process every 5 s, and no longer than it is wanted', async () => {
  const { clock, at, said, ending, turn } = tries([{ type: 'taken' }, { type: 'taken' }]);
  await pass(clock, 12);
  ending.abort();
  expect(await turn).toBeNull();
  expect([at, said.length]).toEqual([[0, 5, 10], 1]);
});
