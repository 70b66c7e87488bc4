import { expect, it } from 'vitest';
import { fairQueue } from './fair-queue.ts';

it('a task that throws at once is rejected, and holds no turn', async () => {
  const queue = fairQueue({ all: 1, ofOne: 1 });
  const fails = (): Promise<void> => {
    throw new Error('at once');
  };
  const asked = [queue.run('a', fails), queue.run('a', fails), queue.run('b', () => Promise.resolve('made'))];
  const ends = await Promise.allSettled(asked);
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  expect(queue.waitingOf('a')).toBe(0);
});
