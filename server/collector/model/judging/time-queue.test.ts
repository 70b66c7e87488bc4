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
  expect(queue.due(1_000)).toEqual(['c', 'd']);
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

it('holds a key once however often it is added, at its earliest time', () => {
  const queue = createTimeQueue();
  for (let at = 1_000; at < 2_000; at += 1) queue.add('often', at);
  expect(queue.size()).toBe(1);
  expect([queue.due(1_000), queue.next()]).toEqual([['often'], null]);
  queue.add('later', 500);
  queue.add('later', 300);
  expect([queue.next(), queue.due(400), queue.due(600)]).toEqual([300, ['later'], []]);
  queue.add('later', 900);
  expect(queue.due(900)).toEqual(['later']);
});
