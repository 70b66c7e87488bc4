import { expect, it } from 'vitest';
import { boundedMap, boundedMemo } from './bounded-map.ts';

it('forgets what was not asked for while a generation filled, and keeps what was', () => {
  const map = boundedMap<number, number>(10);
  for (let key = 0; key < 40; key++) {
    map.set(key, key);
    expect(map.get(0)).toBe(0);
  }
  expect(map.get(39)).toBe(39);
  expect(map.get(5)).toBeUndefined();
});

it('forgets by weight, too, and keeps the one that came last however heavy it is', () => {
  const map = boundedMap<string, number>(100, { of: (key) => key.length, most: 10 });
  for (const [value, key] of ['aaaa', 'bbbb', 'cccc', 'dddd', 'eeee'].entries()) map.set(key, value);
  expect(['aaaa', 'bbbb', 'cccc', 'dddd', 'eeee'].map(map.get)).toEqual([undefined, undefined, 2, 3, 4]);
  map.set('f'.repeat(20), 5);
  expect([map.get('f'.repeat(20)), map.get('cccc'), map.get('bbbb')]).toEqual([5, undefined, undefined]);
});

it('deletes from both generations', () => {
  const map = boundedMap<number, number>(2);
  for (const key of [1, 2, 3]) map.set(key, key);
  map.delete(1);
  map.delete(3);
  expect([map.get(1), map.get(2), map.get(3)]).toEqual([undefined, 2, undefined]);
});

it('makes of a key once what it is asked for, for as long as it is asked', () => {
  const made: number[] = [];
  const squareOf = boundedMemo(2, (key: number) => {
    made.push(key);
    return String(key * key);
  });
  expect([3, 4, 3, 4].map(squareOf)).toEqual(['9', '16', '9', '16']);
  for (const key of [5, 6, 7, 8]) squareOf(key);
  expect(squareOf(3)).toBe('9');
  expect(made).toEqual([3, 4, 5, 6, 7, 8, 3]);
});
