import { beforeEach, expect, it } from 'vitest';
import { second } from '#lib/domain/time/length.ts';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { besideOthers, createPatience, type Patience } from './patience.ts';

let clock: ReturnType<typeof fakeClock>;
let patience: Patience;

beforeEach(() => {
  clock = fakeClock();
  patience = createPatience(clock, besideOthers);
});

/** Time (ms) after which a page has gone on without an answer that never comes. */
async function waited(): Promise<number> {
  const since = clock.now();
  let isOver = false;
  const over = patience.inTime(new Promise<never>(() => {})).then((answer) => {
    expect(answer).toBeNull();
    isOver = true;
  });
  for (let step = 0; step < 1_000 && clock.pending() > 0; step += 1) clock.advance(1);
  await over;
  expect(isOver).toBe(true);
  return clock.now() - since;
}

it('gives what comes in time, a failure too', async () => {
  expect(await patience.inTime(Promise.resolve('a name'))).toBe('a name');
  expect(await patience.inTime(Promise.resolve(null))).toBeNull();
  await expect(patience.inTime(Promise.reject(new Error('No.')))).rejects.toThrow('No.');
  expect(await waited()).toBeGreaterThan(10);
});

it('waits for a git that hangs once, and then for some seconds no more', async () => {
  const first = await waited();
  expect(await waited()).toBeLessThan(first / 10);
  clock.advance(5 * second);
  expect(await waited()).toBeLessThan(first / 10);
  // What is known already still comes.
  expect(await patience.inTime(Promise.resolve('a name'))).toBe('a name');
});

it('tries again after a while, however many pages were asked for meanwhile', async () => {
  const first = await waited();
  for (let page = 0; page < 18; page += 1) {
    clock.advance(500);
    await waited();
  }
  clock.advance(second);
  expect(await waited()).toBe(first);
});

it('is not slow for ever where the clock was set back', async () => {
  const first = await waited();
  clock.set(clock.now() - 60 * second);
  expect(await waited()).toBe(first);
});
