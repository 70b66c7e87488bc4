import { expect, it } from 'vitest';
import { loudestOf } from './left-out.ts';

it.each<[string, Record<string, number>, readonly string[]]>([
  ['nobody', {}, []],
  ['few calls of all', { a: 50, b: 50 }, []],
  ['one that is too loud by itself', { a: 101, b: 1 }, ['a']],
  ['the louder of two that are too loud together', { a: 40, b: 61 }, ['b']],
  ['one of two that are alike, the last by name', { b: 51, a: 51 }, ['b']],
  ['none of those that have their share of a hundred', { a: 25, b: 25, c: 25, loud: 1_000_000 }, ['loud']],
  ['all that do not fit, the loudest', { a: 30, b: 60, c: 70, d: 5 }, ['c']],
  ['the louder ones, though the last would fit alone', { a: 60, b: 60, c: 60 }, ['b', 'c']],
])('of at most a hundred calls are left out: %s', (_what, calls, expected) => {
  const sources = Object.entries(calls).map(([source, count]) => ({ source, calls: count }));
  expect(loudestOf(sources, 100).map(({ source }) => source)).toEqual(expected);
});
