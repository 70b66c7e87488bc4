import { expect, it } from 'vitest';
import { stripStyle, stripTicks } from './strip.ts';
import { hour, minute } from '../../domain/time/length.ts';

const noon = Date.UTC(2026, 10, 21, 12);

it.each([
  ['converged', 'line'],
  ['unconfirmed', 'broken-line'],
  ['diverged', 'block'],
  ['drifted', 'block'],
  ['unhealthy', 'block'],
  ['stale', 'block'],
  ['suspended', 'block'],
  ['behind', 'block'],
  ['waiting', 'block'],
  ['progressing', 'block'],
  ['unobserved', 'hatch'],
  ['absent', 'nothing'],
  ['not-recorded', 'nothing'],
] as const)('%s is drawn as a %s: what is not known never like what is good', (state, style) => {
  expect(stripStyle(state)).toBe(style);
});

it('ticks stand at full hours in UTC', () => {
  const from = noon - 6 * hour + 20 * minute;
  const ticks = stripTicks(from, from + 6 * hour, hour);
  expect(ticks.map(({ time }) => new Date(time).getUTCMinutes())).toEqual([0, 0, 0, 0, 0, 0]);
  expect(ticks[0]?.at).toBeCloseTo(40 / 360);
});

it('a tick stands at the beginning, none at the end', () => {
  expect(stripTicks(0, 4, 2)).toEqual([
    { time: 0, at: 0 },
    { time: 2, at: 0.5 },
  ]);
});
