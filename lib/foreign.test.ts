import { describe, expect, it } from 'vitest';
import {
  at,
  booleanAt,
  firstAt,
  isForeignObject,
  listAt,
  numberAt,
  objectAt,
  parseForeign,
  textAt,
  textsAt,
  timeAt,
} from './foreign.ts';

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

it.each([
  ['a', { text: 'a' }],
  ['', { text: '' }],
  [0, { number: 0 }],
  [-1.5, { number: -1.5 }],
  [Infinity, {}],
  [NaN, {}],
  [true, { boolean: true }],
  [false, { boolean: false }],
  [null, {}],
  [undefined, {}],
  [[], { list: [] }],
  [['a', 1, null, 'b'], { list: ['a', 1, null, 'b'], texts: ['a', 'b'] }],
  [{ a: 1 }, { object: { a: 1 } }],
])('%j is read as %j', (found, read) => {
  const value = { there: { found } };
  expect({
    text: textAt(value, 'there', 'found'),
    number: numberAt(value, 'there', 'found'),
    boolean: booleanAt(value, 'there', 'found'),
    list: listAt(value, 'there', 'found'),
    texts: textsAt(value, 'there', 'found'),
    object: objectAt(value, 'there', 'found'),
  }).toEqual({ text: null, number: null, boolean: null, list: [], texts: [], object: {}, ...read });
});

it.each([
  ['{"a":1}', { a: 1 }],
  ['[1]', null],
  ['null', null],
  ['"a"', null],
  ['{', null],
])('%s as an object of somebody else is %j', (text, value) => {
  expect(parseForeign(text)).toEqual(value);
  expect([isForeignObject([]), isForeignObject(null), isForeignObject({})]).toEqual([false, false, true]);
});

describe('a time', () => {
  it.each([
    '2026-11-21T02:13:40Z',
    '2026-11-21T02:13:40.020Z',
    '2026-11-21T02:13:40+01:00',
    '2024-02-29T23:59:59Z',
    '2026-12-31T00:00:00Z',
    '1970-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
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

  it.each([
    '+275760-09-13T00:00:00.000Z',
    '+010000-01-01T00:00:00Z',
    '1969-12-31T23:59:59Z',
    '0001-01-01T00:00:00Z',
    '-271821-04-20T00:00:00Z',
  ])('%s is none that a loop could tell of', (time) => {
    expect([Number.isNaN(Date.parse(time)), timeAt({ time }, 'time')]).toEqual([false, null]);
  });
});

it('the first entries of a list are taken, and no more than they are', () => {
  const value = { there: { list: [1, 2, 3] } };
  expect([2, 3, 4].map((most) => firstAt(most, value, 'there', 'list'))).toEqual([
    [1, 2],
    [1, 2, 3],
    [1, 2, 3],
  ]);
  expect(firstAt(2, value, 'there', 'none')).toEqual([]);
});
