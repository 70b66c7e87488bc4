import { describe, expect, it } from 'vitest';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { createDialGate } from './dial-gate.ts';
import { settled } from './testing/until.ts';

describe('createDialGate', () => {
  it('lets as many in as there are places, in order, and the next when one leaves or has had its time', async () => {
    const clock = fakeClock();
    const gate = createDialGate(clock, 2, 1_000);
    const inside: number[] = [];
    const leave = new Map<number, () => void>();
    for (const n of [1, 2, 3, 4, 5]) {
      void gate.enter().then((done) => {
        inside.push(n);
        leave.set(n, done);
      });
    }
    await settled(2);
    expect(inside).toEqual([1, 2]);
    leave.get(1)?.();
    leave.get(1)?.();
    await settled(2);
    expect(inside).toEqual([1, 2, 3]);
    clock.advance(1_000);
    await settled(2);
    expect(inside).toEqual([1, 2, 3, 4, 5]);
  });
});
