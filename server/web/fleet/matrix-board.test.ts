import { expect, it, vi } from 'vitest';
import { FleetView } from '#lib/api/fleet.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { columnSeeds } from '#lib/domain/matrix/column-seeds.ts';
import { matrixBoard } from './matrix-board.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';
import { knownCluster } from '../testing/moment.ts';
import { sampleDiverged, sampleNow, sampleObject } from '../testing/sample.ts';

vi.mock(import('#lib/domain/matrix/column-seeds.ts'), async (load) => {
  const real = await load();
  return { ...real, columnSeeds: vi.fn<typeof real.columnSeeds>(real.columnSeeds) };
});

const made = vi.mocked(columnSeeds);

/** Number of columns that the board holds, whatever became of them. */
function held(): number {
  const last = made.mock.results.at(-1);
  return last?.type === 'return' ? last.value.size() : Number.NaN;
}

it.each([
  ['another name each time', (turn: number) => ({ name: `preview-${turn}`, path: null })],
  ['another path each time', (turn: number) => ({ name: 'preview', path: `releases/${turn}/preview` })],
])('shows what is there and holds little else, while something comes with %s', (_what, shape) => {
  made.mockClear();
  const still = knownCluster('a', [
    sampleDiverged({ cluster: 'a', name: 'kept' }, { path: 'apps/kept' }),
    sampleObject({ cluster: 'a', name: 'other' }, { path: 'apps/other' }),
  ]);
  let all: readonly KnownCluster[] = [];
  const fleet = {
    cluster: () => null,
    all: () => all,
    stamp: () => all.reduce((sum, { stamp }) => sum + stamp, 0),
  };
  const board = matrixBoard(
    FleetView.parse({ sort: 'name' }),
    { whole: fleet, shown: fleet },
    defaultPolicy,
    () => null,
  );
  for (let turn = 2; turn < 5_000; turn++) {
    const { name, path } = shape(turn);
    const moved = knownCluster('b', [
      sampleObject({ cluster: 'b', name }, { path }),
      sampleDiverged({ cluster: 'b', name: 'other' }, { path: 'apps/other' }),
    ]);
    all = [still, { ...moved, stamp: turn }];
    const { columns, rows } = board.read(sampleNow);
    const titles = columns.map(({ title }) => title);
    expect(titles.toSorted()).toEqual(['kept', 'other', name]);
    const cellOf = (row: number, title: string) => rows[row]?.cells[titles.indexOf(title)];
    expect([cellOf(0, 'kept'), cellOf(0, 'other'), cellOf(0, name)]).toEqual(['D', 'c', ' ']);
    expect([cellOf(1, 'kept'), cellOf(1, 'other'), cellOf(1, name)]).toEqual([' ', 'D', 'c']);
    expect(held()).toBeLessThan(5_000);
  }
  expect(made.mock.calls.length).toBeGreaterThan(1);
  expect(made.mock.calls.length).toBeLessThan(10);
});

it('is made once for a fleet that needs much from the first on', () => {
  made.mockClear();
  const many = Array.from({ length: 6 }, (_, at) =>
    knownCluster(
      `c${at}`,
      Array.from({ length: 1_000 }, (_of, number) =>
        sampleObject({ cluster: `c${at}`, name: `app-${at}-${number}` }, { path: `clusters/c${at}/apps/${number}` }),
      ),
    ),
  );
  let stamp = 0;
  const fleet = { cluster: () => null, all: () => many.map((known) => ({ ...known, stamp })), stamp: () => stamp };
  const board = matrixBoard(FleetView.parse({}), { whole: fleet, shown: fleet }, defaultPolicy, () => null);
  for (stamp = 1; stamp < 4; stamp++) expect(board.read(sampleNow).columns).toHaveLength(6_000);
  expect(made.mock.calls.length).toBe(1);
});

it('has a thousand columns for one cluster, and one more for what that has beyond; others have all of theirs', () => {
  const cluster = (name: string, of: number) =>
    knownCluster(
      name,
      Array.from({ length: of }, (_, n) => {
        const ref = { cluster: name, name: `${name}-${n}` };
        return n === 1_400 ? sampleDiverged(ref) : sampleObject(ref);
      }),
    );
  const all = [cluster('large', 1_500), cluster('small', 3)];
  const fleet = { cluster: () => null, all: () => all, stamp: () => 1 };
  const board = matrixBoard(FleetView.parse({}), { whole: fleet, shown: fleet }, defaultPolicy, () => null);
  const { columns, rows } = board.read(sampleNow);
  expect(columns).toHaveLength(1_000 + 1 + 3);
  const rest = columns.findIndex(({ title }) => title === 'all others');
  const cells = new Map(rows.map((row) => [row.cluster, row.cells]));
  expect([cells.get('large')?.[rest], cells.get('small')?.[rest]]).toEqual(['D', ' ']);
  expect(cells.get('small')?.replaceAll(' ', '')).toBe('ccc');
});

it('makes a row once until its cluster changes, and of an unknown mode the default columns', () => {
  const clusterOf = (name: string) =>
    knownCluster(name, [sampleObject({ cluster: name, name: 'web' }, { commit: null })]);
  const [a, b] = [
    { ...clusterOf('a'), stamp: 11 },
    { ...clusterOf('b'), stamp: 12 },
  ];
  let all: readonly KnownCluster[] = [a, b];
  let stamp = 1;
  const fleet = { cluster: () => null, all: () => all, stamp: () => stamp };
  const view = FleetView.parse({ sort: 'name' });
  const board = matrixBoard(view, { whole: fleet, shown: fleet }, defaultPolicy, () => null);
  const first = board.read(sampleNow);
  expect(board.read(sampleNow)).toBe(first);
  expect(first.labels).toEqual(['environment']);
  all = [a];
  stamp = 2;
  const alone = board.read(sampleNow);
  expect(alone.rows).toEqual([first.rows[0]]);
  expect(alone.rows[0]).toBe(first.rows[0]);
  expect(alone.columns).toBe(first.columns);
  all = [a, b];
  stamp = 3;
  const again = board.read(sampleNow);
  expect(again.rows).toEqual(first.rows);
  expect(again.rows[0]).toBe(first.rows[0]);
  expect(again.rows[1]).not.toBe(first.rows[1]);
  const odd = matrixBoard({ ...view, columns: 'odd' }, { whole: fleet, shown: fleet }, defaultPolicy, () => null);
  expect({ ...odd.read(sampleNow), stamp: 0 }).toEqual({ ...first, stamp: 0 });
});
