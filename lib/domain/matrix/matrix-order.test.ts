import { expect, it } from 'vitest';
import { verdicts, type Verdict } from '../verdict/verdict.ts';
import { orderRows, rankOfRow, rowGroup } from './matrix-order.ts';
import type { MatrixRow } from './matrix-row.ts';

function row(
  cluster: string,
  worst: Verdict | null,
  part: Partial<MatrixRow> & { readonly count?: number } = {},
): MatrixRow {
  const { count = 1, ...rest } = part;
  return {
    cluster,
    labels: {},
    known: { state: 'live', since: 0, bound: 'exact', reason: null, cautions: [] },
    cells: [],
    bySlot: [],
    worst,
    declared: 0,
    silent: 0,
    plannedWork: null,
    counts: new Map(worst === null ? [] : [[worst, count]]),
    layout: '',
    ...rest,
  };
}

const order = (rows: readonly MatrixRow[], label = '', sort: 'worst' | 'name' = 'worst'): readonly string[] => {
  const names = orderRows(rows, label, sort).map(({ cluster }) => cluster);
  expect(orderRows(rows.toReversed(), label, sort).map(({ cluster }) => cluster)).toEqual(names);
  return names;
};

it.each([
  ['live', 11],
  ['connecting', 11],
  ['declared', 11],
  ['unreachable', 4],
  ['unauthorized', 4],
  ['misconfigured', 4],
  ['unobserved', 4],
] as const)('a row without objects of a cluster that is %s ranks %i', (state, rank) => {
  expect(rankOfRow({ worst: null, state })).toBe(rank);
  expect(verdicts.map((worst) => rankOfRow({ worst, state }))).toEqual(verdicts.map((_verdict, at) => at));
});

it('the worst row comes first, of two alike the one with more of it, then by name', () => {
  const rows = [
    row('d', 'stale'),
    row('c', 'diverged'),
    row('b', 'stale', { count: 2 }),
    row('a', 'stale'),
    row('e', null),
    row('f', 'converged'),
  ];
  expect(order(rows)).toEqual(['c', 'b', 'a', 'd', 'f', 'e']);
  expect(order(rows, '', 'name')).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
});

it('silent rows stand above all, the worst of them first, then the one with more', () => {
  const rows = [
    row('d', 'diverged'),
    row('c', 'stale', { silent: 1 }),
    row('b', 'stale', { silent: 2 }),
    row('a', 'stale', { silent: 1 }),
    row('e', 'drifted', { silent: 1 }),
  ];
  expect(order(rows)).toEqual(['e', 'b', 'a', 'c', 'd']);
});

it('groups stand by their worst row, then by name; within a group the worst is first', () => {
  const of = (env: string) => ({ labels: { env } });
  const rows = [
    row('d', 'stale', of('b')),
    row('c', 'converged', of('b')),
    row('b', 'stale', of('a')),
    row('a', 'diverged', of('z')),
    row('f', 'converged'),
    row('e', 'converged', of('z')),
  ];
  expect(rowGroup(row('x', null, of('b')), 'env')).toBe('b');
  expect([rowGroup(row('x', null), 'env'), rowGroup(row('x', null, of('b')), '')]).toEqual(['', '']);
  expect(order(rows, 'env')).toEqual(['a', 'e', 'b', 'd', 'c', 'f']);
  expect(order(rows, 'env', 'name')).toEqual(['f', 'b', 'c', 'd', 'a', 'e']);
});
