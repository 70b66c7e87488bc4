import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { answerRoom } from './answer-room.ts';

it('has a place for each answer until it is over, half of them for one at most', () => {
  const room = answerRoom({ all: 4, ofOne: 2 });
  const answers = Array.from({ length: 6 }, () => new EventEmitter());
  const enter = (by: string, n: number): boolean => room.enter(by, answers[n] ?? new EventEmitter());
  expect([enter('a', 0), enter('a', 1), enter('a', 2)]).toEqual([true, true, false]);
  expect([enter('b', 3), enter('c', 4), enter('d', 5)]).toEqual([true, true, false]);
  answers[0]?.emit('close');
  expect([enter('a', 2), enter('a', 5), enter('d', 5)]).toEqual([true, false, false]);
  for (const one of answers.slice(1, 5)) one.emit('close');
  expect([enter('d', 0), enter('d', 1), enter('d', 2)]).toEqual([true, true, false]);
});
