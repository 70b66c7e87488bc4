import { expect, it } from 'vitest';
import { fairTurns } from './fair-turns.ts';

it('gives one turn at a time, to each who waits in turn, however many one waits for', async () => {
  const rests: (() => void)[] = [];
  const turns = fairTurns((then) => void rests.push(then));
  const order: string[] = [];
  for (const by of ['a', 'a', 'a', 'b', 'c', 'b']) void turns.take(by).then(() => order.push(by));
  for (let n = 1; n <= 6; n += 1) {
    await Promise.resolve();
    expect([order.length, rests.length]).toEqual([n, 1]);
    rests.pop()?.();
  }
  expect(order).toEqual(['a', 'a', 'b', 'c', 'a', 'b']);
  expect(rests).toEqual([]);
  await turns.take('a');
  expect(rests).toHaveLength(1);
});
