import { describe, expect, it } from 'vitest';
import { minutesAgo, moment } from '../testing/wire-fleet.ts';
import { wireObject, wireTransition } from '../testing/wire-object.ts';
import { sharesOf, spansOf } from './spans.ts';

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
