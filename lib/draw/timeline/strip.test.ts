import { expect, it } from 'vitest';
import { verdicts } from '../../domain/verdict/verdict.ts';
import { stripLook, stripTicks } from './strip.ts';
import { hour, minute } from '../../domain/time/length.ts';

const noon = Date.UTC(2026, 10, 21, 12);

it.each(verdicts.filter((verdict) => verdict !== 'converged'))('%s is not drawn as converged', (verdict) => {
  expect(stripLook(verdict)).not.toBe('line');
});

it.each(['not-recorded', 'absent'] as const)('%s is drawn as nothing, never as good', (state) => {
  expect(stripLook(state)).toBe('nothing');
});

it('ticks stand at full hours in UTC', () => {
  const from = noon - 6 * hour + 20 * minute;
  const ticks = stripTicks(from, from + 6 * hour, hour);
  expect(ticks.map(({ time }) => new Date(time).getUTCMinutes())).toEqual([0, 0, 0, 0, 0, 0]);
  expect(ticks[0]?.at).toBeCloseTo(40 / 360);
});
