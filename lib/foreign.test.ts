import { describe, expect, it } from 'vitest';
import { at, timeAt } from './foreign.ts';

describe('a path', () => {
  const value = { a: { b: [{ c: 1 }], d: null } };
  it.each<[readonly string[], unknown]>([
    [[], value],
    [['a', 'd'], null],
    [['a', 'd', 'e'], undefined],
    [['a', 'b', '0'], undefined],
    [['x', 'y'], undefined],
  ])('%j leads to %j', (path, found) => {
    expect(at(value, ...path)).toEqual(found);
  });
});

describe('a time', () => {
  it.each([
    '2026-11-21T02:13:40Z',
    '2026-11-21T02:13:40.020Z',
    '2026-11-21T02:13:40+01:00',
    '2024-02-29T23:59:59Z',
    '2026-12-31T00:00:00Z',
    '1970-01-01T00:00:00Z',
    '1969-12-31T23:59:59Z',
    '0099-01-01T00:00:00Z',
  ])('%s is what Date.parse makes of it', (time) => {
    expect(timeAt({ time }, 'time')).toBe(Date.parse(time));
  });

  it.each([
    '2026-13-01T00:00:00Z',
    '2026-11-21T24:60:00Z',
    '2026-11-2xT02:13:40Z',
    'soon',
    '',
    '2026/11/21T02:13:40Z.',
  ])('%j is none', (time) => {
    expect([Number.isNaN(Date.parse(time)), timeAt({ time }, 'time')]).toEqual([true, null]);
  });
});
