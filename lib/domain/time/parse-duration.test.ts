import { expect, it } from 'vitest';
import { parseDuration } from './parse-duration.ts';

it.each([
  ['15m', 900_000],
  ['90s', 90_000],
  ['1h30m', 5_400_000],
  ['2d', 172_800_000],
  ['250ms', 250],
  ['1.5h', 5_400_000],
  ['15', null],
  ['', null],
  ['m', null],
  ['15 m', null],
  ['-5m', null],
  ['5m!', null],
])('reads %j', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});
