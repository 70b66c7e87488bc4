import { describe, expect, it } from 'vitest';
import { moveClocks, startClocks, type ClockInput, type Clocks } from './clocks.ts';
import { noon } from '../testing/observed.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { minute } from './length.ts';

function input(verdict: Verdict, minutes: number, passes: number | null = null): ClockInput {
  return { verdict, at: noon + minutes * minute, bound: 'exact', now: noon + minutes * minute, passes };
}

function through(...steps: readonly ClockInput[]): Clocks {
  const [first, ...others] = steps;
  if (!first) throw new Error('no step');
  return others.reduce(moveClocks, startClocks(first));
}

describe('the two clocks', () => {
  it('onset restarts with the verdict, awaySince runs on', () => {
    const clocks = through(input('converged', 0), input('diverged', 1), input('stale', 5), input('diverged', 9));
    expect(clocks.onset.time).toBe(noon + 9 * minute);
    expect(clocks.away?.time).toBe(noon + minute);
  });

  it('runs on through flapping that no two passes confirm', () => {
    const clocks = through(
      input('converged', 0, 0),
      input('unhealthy', 1, 1),
      input('converged', 2, 2),
      input('converged', 3, 3),
      input('unhealthy', 4, 3),
    );
    expect(clocks.away?.time).toBe(noon + minute);
  });

  it('ends after two confirmed passes', () => {
    const clocks = through(
      input('converged', 0, 0),
      input('unhealthy', 1, 1),
      input('converged', 2, 2),
      input('converged', 3, 4),
      input('unhealthy', 4, 4),
    );
    expect(clocks.away?.time).toBe(noon + 4 * minute);
  });

  it('a pass that fails confirms nothing', () => {
    const clocks = through(
      input('converged', 0, 0),
      input('unhealthy', 1, 1),
      input('converged', 2, 2),
      input('converged', 3, 3),
      input('unhealthy', 4, 4),
    );
    expect(clocks.away?.time).toBe(noon + minute);
  });

  it('ends after 2 min where no passes are to be seen', () => {
    expect(through(input('diverged', 0), input('converged', 1), input('converged', 2)).away?.time).toBe(noon);
    expect(through(input('diverged', 0), input('converged', 1), input('converged', 3)).away).toBeNull();
  });

  it('a missing proof before the first green does not date a later failure', () => {
    const clocks = through(input('unconfirmed', 0), input('converged', 1), input('diverged', 1.5));
    expect(clocks.away?.time).toBe(noon + 1.5 * minute);
  });

  it('what was never home for good is away since it was made, through blind spots and flapping', () => {
    const born = noon - 20 * minute;
    const first = (verdict: Verdict): Clocks => startClocks({ ...input(verdict, 0), neverGoodSince: born });
    expect(first('diverged').away).toMatchObject({ time: born, bound: 'exact', sinceMade: true });
    expect(moveClocks(first('unobserved'), input('diverged', 5)).away).toMatchObject({ time: noon, sinceMade: true });
    const flapped = [input('converged', 1, 1), input('diverged', 2, 2)].reduce(moveClocks, first('diverged'));
    expect(flapped.away).toMatchObject({ time: born, sinceMade: true });
    const left = [input('converged', 1, 1), input('converged', 3, 3), input('diverged', 4, 4)];
    expect(left.reduce(moveClocks, first('diverged')).away).toEqual(through(input('diverged', 4)).onset);
  });

  it('never lets the onset run backwards', () => {
    const start = startClocks(input('converged', 10));
    expect(moveClocks(start, { ...input('diverged', 11), at: noon }).onset.time).toBe(noon + 10 * minute);
  });

  it('what was found after a blind spot began then at the latest', () => {
    const clocks = moveClocks(startClocks(input('converged', 0)), { ...input('diverged', 60), bound: 'at-least' });
    expect(clocks).toMatchObject({
      onset: { time: noon + 60 * minute, bound: 'at-least' },
      away: { bound: 'at-least' },
    });
  });

  it('nothing lies in the future when the clock is set back', () => {
    const away = through(input('converged', 50), input('diverged', 60));
    for (const verdict of ['diverged', 'stale', 'converged'] as const) {
      const clocks = moveClocks(away, input(verdict, 10));
      expect(Math.max(clocks.onset.time, clocks.away?.time ?? 0, clocks.home?.since ?? 0, clocks.onset.noticedAt)).toBe(
        noon + 10 * minute,
      );
      expect(clocks.away).not.toBeNull();
    }
  });

  it('keeps "at least" from the first sight', () => {
    expect(startClocks({ ...input('diverged', 0), at: noon - 60 * minute, bound: 'at-least' })).toMatchObject({
      onset: { time: noon - 60 * minute, bound: 'at-least', noticedAt: noon },
      away: { bound: 'at-least' },
    });
  });
});

describe('the clocks as a whole', () => {
  const at = (minutes: number) => ({
    time: noon + minutes * minute,
    bound: 'exact',
    noticedAt: noon + minutes * minute,
  });

  it('start with what is seen first', () => {
    expect(startClocks(input('converged', 1, 7))).toEqual({
      verdict: 'converged',
      onset: at(1),
      away: null,
      trulyAway: false,
      home: { since: noon + minute, passesAt: 7 },
    });
    expect(startClocks(input('converged', 1)).home).toEqual({ since: noon + minute, passesAt: 0 });
    expect(startClocks(input('diverged', 1))).toEqual({
      verdict: 'diverged',
      onset: at(1),
      away: at(1),
      trulyAway: true,
      home: null,
    });
    expect(startClocks(input('unobserved', 1)).trulyAway).toBe(false);
  });

  it('move with each verdict', () => {
    const broken = through(input('converged', 0, 0), input('diverged', 1, 1));
    expect(broken).toEqual({ verdict: 'diverged', onset: at(1), away: at(1), trulyAway: true, home: null });
    const back = moveClocks(broken, input('converged', 2, 3));
    expect(back).toEqual({
      verdict: 'converged',
      onset: at(2),
      away: at(1),
      trulyAway: true,
      home: { since: noon + 2 * minute, passesAt: 3 },
    });
    expect(moveClocks(back, input('converged', 3, 4))).toBe(back);
    expect(moveClocks(back, input('converged', 4, 5))).toEqual({ ...back, away: null, trulyAway: false });
    expect(moveClocks(back, input('unobserved', 4, 5))).toEqual({
      verdict: 'unobserved',
      onset: at(4),
      away: at(1),
      trulyAway: true,
      home: null,
    });
    const hidden = through(input('converged', 0), input('unobserved', 1), input('converged', 2));
    expect([hidden.away, hidden.trulyAway, hidden.home]).toEqual([
      null,
      false,
      { since: noon + 2 * minute, passesAt: 0 },
    ]);
  });

  it('are cut to a clock that was set back, and else left alone', () => {
    const broken = through(input('converged', 10), input('diverged', 20), input('converged', 30));
    expect(moveClocks(broken, input('converged', 30))).toBe(broken);
    expect(moveClocks(broken, input('converged', 15))).toEqual({
      verdict: 'converged',
      onset: at(15),
      away: at(15),
      trulyAway: true,
      home: { since: noon + 15 * minute, passesAt: 0 },
    });
    expect(moveClocks(broken, input('converged', 25))).toMatchObject({ away: at(20), onset: at(25) });
  });
});
