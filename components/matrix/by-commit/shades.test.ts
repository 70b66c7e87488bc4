import { expect, it } from 'vitest';
import type { WireRunningCommit } from '#lib/api/commit.ts';
import { gridOf } from '../grid/grid.ts';
import { wireColumn, wireRow } from '../../testing/wire-fleet.ts';
import { comparison } from './comparison.ts';
import { shadeClass, shadesOf, shadeText } from './shades.ts';

const sha = (digit: string) => digit.repeat(40);

function commit(digit: string, behind: number | null, part: Partial<WireRunningCommit> = {}): WireRunningCommit {
  const why = behind === null ? 'no-such-commit' : null;
  const base = { name: null, repository: 'acme/control', branch: 'main', touching: [], objects: 1, clusters: 1 };
  return { sha: sha(digit), behind, why, ...base, ...part };
}

it('ranks the commits of each repository, the newest first; one whose place is not known has no rank', () => {
  const shades = shadesOf([
    commit('a', 0),
    commit('b', 7),
    commit('c', null),
    commit('d', 2, { repository: 'acme/other' }),
  ]);
  expect([...shades.values()].map(({ rank }) => rank)).toEqual([0, 1, null, 0]);
  expect(['a', 'b', 'c', 'd', 'e'].map((digit) => shadeClass(shades, sha(digit), null))).toEqual([
    'm-shade-0',
    'm-shade-1',
    'm-shade-none',
    'm-shade-0',
    'm-shade-none',
  ]);
  expect(shadeText(shades, sha('a'), null)).toBe('runs aaaaaaa, newest of main');
  expect(shadeText(shades, sha('b'), null)).toBe('runs bbbbbbb, 7 commits behind main, whatever they touch');
  expect(shadeText(shades, sha('c'), null)).toBe(
    'runs ccccccc, how far behind is not known: the mirror does not hold the commit that it runs',
  );
  expect(shadeText(shades, sha('e'), null)).toBe('runs eeeeeee, how far behind is not told');
  expect(shadeText(shades, null, null)).toBe('which commit runs is not known');
});

it('tells whose branch the place of a commit is counted on that two repositories share, and has one shade for all that are far behind', () => {
  const shared = shadesOf([commit('a', 1), commit('a', null, { repository: 'acme/fork' })]);
  expect(shadeText(shared, sha('a'), null)).toBe('runs aaaaaaa, 1 commit behind main of control, whatever it touches');
  const many = shadesOf(['1', '2', '3', '4', '5', '6', '7', '8'].map((digit, at) => commit(digit, at)));
  expect(['6', '7', '8'].map((digit) => shadeClass(many, sha(digit), null))).toEqual([
    'm-shade-5',
    'm-shade-5',
    'm-shade-5',
  ]);
});

it('compares a cell with the same column on other clusters, however the matrix stands', () => {
  const row = (at: number, digits: readonly string[]) =>
    wireRow({ cluster: `c${at}`, cells: 'c', commits: digits.map(sha), runs: digits.length === 0 ? '' : '0' });
  const columns = [wireColumn('web')];
  const said = (runs: readonly (readonly string[])[]) => {
    const grid = gridOf(
      { columns },
      runs.map((digits, at) => row(at, digits)),
    );
    const [line] = grid.lines;
    const [cell] = line?.cells ?? [];
    return line === undefined || cell === undefined ? null : comparison(grid, line, 0, cell);
  };
  expect(said([['a'], ['a'], ['b'], []])).toBe(', as on 1 of 2 other clusters');
  expect(said([['a'], ['a'], ['b'], [], ['a'], ['a'], ['a']])).toBe(', as on 4 of 5 other clusters');
  expect(said([['a'], []])).toBe('');
  expect(said([[], ['a'], ['a']])).toBe('');
});

it('is as good as the newest on a cluster where no later commit touches what is built there, and says so; elsewhere all of them count', () => {
  const touching = [
    { least: 2, most: 2, clusters: ['eu'] },
    { least: 0, most: 1, clusters: ['us'] },
    { least: 0, most: 0, clusters: ['ap'] },
  ];
  const shades = shadesOf([commit('a', 0), commit('b', 3, { touching })]);
  const of = (cluster: string | null) => [
    shadeClass(shades, sha('b'), cluster),
    shadeText(shades, sha('b'), cluster).replace('runs bbbbbbb, 3 commits behind main, ', ''),
  ];
  expect(['eu', 'us', 'ap', 'other', null].map(of)).toEqual([
    ['m-shade-1', '2 of which touch a path built on this cluster'],
    ['m-shade-1', 'up to 1 of which touches a path built on this cluster'],
    ['m-shade-0', 'none of which touches a path built on this cluster'],
    ['m-shade-1', 'whatever they touch'],
    ['m-shade-1', 'whatever they touch'],
  ]);
  expect(shadeText(shades, sha('a'), 'eu')).toBe('runs aaaaaaa, newest of main');
});

it('says nothing by path of a commit that two repositories share', () => {
  const touching = [{ least: 0, most: 0, clusters: ['eu'] }];
  const shades = shadesOf([commit('a', 1, { touching }), commit('a', 2, { repository: 'acme/fork', touching })]);
  expect(shadeText(shades, sha('a'), 'eu')).toContain('1 commit behind main of control, whatever it touches');
});
