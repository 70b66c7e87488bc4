import { describe, expect, it } from 'vitest';
import { noon } from '#lib/domain/testing/observed.ts';
import { createReadinessGate } from './readiness-gate.ts';

const second = 1_000;

/** A gate's answers at moments (ms since noon), told whether the cluster is live, in step, and proven by its controllers. */
function gate() {
  const now: { liveSince: number | null; inStep: boolean; proven: boolean } = {
    liveSince: noon,
    inStep: false,
    proven: false,
  };
  const made = createReadinessGate(
    { liveSince: () => now.liveSince, inStep: () => now.inStep },
    { proven: (since) => now.proven && since === now.liveSince },
  );
  const at = (moment: number, part: Partial<typeof now> = {}) => {
    Object.assign(now, part);
    const told = [made.update(noon + moment), made.isOpen()];
    const next = made.next(noon + moment);
    return [...told, next === null ? null : next - noon];
  };
  return { made, at };
}

const shut = (next: number | null) => [false, false, next];
const open = [true, true, null];

describe('what lies behind a gate is judged', () => {
  it('from 20 s on, whatever is still missing', () => {
    const { made, at } = gate();
    expect([made.isOpen(), made.next(noon)]).toEqual([false, noon + second]);
    expect(at(999)).toEqual(shut(second));
    expect(at(second)).toEqual(shut(20 * second));
    expect(at(20 * second - 1)).toEqual(shut(20 * second));
    expect(at(20 * second)).toEqual(open);
    expect(at(21 * second, { inStep: false })).toEqual(open);
  });

  it('as soon as every list has come and its controllers are proven', () => {
    const { at } = gate();
    expect(at(0, { proven: true })).toEqual(shut(second));
    expect(at(1, { inStep: true })).toEqual(open);
  });

  it('8 s after every list has come, where nothing proves its controllers', () => {
    const { at } = gate();
    expect(at(5 * second, { inStep: true })).toEqual(shut(13 * second));
    expect(at(13 * second - 1, { inStep: false })).toEqual(shut(13 * second));
    expect(at(13 * second)).toEqual(open);
  });

  it('no later than 20 s after it was seen, though its lists came late', () => {
    const { at } = gate();
    expect(at(15 * second, { inStep: true })).toEqual(shut(20 * second));
    expect(at(20 * second)).toEqual(open);
  });

  it('not while it is lost; then its watches are given a second to bring what was missed', () => {
    const { at } = gate();
    expect(at(0, { inStep: true, proven: true })).toEqual(open);
    expect(at(second, { liveSince: null })).toEqual(shut(null));
    expect(at(5 * second, { liveSince: noon + 5 * second })).toEqual(shut(6 * second));
    expect(at(6 * second - 1)).toEqual(shut(6 * second));
    expect(at(6 * second)).toEqual(open);
  });

  it('lost before it was judged, it begins again', () => {
    const { at } = gate();
    expect(at(second, { inStep: true })).toEqual(shut(9 * second));
    expect(at(2 * second, { liveSince: null })).toEqual(shut(null));
    expect(at(9 * second, { liveSince: noon + 9 * second, inStep: false })).toEqual(shut(10 * second));
  });
});
