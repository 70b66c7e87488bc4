import { describe, expect, it } from 'vitest';
import { minutesAgo, moment } from '../testing/wire-fleet.ts';
import { wireObject, wireTransition } from '../testing/wire-object.ts';
import { sharesOf, spansOf, withGaps } from './spans.ts';

const min = 60_000;
const at = (minutes: number) => moment - minutes * min;
const onset = (minutes: number) => ({
  time: minutesAgo(minutes),
  bound: 'exact' as const,
  noticedAt: minutesAgo(minutes),
});

describe('spans', () => {
  it('run from change to change up to now; before the first nothing is recorded', () => {
    const transitions = [wireTransition(10, 'diverged'), wireTransition(30, 'converged')];
    const object = wireObject({ verdict: 'diverged', onset: onset(10) });
    expect(spansOf(transitions, object, moment)).toEqual([
      { from: Number.NEGATIVE_INFINITY, to: at(30), state: 'not-recorded' },
      { from: at(30), to: at(10), state: 'converged' },
      { from: at(10), to: moment, state: 'diverged' },
    ]);
  });

  it('what has lost its proof is not drawn as what was last recorded', () => {
    const transitions = [wireTransition(60, 'converged')];
    const object = wireObject({ verdict: 'unobserved', onset: onset(20) });
    expect(spansOf(transitions, object, moment).at(-1)).toEqual({ from: at(20), to: moment, state: 'unobserved' });
  });

  it('an object that was gone for a while was absent, not converged', () => {
    const transitions = [wireTransition(60, 'converged'), wireTransition(40, null), wireTransition(20, 'converged')];
    const states = spansOf(transitions, wireObject(), moment).map(({ state }) => state);
    expect(states).toEqual(['not-recorded', 'converged', 'absent', 'converged']);
  });

  it('without any record only the present verdict is known, from its onset', () => {
    expect(spansOf([], wireObject({ onset: onset(5) }), moment)).toEqual([
      { from: Number.NEGATIVE_INFINITY, to: at(5), state: 'not-recorded' },
      { from: at(5), to: moment, state: 'converged' },
    ]);
  });
});

describe('gaps', () => {
  const object = wireObject({ verdict: 'diverged', onset: onset(30) });
  const record = spansOf([wireTransition(60, 'converged'), wireTransition(30, 'diverged')], object, moment);
  const gap = (from: number, to: number | null) => ({
    from: minutesAgo(from),
    to: to === null ? null : minutesAgo(to),
  });
  const looks = (gaps: ReturnType<typeof gap>[]) =>
    withGaps(record, gaps, moment).map(({ state, from, to }) => [
      state,
      (moment - Math.max(from, at(99))) / min,
      (moment - to) / min,
    ]);

  it('cut what was recorded, across a change too', () => {
    expect(looks([gap(40, 20)])).toEqual([
      ['not-recorded', 99, 60],
      ['converged', 60, 40],
      ['unobserved', 40, 20],
      ['diverged', 20, 0],
    ]);
  });

  it('that last reach up to now; before the record nothing is cut', () => {
    expect(looks([gap(90, 50), gap(10, null)])).toEqual([
      ['not-recorded', 99, 60],
      ['unobserved', 60, 50],
      ['converged', 50, 30],
      ['diverged', 30, 10],
      ['unobserved', 10, 0],
    ]);
  });
});

describe('shares', () => {
  it('leave out what was not seen, and say how much was recorded', () => {
    const spans = [
      { from: Number.NEGATIVE_INFINITY, to: at(50), state: 'not-recorded' as const },
      { from: at(50), to: at(30), state: 'converged' as const },
      { from: at(30), to: at(20), state: 'unobserved' as const },
      { from: at(20), to: moment, state: 'diverged' as const },
    ];
    expect(sharesOf(spans, at(100), moment)).toEqual({ recorded: 0.5, seen: 0.4, converged: 0.5 });
  });

  it('nothing seen is no share of anything', () => {
    expect(sharesOf([{ from: at(9), to: moment, state: 'unobserved' }], at(9), moment).converged).toBeNull();
  });
});
