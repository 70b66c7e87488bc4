import { describe, expect, it } from 'vitest';
import { largeFleet } from '../../testing/large-fleet.ts';
import { nightFleet } from '../../testing/night-fleet.ts';
import { minutesAgo, moment, wireColumn, wireFleet, wireMark, wireRow } from '../../testing/wire-fleet.ts';
import { cellName } from './cell-view.tsx';
import { deviationsOf, nextDeviation } from './input/deviations.ts';
import { cellsOf, gridOf, type Cell } from './grid.ts';
import { headerItemsOf, itemsOf } from './items.ts';
import { moved } from './input/use-grid-keys.ts';
import { frozenPositions, movesBetween, type RowPosition, positionsOf } from './order.ts';
import { rowState } from '../../ui/row-state.ts';
import { middleEllipsis, sharedPrefix } from './titles.ts';

const night = nightFleet();

describe('the grid', () => {
  it('stands clusters across below six of them, and down from six on', () => {
    expect(gridOf(night, night.rows)).toMatchObject({ transposed: false });
    const few = gridOf(night, night.rows.slice(0, 5));
    expect(few.transposed).toBe(true);
    expect(few.headers.map((header) => header.id)).toEqual(night.rows.slice(0, 5).map((row) => row.cluster));
    expect(few.lines.find((line) => line.title === 'checkout')?.cells[0]?.verdict).toBe('diverged');
  });

  it('leads an ordinary cell to its object, and one of many to their list on that cluster', () => {
    const many = { ...wireColumn('flux'), object: null, href: '/objects?reconciler=flux' };
    const rows = ['a', 'b', 'c', 'd', 'e', 'f'].map((cluster) => wireRow({ cluster, cells: 'cc' }));
    const columns = [wireColumn('web'), many];
    const page = '/clusters/a/kustomize.toolkit.fluxcd.io/Kustomization/flux-system/web';
    const [down] = gridOf({ columns }, rows).lines;
    expect([down?.hrefAt(0), down?.hrefAt(1)]).toEqual([page, '/objects?reconciler=flux&cluster=a']);
    const [web, flux] = gridOf({ columns }, rows.slice(0, 2)).lines;
    expect([web?.hrefAt(0), flux?.hrefAt(1)]).toEqual([page, '/objects?reconciler=flux&cluster=b']);
  });

  it.each([1, 6])(
    'shows nothing of a cluster that is not seen as in order, or as not deployed: %i clusters',
    (many) => {
      const lost = wireRow({ cluster: 'lost', cells: 'c D ', state: 'unreachable', marks: [wireMark({ c: 2 })] });
      const others = Array.from({ length: many }, (_, at) => wireRow({ cluster: `seen-${at}`, cells: 'c D ' }));
      const grid = gridOf({ columns: ['a', 'b', 'c', 'd'].map((name) => wireColumn(name)) }, [lost, ...others]);
      const of = (cluster: number) =>
        grid.transposed ? grid.lines.map((line) => line.cells[cluster]) : (grid.lines[cluster]?.cells ?? []);
      const said = (cluster: number) => of(cluster).map((cell) => (cell ? cellName(cell, false).split(',')[0] : ''));
      expect(said(0)).toEqual(['Unobserved', 'not seen', 'Diverged', 'not seen']);
      expect(said(1)).toEqual(['Converged', 'not deployed here', 'Diverged', 'not deployed here']);
    },
  );

  it('gives the same cells for the same row', () => {
    const row = wireRow({ cluster: 'a', cells: 'c' });
    expect(cellsOf(row)).toBe(cellsOf(row));
  });
});

describe('a cluster in order with a stack that is only declared', () => {
  const row = wireRow({
    cluster: 'a',
    cells: 'cO',
    worst: 'converged',
    declared: 1,
    marks: [wireMark({ c: 1, declared: true })],
  });

  it('folds with those in order', () => {
    const rows = Array.from({ length: 70 }, (_, at) => ({ ...row, cluster: `c${at}` }));
    expect(positionsOf(rows).every(({ folded }) => folded)).toBe(true);
  });

  it('has no deviation to be led to', () => {
    const grid = gridOf({ columns: [wireColumn('web'), wireColumn('vpc', 'declared')] }, [row]);
    expect(deviationsOf(grid.lines, ['a'])).toEqual([]);
  });
});

describe('the name of a cell', () => {
  const cell = (verdict: Cell['verdict'], mark: Cell['mark'] = null): Cell => ({
    verdict,
    seen: true,
    mark,
    unmeasured: 'none',
    exemptions: 0,
    commit: null,
    source: false,
  });
  it.each([
    [cell(null), 'not deployed here'],
    [{ ...cell(null), seen: false }, 'not seen'],
    [cell('converged'), 'Converged'],
    [
      cell('diverged', wireMark({ c: 0, alarm: 'silent', commit: '2d81e55', say: 'since 02:12 UTC' })),
      'Diverged, nobody is being called, since 02:12 UTC, runs 2d81e55',
    ],
    [
      cell('stale', wireMark({ c: 0, alarm: 'silent', broken: 'rule', say: 'since 02:12 UTC' })),
      'Stale, nobody is being called (no rule reads it), since 02:12 UTC',
    ],
    [
      cell('behind', wireMark({ c: 0, commit: '41be2aa', say: 'since 02:40 UTC', busy: true })),
      'Behind, since 02:40 UTC, runs 41be2aa, a pass is under way',
    ],
    [
      cell('converged', wireMark({ c: 0, commit: '41be2aa', unread: true, say: '' })),
      'Converged, runs 41be2aa, what is offered is not read',
    ],
    [
      cell('unhealthy', wireMark({ c: 0, n: 12, alarm: 'unknown', say: '' })),
      'Unhealthy, worst of 12, alarm not known',
    ],
  ])('begins with the verdict: %#', (given, name) => {
    expect(cellName(given, true)).toBe(name);
  });

  it('asks nothing of the alarm where none is read: the header says so once', () => {
    const unknown = cell('unhealthy', wireMark({ c: 0, alarm: 'unknown', say: 'since 02:12 UTC' }));
    expect(cellName(unknown, false)).toBe('Unhealthy, since 02:12 UTC');
  });

  it.each([
    ['a', 'Converged, drift not measured'],
    ['s', 'Converged, drift not measured for some of it'],
    ['', 'Converged'],
  ])('says where drift is not measured: %j', (drift, name) => {
    const [only] = cellsOf(wireRow({ cluster: 'a', cells: 'c', drift }));
    expect(only === undefined ? '' : cellName(only, true)).toBe(name);
  });
});

it.each([
  ['3', 'Converged, 3 exemptions'],
  ['1', 'Converged, 1 exemption'],
  ['z', 'Converged, at least 35 exemptions'],
  ['', 'Converged'],
])('a cell says how many exemptions lie behind it: %j', (exempt, name) => {
  const [only] = cellsOf(wireRow({ cluster: 'a', cells: 'c', exempt }));
  expect(only === undefined ? '' : cellName(only, true)).toBe(name);
});

describe('the order', () => {
  const position = (id: string, folded = false, section = 'production'): RowPosition => ({ id, section, folded });
  it('keeps rows where they were; new ones come last, gone ones go', () => {
    const now = [position('c'), position('new'), position('a')];
    expect(frozenPositions([position('a'), position('b'), position('c')], now).map(({ id }) => id)).toEqual([
      'a',
      'c',
      'new',
    ]);
  });

  it('shows a folded row at once when it deviates, and folds nothing away meanwhile', () => {
    const shown = frozenPositions([position('a', true), position('b')], [position('a'), position('b', true)]);
    expect(shown.map(({ folded }) => folded)).toEqual([false, false]);
  });

  it.each([
    [['a', 'b', 'c'], 0],
    [['b', 'a', 'c'], 1],
    [['c', 'b', 'a'], 2],
    [['c', 'a', 'b'], 1],
  ])('from a, b, c to %s so many rows move: %s', (ids, moves) => {
    expect(
      movesBetween(
        [position('a'), position('b'), position('c')],
        ids.map((id) => position(id)),
      ),
    ).toBe(moves);
  });

  it('counts a change of section as a move', () => {
    expect(movesBetween([position('a')], [position('a', false, 'silent')])).toBe(1);
  });
});

describe('rows', () => {
  it('are neither pinned nor folded in a small fleet', () => {
    const positions = positionsOf(night.rows);
    expect(positions.map((position) => position.section)).toEqual(night.rows.map((row) => row.group));
    expect(positions.some((position) => position.folded)).toBe(false);
  });

  it('fold where they are in order, at 1,000 clusters; silent ones are pinned above all', () => {
    const fleet = largeFleet(1000, 60);
    const positions = positionsOf(fleet.rows);
    const silent = fleet.rows.filter((row) => row.silent > 0).map((row) => row.cluster);
    expect(positions.slice(0, silent.length).map((position) => position.id)).toEqual(silent);
    const grid = gridOf(fleet, fleet.rows);
    const { items, rowCount } = itemsOf(grid.lines, positions, new Set(), 'cluster');
    const folded = positions.filter((position) => position.folded).length;
    expect(folded).toBeGreaterThan(800);
    expect(items.length).toBeLessThan(220);
    const groups = items.filter((item) => item.type === 'group').length;
    const folds = items.filter((item) => item.type === 'fold').length;
    expect(rowCount).toBe(2 + groups + folds + 1000);
    expect(items.find((item) => item.type === 'fold')).toMatchObject({
      text: expect.stringMatching(/^\d+ clusters converged$/),
    });
    const open = itemsOf(grid.lines, positions, new Set(['production']), 'cluster');
    expect(open.rowCount).toBe(rowCount);
    expect(open.items.at(-1)?.row).toBe(items.at(-1)?.row);
  });

  it('of what is only declared are no clusters', () => {
    const rows = Array.from({ length: 6 }, (_, at) =>
      wireRow({ group: 'office', cells: 'O', cluster: `c${at}`, state: at === 3 ? 'declared' : 'live' }),
    );
    const { items } = itemsOf(gridOf(night, rows).lines, positionsOf(rows), new Set(), 'cluster');
    expect(items.find((item) => item.type === 'group')).toMatchObject({ note: '5 clusters' });
  });

  it('of a cluster that is not seen never fold', () => {
    const rows = Array.from({ length: 70 }, (_, at) =>
      wireRow({ cluster: `c${at}`, cells: 'c', state: at === 3 ? 'unreachable' : 'live' }),
    );
    expect(
      positionsOf(rows)
        .filter((position) => !position.folded)
        .map((position) => position.id),
    ).toEqual(['c3']);
  });
});

describe('columns', () => {
  const headers = Array.from({ length: 20 }, (_, at) => ({
    id: `${at}`,
    group: at < 5 ? 'a' : 'b',
    title: `t${at}`,
    href: '/',
    row: null,
  }));
  it('fold where they are in order, group by group, once there are many', () => {
    const items = headerItemsOf(headers, (index) => index !== 7, new Set());
    expect(items.map((item) => item.key)).toEqual(['fold a', '7', 'fold b']);
    expect(items.map((item) => item.column)).toEqual([2, 7, 8]);
    expect(headerItemsOf(headers, () => true, new Set(['a']))).toHaveLength(6);
  });
  it('all stand while there are few', () => {
    expect(headerItemsOf(headers.slice(0, 18), () => true, new Set())).toHaveLength(18);
  });
});

describe('deviations', () => {
  const grid = gridOf(night, night.rows);
  const all = deviationsOf(
    grid.lines,
    grid.headers.map((header) => header.id),
  );
  it('come worst first: silent ones, then by verdict; a cluster that is not seen is one stop', () => {
    expect(all.slice(0, 3)).toEqual([
      { line: 'eu-west-3', header: 'apps/checkout' },
      { line: 'stg-us', header: 'apps/mail' },
      { line: 'us-east-2', header: 'crossplane/rds.aws' },
    ]);
    expect(all.filter((each) => each.line === 'ap-northeast-1')).toHaveLength(1);
  });
  it('are gone through round and round', () => {
    expect(nextDeviation(all, null, 1)).toEqual(all[0]);
    expect(nextDeviation(all, all[0] ?? null, 1)).toEqual(all[1]);
    expect(nextDeviation(all, all[0] ?? null, -1)).toEqual(all.at(-1));
    expect(nextDeviation(all, all.at(-1) ?? null, 1)).toEqual(all[0]);
    expect(nextDeviation([], null, 1)).toBeNull();
  });
});

it.each([
  ['ArrowRight', false, { row: 3, column: 3 }],
  ['ArrowLeft', false, { row: 3, column: 1 }],
  ['ArrowUp', false, { row: 2, column: 2 }],
  ['ArrowDown', false, { row: 4, column: 2 }],
  ['Home', false, { row: 3, column: 0 }],
  ['End', false, { row: 3, column: 5 }],
  ['Home', true, { row: 0, column: 0 }],
  ['End', true, { row: 19, column: 5 }],
  ['PageDown', false, { row: 13, column: 2 }],
  ['PageUp', false, { row: 0, column: 2 }],
  ['x', false, null],
])('%s (Ctrl: %s) leads to %o', (key, ctrl, to) => {
  expect(moved({ row: 3, column: 2 }, key, ctrl, 20, 6)).toEqual(to);
});

it.each([
  ['live', { text: 'live', loud: false }],
  ['declared', { text: 'declared', loud: false }],
  ['connecting', { text: 'reading', loud: false }],
  ['unreachable', { text: 'lost 38 min', loud: true }],
  ['unauthorized', { text: 'refused 38 min', loud: true }],
  ['misconfigured', { text: 'no access', loud: true }],
  ['unobserved', { text: 'unseen 38 min', loud: true }],
] as const)('a cluster that is %s says %o', (state, said) => {
  expect(rowState({ state, since: minutesAgo(38), bound: 'exact', plannedWork: null, cautions: [] }, moment)).toEqual(
    said,
  );
});

it('a weak way in is said of a cluster that is seen, and hides no loss and no planned work', () => {
  const row = { since: minutesAgo(38), bound: 'exact' as const, cautions: ['Its certificate is not verified.'] };
  expect(rowState({ ...row, state: 'live', plannedWork: null }, moment).text).toBe('live, caution');
  expect(rowState({ ...row, state: 'unreachable', plannedWork: null }, moment).text).toBe('lost 38 min');
  const plannedWork = { until: minutesAgo(-60), reason: 'Upgrade' };
  expect(rowState({ ...row, state: 'live', plannedWork }, moment).text).toBe('planned work');
});

it.each([
  ['unreachable', 'lost'],
  ['unauthorized', 'refused'],
  ['unobserved', 'unseen'],
] as const)('of a cluster that was never heard and is %s no length is said', (state, text) => {
  expect(
    rowState({ state, since: minutesAgo(38), bound: 'at-least', plannedWork: null, cautions: [] }, moment).text,
  ).toBe(text);
});

it('planned work is said of a cluster that is seen, and hides no loss', () => {
  const plannedWork = { until: minutesAgo(-60), reason: 'Upgrade' };
  const since = minutesAgo(38);
  expect(rowState({ state: 'live', since, bound: 'exact', plannedWork, cautions: [] }, moment)).toEqual({
    text: 'planned work',
    loud: false,
  });
  expect(rowState({ state: 'unreachable', since, bound: 'exact', plannedWork, cautions: [] }, moment)).toEqual({
    text: 'lost 38 min',
    loud: true,
  });
});

it.each([
  ['checkout', 24, 'checkout'],
  ['a-very-long-name-of-a-kustomization', 15, 'a-very-…ization'],
])('%s within %s letters is %s', (text, most, short) => {
  expect(middleEllipsis(text, most)).toBe(short);
  expect(middleEllipsis(text, most).length).toBeLessThanOrEqual(most);
});

it.each([
  [['stg-us', 'stg-edge', 'stg-eu'], ''],
  [['acme-production-payments-a', 'acme-production-payments-b', 'acme-production-web'], 'acme-production-'],
  [['acme-production-payments-a', 'acme-production-payments-b'], ''],
  [['alpha-is-a-rather-long-name', 'beta', 'gamma'], ''],
])('names %s share %s', (names, prefix) => {
  expect(sharedPrefix(names)).toBe(prefix);
});

it('wireFleet counts what its rows hold', () => {
  expect(
    wireFleet({ columns: [wireColumn('a')], rows: [wireRow({ cluster: 'x', cells: 'D' })] }).summary.counts.diverged,
  ).toBe(1);
});
