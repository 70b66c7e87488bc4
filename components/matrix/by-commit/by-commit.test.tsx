import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { WireRunning } from '#lib/api/commit.ts';
import { showPage } from '../../testing/show-page.tsx';
import { wireCommitName } from '../../testing/wire-commit.ts';
import { minutesAgo, wireColumn, wireFleet, wireMark, wireRow } from '../../testing/wire-fleet.ts';
import { FleetScreen } from '../fleet-screen.tsx';
import { viewFrom } from '../view-from.ts';

const sha = (digit: string) => digit.repeat(40);
const repository = 'git.example.org/acme/control';

function run(digit: string, behind: number | null, clusters: number) {
  const name = behind === null ? null : wireCommitName({ sha: sha(digit), subject: `Commit ${digit}` });
  const why = behind === null ? ('no-such-commit' as const) : null;
  return { sha: sha(digit), name, repository, branch: 'main', behind, why, touching: [], objects: clusters, clusters };
}

const running: WireRunning = {
  asOf: minutesAgo(0),
  commits: [run('a', 0, 5), run('b', 3, 1), run('c', null, 1)],
  leftOut: 0,
  repositories: [{ key: repository, mirroredAt: minutesAgo(2), reason: null }],
};

/** Seven clusters with one column: five at a, one failing at b, one at c. */
const fleet = wireFleet({
  columns: [wireColumn('web')],
  rows: ['a', 'a', 'a', 'a', 'a', 'b', 'c'].map((digit, at) =>
    wireRow({
      cluster: `c${at}`,
      cells: digit === 'b' ? 'D' : 'c',
      commits: [sha(digit)],
      runs: '0',
      marks: digit === 'b' ? [wireMark({ c: 0, commit: 'bbbbbbb' })] : [],
    }),
  ),
});

function show(search: string, told = running, shown = fleet) {
  const view = viewFrom({});
  return showPage(<FleetScreen sent={{ view, fleet: shown }} moment={null} />, {
    search,
    answer: (path) => (path.startsWith('/api/v1/running') ? told : shown),
  });
}

it('has the commit in each cell, its shade by how far behind it is, and no shade where that is not known', async () => {
  show('?colour=commit');
  const newest = await screen.findAllByRole('link', { name: 'Converged, runs aaaaaaa, newest of main' });
  expect(newest).toHaveLength(5);
  expect([newest[0]?.textContent, newest[0]?.querySelector('.glyph')]).toEqual(['aaaaaaa', null]);
  expect(newest[0]?.closest('td')?.className).toContain('m-shade-0');
  const behind = screen.getByRole('link', {
    name: /^Diverged, .*runs bbbbbbb, 3 commits behind main, whatever they touch$/,
  });
  expect(behind.querySelector('.glyph-diverged')).not.toBeNull();
  expect(behind.closest('td')?.className).toContain('m-shade-1');
  const unknown = screen.getByRole('link', { name: /runs ccccccc, how far behind is not known/ });
  expect(unknown.closest('td')?.className).toContain('m-shade-none');
});

it('is not behind on a cluster where nothing that is built there is touched, and says how many commits there are all the same', async () => {
  const touching = [{ least: 0, most: 0, clusters: ['c5'] }];
  const commits = running.commits.map((one) => (one.behind === 3 ? { ...one, touching } : one));
  show('?colour=commit', { ...running, commits });
  const name = /runs bbbbbbb, 3 commits behind main, none of which touches a path built on this cluster$/;
  const behind = await screen.findByRole('link', { name });
  expect(behind.closest('td')?.className).toContain('m-shade-0');
});

it('is as far behind as it is where a source stands behind the cell: that has no path', async () => {
  const commits = running.commits.map((one) =>
    one.behind === 3 ? { ...one, touching: [{ least: 0, most: 0, clusters: ['c5'] }] } : one,
  );
  const rows = fleet.rows.map((row) => (row.cluster === 'c5' ? { ...row, sources: 's' } : row));
  show('?colour=commit', { ...running, commits }, { ...fleet, rows });
  const name = /runs bbbbbbb, 3 commits behind main, whatever they touch$/;
  const behind = await screen.findByRole('link', { name });
  expect(behind.closest('td')?.className).toContain('m-shade-1');
});

it('has a legend of subjects, distances and clusters, and the age of the mirror', async () => {
  show('?colour=commit');
  const legend = screen.getByRole('region', { name: 'Commits by colour' });
  await within(legend).findByText('Commit a');
  expect(
    within(legend)
      .getAllByRole('listitem')
      .map((line) => line.textContent),
  ).toEqual([
    'aaaaaaaCommit anewest of main, 5 clusters',
    'bbbbbbbCommit b3 commits behind main, 1 cluster',
    'cccccccno name is knownhow far behind is not known: the mirror does not hold the commit that it runs, 1 cluster',
  ]);
  expect(legend.textContent).toContain('mirror fetched 2 min ago');
});

it('says in the line beneath who else is at the commit of a cell', async () => {
  const { user } = show('?colour=commit');
  await user.hover(await screen.findByRole('link', { name: /runs bbbbbbb, 3 commits/ }));
  expect((await screen.findByTestId('read-out')).textContent).toContain('as on 0 of 6 other clusters');
});

it('is chosen in the menu of views, and stands in the address', async () => {
  const { user, urls } = show('');
  expect(screen.queryByRole('region', { name: 'Commits by colour' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'View' }));
  await user.click(await screen.findByRole('menuitemradio', { name: 'Commit that runs' }));
  await screen.findByRole('region', { name: 'Commits by colour' });
  expect(urls.at(-1)).toBe('?colour=commit');
});

it('says of a past moment that each commit is that of when the verdict began', () => {
  const moment = { at: '2026-11-21T01:00:00Z', previous: null, next: null };
  showPage(<FleetScreen sent={{ view: viewFrom({}), fleet }} moment={moment} />, {
    search: '?colour=commit',
    answer: () => fleet,
  });
  const legend = screen.getByRole('region', { name: 'Commits by colour' });
  expect(legend.textContent).toContain('Each is the commit that ran as the verdict shown began');
});
