import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeClock, type FakeClock } from '#server/runtime/fake-clock.ts';
import { createSemaphore, type Permit } from './semaphore.ts';
import { settled } from './testing/until.ts';

describe('createSemaphore', () => {
  let clock: FakeClock;
  let inside: number[];
  let turns: Map<number, Permit>;

  beforeEach(async () => {
    clock = fakeClock();
    inside = [];
    turns = new Map();
    const gate = createSemaphore(clock, 2, 1_000, 5_000);
    for (const n of [1, 2, 3, 4]) {
      void gate.enter().then((turn) => {
        inside.push(n);
        turns.set(n, turn);
      });
    }
    await settled(2);
  });

  async function pass(time: number): Promise<readonly number[]> {
    clock.advance(time);
    await settled(2);
    return inside;
  }

  it('lets as many in as there are places, in order, and the next when one is done', async () => {
    expect(inside).toEqual([1, 2]);
    turns.get(1)?.end();
    turns.get(1)?.end();
    expect(await pass(0)).toEqual([1, 2, 3]);
  });

  it('takes the turn of one that is silent, and leaves it to one that goes on', async () => {
    await pass(600);
    turns.get(2)?.busy();
    expect(await pass(600)).toEqual([1, 2, 3]);
    expect(await pass(400)).toEqual([1, 2, 3, 4]);
  });

  it('ends a turn that takes too long, however busy it is', async () => {
    for (let at = 0; at < 4_500; at += 500) {
      turns.get(1)?.busy();
      turns.get(2)?.busy();
      expect(await pass(500)).toEqual([1, 2]);
    }
    turns.get(1)?.busy();
    expect(await pass(500)).toEqual([1, 2, 3, 4]);
  });

  it.each([
    ['2 s of silence', 2_000, false],
    ['30 s in all', 30_000, true],
  ])('where nothing else is said, a turn ends after %s', async (_name, after, busy) => {
    const gate = createSemaphore(clock, 1);
    const turn = await gate.enter();
    const next = vi.fn<() => void>();
    void gate.enter().then(next);
    for (let at = 0; at + 1_000 < after; at += 1_000) {
      clock.advance(1_000);
      if (busy) turn.busy();
    }
    clock.advance(999);
    await settled(2);
    expect(next).not.toHaveBeenCalled();
    clock.advance(1);
    await settled(2);
    expect(next).toHaveBeenCalledOnce();
  });
});
