import { expect, it } from 'vitest';
import { lostClusterLines } from './lost-clusters.ts';

const lost = (name: string) => ({ name, state: 'unreachable', since: Date.UTC(2026, 10, 21, 2) });

it('names what is lost, since when, and counts what it does not name', () => {
  expect(lostClusterLines([])).toEqual([]);
  expect(lostClusterLines([lost('eu-west-3')])).toEqual([
    '1 cluster not seen:',
    '  eu-west-3: unreachable since 2026-11-21T02:00:00.000Z',
  ]);
  const many = lostClusterLines(Array.from({ length: 23 }, (_, n) => lost(`c${n}`)));
  expect([many[0], many.length, many.at(-1)]).toEqual(['23 clusters not seen:', 22, '  and 3 more']);
});
