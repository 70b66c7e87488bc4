import { describe, expect, it } from 'vitest';
import { randomOf } from '#test/contract/random-history.ts';
import { durationList } from './duration-list.ts';
import { packWide, unpackWide } from './pack/wide-numbers.ts';

const random = randomOf(3);

const lists: readonly (readonly [string, readonly number[]])[] = [
  ['nothing', []],
  ['one', [5]],
  ['equal ones and none at all', [0, 7, 0, 7]],
  ['the widest that are counted', [2 ** 32 - 1, 2 ** 22, 2 ** 11, 2 ** 11 - 1, 1, 2 ** 31]],
  ['one that is wider', [2 ** 40, 3, 2 ** 32, 2]],
  ['days', [2 ** 26, 2 ** 26 - 1, 2 ** 13, 2 ** 13 - 1, 2 ** 25]],
  ['many', Array.from({ length: 5_000 }, () => Math.floor(random() * 2 ** Math.floor(random() * 33)))],
];

describe('a list of durations', () => {
  it.each(lists)('gives %s in ascending order', (_what, times) => {
    const list = durationList();
    const third = Math.floor(times.length / 3);
    list.addAll(Float64Array.from(times.slice(0, third)));
    list.addAll(unpackWide(packWide(times.slice(third, third * 2))));
    for (const time of times.slice(third * 2)) list.add(time);
    expect([...list.ascending()]).toEqual(times.toSorted((a, b) => a - b));
  });

  it.each(lists)('goes on from %s that it was given in order', (_what, times) => {
    const first = durationList();
    first.addAll(Float64Array.from(times));
    const list = durationList(first.narrow());
    const more = [3, 2 ** 33, 0, 2 ** 31];
    for (const time of more) list.add(time);
    expect([...list.narrow()]).toEqual([...list.ascending()]);
    const ascending = [...times, ...more].toSorted((a, b) => a - b);
    expect([...list.ascending()]).toEqual(ascending);
    expect([...list.gathered()].toSorted((a, b) => a - b)).toEqual(ascending);
  });

  it.each(lists)('gives back %s as they were gathered, in their own memory', (_what, times) => {
    const list = durationList();
    list.addAll(Float64Array.from(times));
    const gathered = list.gathered();
    list.add(9);
    expect([...gathered].toSorted((a, b) => a - b)).toEqual(times.toSorted((a, b) => a - b));
    expect(gathered.byteLength).toBe(times.length * (times.some((time) => time >= 2 ** 32) ? 8 : 4));
  });
});
