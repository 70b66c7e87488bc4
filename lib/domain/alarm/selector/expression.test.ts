import { expect, it } from 'vitest';
import { readExpression } from './expression.ts';

/** ms of this thread's own time for so many goes. */
function cpuTime(goes: number, go: () => unknown): number {
  const before = process.threadCpuUsage();
  for (let n = 0; n < goes; n += 1) expect(go()).not.toBeNull();
  return process.threadCpuUsage(before).user / 1_000;
}

it.each(['/', '^', ' or '])('a chain of %j costs by its length alone', (sign) => {
  const chain = (links: number) => `a${`${sign}a`.repeat(links)}`;
  const [short, long] = [chain(50), chain(400)];
  cpuTime(50, () => readExpression(long));
  const times = Array.from(
    { length: 3 },
    () => cpuTime(50, () => readExpression(long)) / cpuTime(400, () => readExpression(short)),
  );
  expect(Math.min(...times)).toBeLessThan(3);
});
