import { expect, it } from 'vitest';
import { day } from '#lib/domain/time/length.ts';
import { splitAtRolled, takeCommon } from './rolled-days.ts';

const range = (cluster: number, from: number, to: number) => ({ cluster, from: from * day, to: to * day });
const days = (from: number, to: number) => ({ from: from * day, to: to * day });

it('takes out what is rolled up of all clusters, while a day is being rolled up cluster by cluster', () => {
  const parts = splitAtRolled([range(1, 2, 9), range(2, 2, 10), range(3, 2, 10)], { from: 0, to: 10.5 * day });
  expect(takeCommon(parts)).toEqual({
    common: { clusters: [1, 2, 3], days: days(2, 9) },
    beside: [
      { clusters: [1], rolled: [], plain: [days(0, 2), days(9, 10.5)] },
      { clusters: [2, 3], rolled: [days(9, 10)], plain: [days(0, 2), days(10, 10.5)] },
    ],
  });
});

it('leaves clusters of which nothing is rolled up as they are', () => {
  const parts = splitAtRolled([range(1, 0, 0), range(2, 2, 9)], { from: 0, to: 10 * day });
  expect(takeCommon(parts)).toEqual({
    common: { clusters: [2], days: days(2, 9) },
    beside: [
      { clusters: [1], rolled: [], plain: [days(0, 10)] },
      { clusters: [2], rolled: [], plain: [days(0, 2), days(9, 10)] },
    ],
  });
});

it('takes out nothing where clusters have no rolled day in common', () => {
  const parts = splitAtRolled([range(1, 0, 3), range(2, 4, 9)], { from: 0, to: 9 * day });
  expect(takeCommon(parts)).toEqual({
    common: null,
    beside: [
      { clusters: [1], rolled: [days(0, 3)], plain: [days(3, 9)] },
      { clusters: [2], rolled: [days(4, 9)], plain: [days(0, 4)] },
    ],
  });
  expect(takeCommon([])).toEqual({ common: null, beside: [] });
});
