import { expect, it } from 'vitest';
import { stepText } from '#lib/domain/alarm/check/since-step.ts';
import { minute } from '#lib/domain/time/length.ts';
import { knownCluster } from '../testing/moment.ts';
import { sampleDiverged, sampleNow, sampleObject } from '../testing/sample.ts';
import { fleetFigures } from './fleet-figures.ts';

const start = Math.floor(sampleNow / (5 * minute)) * 5 * minute;

/** Objects on a cluster, one for each time since when it is away (min before `start`). */
function away(cluster: string, ...minutes: readonly number[]) {
  const objects = minutes.map((before, at) => {
    const onset = { time: start - before * minute, bound: 'exact', noticedAt: sampleNow } as const;
    return sampleDiverged({ cluster, name: `a${at}` }, { onset, awaySince: onset });
  });
  return knownCluster(cluster, [sampleObject({ cluster, name: 'fine' }), ...objects]);
}

/** Counts by step of all that is diverged: "0 min before: 2", "earlier: 3". */
function counted(clusters: readonly ReturnType<typeof away>[], steps = 20_000): readonly string[] {
  return fleetFigures({ kinds: 9, pairs: 99, steps })(clusters, () => null).flatMap(({ kinds }) =>
    kinds.flatMap(({ since }) =>
      Array.from(since.get('diverged') ?? [], ([at, count]) =>
        at === null ? `earlier: ${count}` : `${(start - at) / minute} min before: ${count}`,
      ),
    ),
  );
}

it('counts what is away by the five minutes in which it left git, and nothing that is as in git', () => {
  expect(counted([away('a', 0, 5, 6, 10), away('b', 60)])).toEqual([
    '0 min before: 1',
    '5 min before: 1',
    '10 min before: 2',
    '60 min before: 1',
  ]);
  expect(stepText(start)).toMatch(/^\d\dT\d\d:\d[05]$/);
});

it('tells the newest steps of a kind on a cluster, and the others together', () => {
  const many = Array.from({ length: 30 }, (_, at) => at * 5);
  const lines = counted([away('a', ...many)]);
  expect([lines.length, lines[0], lines.at(-2), lines.at(-1)]).toEqual([
    25,
    '0 min before: 1',
    '115 min before: 1',
    'earlier: 6',
  ]);
});

it.each([
  [
    6,
    [
      '0 min before: 1',
      '5 min before: 1',
      '10 min before: 1',
      '15 min before: 1',
      '20 min before: 1',
      '25 min before: 1',
    ],
  ],
  [5, ['0 min before: 1', '5 min before: 1', '10 min before: 1', '15 min before: 1', 'earlier: 2']],
  [4, ['0 min before: 1', 'earlier: 5']],
  [1, ['earlier: 6']],
])('with room for %i counts in all tells so many steps', (room, expected) => {
  expect(counted([away('a', 0, 5, 10, 15, 20, 25)], room)).toEqual(expected);
});
