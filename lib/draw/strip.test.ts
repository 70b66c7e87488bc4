import { describe, expect, it } from 'vitest';
import { verdicts } from '../domain/verdict.ts';
import { stripBars, stripLook, stripTicks } from './strip.ts';

const hour = 3_600_000;
const noon = Date.UTC(2026, 10, 21, 12);

describe('bars', () => {
  it('are at true scale', () => {
    const spans = [
      { from: noon, to: noon + 3 * hour, state: 'converged' as const },
      { from: noon + 3 * hour, to: noon + 4 * hour, state: 'diverged' as const },
    ];
    expect(stripBars(spans, noon, noon + 4 * hour)).toEqual([
      { state: 'converged', look: 'line', start: 0, length: 0.75 },
      { state: 'diverged', look: 'block', start: 0.75, length: 0.25 },
    ]);
  });

  it('are cut at the edges and left out beyond them', () => {
    const spans = [
      { from: noon - 5 * hour, to: noon - hour, state: 'stale' as const },
      { from: noon - hour, to: noon + hour, state: 'diverged' as const },
      { from: noon + 9 * hour, to: noon + 10 * hour, state: 'stale' as const },
    ];
    expect(stripBars(spans, noon, noon + 2 * hour)).toEqual([
      { state: 'diverged', look: 'block', start: 0, length: 0.5 },
    ]);
  });

  it('an event of no length is still an event', () => {
    const spans = [{ from: noon + hour, to: noon + hour, state: 'diverged' as const }];
    expect(stripBars(spans, noon, noon + 2 * hour)).toHaveLength(1);
  });

  it('events are painted over what was in order', () => {
    const spans = [
      { from: noon, to: noon + 1, state: 'diverged' as const },
      { from: noon + 1, to: noon + hour, state: 'converged' as const },
    ];
    expect(stripBars(spans, noon, noon + hour).map(({ look }) => look)).toEqual(['line', 'block']);
  });
});

it.each(verdicts.filter((verdict) => verdict !== 'converged'))('%s is not drawn as converged', (verdict) => {
  expect(stripLook(verdict)).not.toBe('line');
});

it.each(['not-recorded', 'absent'] as const)('%s is drawn as nothing, never as good', (state) => {
  expect(stripLook(state)).toBe('nothing');
});

it('ticks stand at full hours in UTC', () => {
  const from = noon - 6 * hour + 20 * 60_000;
  const ticks = stripTicks(from, from + 6 * hour, hour);
  expect(ticks.map(({ time }) => new Date(time).getUTCMinutes())).toEqual([0, 0, 0, 0, 0, 0]);
  expect(ticks[0]?.at).toBeCloseTo(40 / 360);
});
