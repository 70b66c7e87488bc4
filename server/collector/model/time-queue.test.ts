import { expect, it } from 'vitest';
import { createTimeQueue } from './time-queue.ts';

it('gives what is due, earliest first, once each', () => {
  const queue = createTimeQueue();
  for (const [key, at] of [
    ['c', 30],
    ['a', 10],
    ['b', 20],
    ['a', 5],
    ['d', 40],
    ['a', 50],
  ] as const)
    queue.add(key, at);
  expect(queue.next()).toBe(5);
  expect(queue.due(4)).toEqual([]);
  expect(queue.due(20)).toEqual(['a', 'b']);
  expect(queue.next()).toBe(30);
  expect(queue.due(1_000)).toEqual(['c', 'd', 'a']);
  expect([queue.next(), queue.due(1_000)]).toEqual([null, []]);
});

it('keeps the order of many', () => {
  const queue = createTimeQueue();
  const times = Array.from({ length: 500 }, (_, index) => (index * 7_919) % 1_009);
  for (const [index, at] of times.entries()) queue.add(String(index), at);
  const due: number[] = [];
  for (let next = queue.next(); next !== null; next = queue.next())
    for (const key of queue.due(next)) due.push(times[Number(key)] ?? -1);
  expect(due).toEqual(times.toSorted((a, b) => a - b));
});
