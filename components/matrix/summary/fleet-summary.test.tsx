import { act, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { WireFleet } from '#lib/api/fleet.ts';
import { FakeEventSource } from '../../testing/fake-event-source.ts';
import { nightFleet } from '../../testing/night-fleet.ts';
import { showPage } from '../../testing/show-page.tsx';
import { wireCommitName } from '../../testing/wire-commit.ts';
import { minutesAgo, wireColumn, wireFleet, wireRow } from '../../testing/wire-fleet.ts';
import { FleetScreen } from '../fleet-screen.tsx';
import { viewFrom } from '../view-from.ts';

const night = nightFleet();

function showFleet(fleet: WireFleet, search = '') {
  const view = viewFrom(Object.fromEntries(new URLSearchParams(search)));
  return showPage(<FleetScreen sent={{ view, fleet }} moment={null} />, { search, answer: () => fleet });
}

const filter = { text: 'environment=production', outside: 'Outside this filter: 2 diverged on 1 cluster.' };
const filterLine = 'Filtered by environment=production. Outside this filter: 2 diverged on 1 cluster.';

const paging = 'Paging status unknown: no alert source is configured.';

/** The night where no alarm source is read. */
function unread(): WireFleet {
  const marks = (row: WireFleet['rows'][number]) => row.marks.map((mark) => ({ ...mark, alarm: 'unknown' as const }));
  const rows = night.rows.map((row) => ({ ...row, silent: 0, marks: marks(row) }));
  const guarantee = { ...night.summary.guarantee, truth: 'unknown' as const, alarms: 'not-read' as const, paging };
  return { ...night, rows, summary: { ...night.summary, guarantee } };
}

describe('where no alarm source is read', () => {
  it('the summary says so once', () => {
    showFleet(unread());
    expect(screen.getAllByText(paging, { exact: false })).toHaveLength(1);
  });

  it('no cell asks: neither with a mark nor with a word', () => {
    showFleet(unread());
    const grid = screen.getByRole('grid');
    expect(grid.querySelectorAll('.bell')).toHaveLength(0);
    expect(within(grid).getByRole('link', { name: /^Diverged, since 02:12 UTC, BuildFailed/ })).toBeTruthy();
  });

  it('with one, marks stand beside what deviates', () => {
    showFleet(night);
    expect(screen.getByRole('grid').querySelectorAll('.bell').length).toBeGreaterThan(0);
    expect(screen.queryByText(/Paging status unknown/)).toBeNull();
  });
});

it('a cause outside of the view has no page', () => {
  const [first, ...others] = night.summary.causes;
  if (first?.cause === undefined || first.cause === null) throw new Error('the night has a cause');
  const title = 'a cause outside your view';
  const causes = [
    { ...first, title, cause: { ...first.cause, type: 'outside' as const, title, href: null } },
    ...others,
  ];
  showFleet({ ...night, summary: { ...night.summary, causes } });
  expect(screen.getByText(title)).toBeDefined();
  expect(screen.queryByRole('link', { name: title })).toBeNull();
});

it('a commit that a cause names leads to its page, with its subject', async () => {
  const name = wireCommitName();
  const [first, ...others] = night.summary.causes;
  if (first === undefined) throw new Error('the night has causes');
  const causes = [{ ...first, commits: [name.sha] }, ...others];
  const fleet = { ...night, summary: { ...night.summary, causes } };
  const view = viewFrom({});
  showPage(<FleetScreen sent={{ view, fleet }} moment={null} />, { answer: () => fleet, commits: [name] });
  const link = await within(screen.getByRole('list', { name: 'Causes' })).findByRole('link', { name: '9f31c07' });
  expect([link.getAttribute('href'), link.title]).toEqual([name.self, expect.stringContaining(name.subject)]);
});

describe('planned work', () => {
  const work = { until: minutesAgo(-61), reason: 'Upgrade to 1.36' };
  const rows = night.rows.map((row) => (row.cluster === 'stg-edge' ? { ...row, plannedWork: work } : row));
  const planned = [{ ...work, clusters: ['stg-edge'], objects: 14 }];
  const fleet = { ...night, rows, summary: { ...night.summary, planned } };

  it('stands under the sentence with its end, its reason and what it counts apart', () => {
    showFleet(fleet);
    expect(screen.getByText('Planned work on stg-edge').closest('li')?.textContent).toBe(
      'Planned work on stg-edge until 21 Nov 04:00:14 UTC (Upgrade to 1.36): 14 objects there are away or stale, counted apart.',
    );
  });

  it('marks the row', () => {
    showFleet(fleet);
    const state = screen.getByRole('rowheader', { name: /stg-edge/ }).querySelector('.m-state');
    expect(state?.textContent).toBe('planned work');
    expect(state?.getAttribute('title')).toContain('planned work until 21 Nov 04:00:14 UTC: Upgrade to 1.36');
  });
});

it('says of a row that its cluster is reached in a weak way, and how', () => {
  const cautions = ['Its certificate is not verified.', 'Its name is wanted by clusters/eu.yaml too.'];
  const rows = night.rows.map((row) => (row.cluster === 'eu-west-3' ? { ...row, cautions } : row));
  showFleet({ ...night, rows });
  const state = screen.getByRole('rowheader', { name: /eu-west-3/ }).querySelector('.m-state');
  expect(state?.textContent).toBe('live, caution');
  expect(state?.getAttribute('title')).toBe(cautions.join('; '));
});

it('shows the labels that are asked for beside each cluster, and offers them', async () => {
  const rows = night.rows.map((row) => ({ ...row, labels: [row.cluster.slice(0, 2)] }));
  const { user, urls } = showFleet({ ...night, rows }, '?show=region');
  expect(screen.getByRole('rowheader', { name: /eu-west-3/ }).textContent).toBe('eu-west-3eulive');
  await user.click(screen.getByRole('button', { name: 'View' }));
  await user.click(await screen.findByRole('menuitemcheckbox', { name: 'Label environment' }));
  expect(urls.at(-1)).toBe('?show=region,environment');
});

it('reads out that drift is not measured', async () => {
  const rows = night.rows.map((row) => (row.cluster === 'us-west-2' ? { ...row, drift: 'a' } : row));
  const { user } = showFleet({ ...night, rows });
  await user.hover(screen.getByRole('link', { name: 'Converged, drift not measured' }));
  expect(screen.getByTestId('read-out').textContent).toContain(
    'control-repo on us-west-2: Converged, drift not measured',
  );
});

it('whoever tabs on from a cell comes to what weakens the sentence, and back to the cell', async () => {
  const { user } = showFleet({ ...night, summary: { ...night.summary, exempt: 701, exemptions: 961, conflicts: 4 } });
  await user.keyboard(']');
  const cell = document.activeElement;
  expect(screen.getByTestId('read-out').textContent).toMatch(
    /: Diverged, .*701 objects have settings that weaken the guarantee \(961 settings\)4 conflicts$/,
  );
  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole('link', { name: /701 objects have settings/ }));
  await user.tab({ shift: true });
  expect(document.activeElement).toBe(cell);
});

it('the tab says what the sentence says, and follows it', () => {
  showFleet(night);
  expect(document.title).toBe('Not so on 2 of 14 clusters · Plumbline');
  const icon = () => document.querySelector('link[rel=icon]')?.getAttribute('href');
  const before = icon();
  const guarantee = { ...night.summary.guarantee, truth: 'holds' as const, lead: '', body: 'So it is.' };
  act(() => FakeEventSource.last.send({ type: 'summary', summary: { ...night.summary, guarantee } }));
  expect(document.title).toBe('Fleet · Plumbline');
  expect(icon()).not.toBe(before);
});

it('columns of which nothing is seen are not folded with what is in order', () => {
  const columns = Array.from({ length: 24 }, (_, at) => wireColumn(`app-${at}`));
  const lost = { cells: `${'c'.repeat(23)} `, state: 'unreachable' as const };
  const rows = Array.from({ length: 6 }, (_, at) => wireRow({ cluster: `lost-${at}`, ...lost }));
  const declared = wireRow({ cluster: 'not on a cluster', cells: `${' '.repeat(23)}O`, state: 'declared' });
  showFleet(wireFleet({ columns, rows: [...rows, declared] }));
  expect(screen.queryByRole('button', { name: /columns of apps that are in order/ })).toBeNull();
  expect(within(screen.getByRole('grid')).getByRole('link', { name: 'app-3' })).toBeTruthy();
});

describe('on a wall', () => {
  it('every cluster has a row, those that deviate first, and the causes stand beside them', () => {
    showFleet(night, '?view=wall');
    const rows = within(screen.getByRole('list', { name: 'Clusters, worst first' })).getAllByRole('listitem');
    expect(rows).toHaveLength(14);
    expect(rows[0]?.textContent).toContain('eu-west-3');
    expect(rows.at(-1)?.textContent).toContain('sbx-2');
    const causes = within(screen.getByRole('list', { name: 'Causes' })).getAllByRole('listitem');
    expect(causes[0]?.textContent).toContain('checkout on eu-west-3 build fails since 9f31c07');
  });

  it('the worst 14 of many, and how many more there are', () => {
    const more = Array.from({ length: 6 }, (_, at) => wireRow({ cluster: `more-${at}`, cells: 'c' }));
    showFleet({ ...night, rows: [...night.rows, ...more] }, '?view=wall');
    expect(screen.getByText('6 clusters in order')).toBeTruthy();
  });

  it('says what it is filtered by, and what of the rest is worse', () => {
    showFleet(
      { ...night, summary: { ...night.summary, filter } },
      '?view=wall&label=environment%3Dproduction&rows=region',
    );
    expect(document.querySelector('.hero-filter')?.textContent).toBe(filterLine);
    const link = screen.getByRole('link', { name: filter.outside });
    expect(link.getAttribute('href')).toBe('/?rows=region&view=wall');
  });

  it('no cause is left out unsaid', () => {
    showFleet(night, '?view=wall&q=checkout');
    const [first] = screen.getAllByRole('link', { name: 'and 2 more causes, 2 objects' });
    expect(first?.getAttribute('href')).toContain('causes=all');
    expect(first?.getAttribute('href')).toContain('q=checkout');
    // Where there is no room for any beside the clusters, all are counted in one line.
    expect(document.querySelector('.wall-few-causes')?.textContent).toMatch(/^\d+ causes, \d+ objects$/);
  });

  it('what is only declared has no part in the numbers, neither of all nor of a cluster', () => {
    const row = wireRow({ cluster: 'c1', cells: 'OOc', declared: 1, worst: 'unobserved' });
    const calm = wireRow({ cluster: 'c2', cells: 'Oc', declared: 1, worst: 'converged' });
    const fleet = wireFleet({ columns: ['a', 'b', 'c'].map((name) => wireColumn(name)), rows: [calm, row] });
    const guarantee = { ...fleet.summary.guarantee, declared: 2 };
    showFleet({ ...fleet, summary: { ...fleet.summary, guarantee } }, '?view=wall');
    const list = (name: string) => within(screen.getByRole('list', { name })).getAllByRole('listitem');
    expect(list('Objects by verdict').map((tile) => tile.textContent)).toEqual(['1Unobserved', '2Converged']);
    expect(list('Clusters, worst first').map((one) => one.textContent)).toEqual(['c1live1', 'c2live1']);
    expect(screen.getByRole('link', { name: '2 declared stacks' })).toBeTruthy();
  });

  it('a row of what is only declared is not out of order', () => {
    const live = Array.from({ length: 14 }, (_, at) => wireRow({ cluster: `c${at}`, cells: 'O' }));
    const declared = wireRow({ cluster: 'not on a cluster', cells: 'O', state: 'declared' });
    showFleet(wireFleet({ columns: [wireColumn('dns', 'declared')], rows: [...live, declared] }), '?view=wall');
    expect(screen.getByText('1 cluster in order')).toBeTruthy();
  });
});

it('says what it is filtered by, and leads to all', () => {
  showFleet({ ...night, summary: { ...night.summary, filter } }, '?label=environment%3Dproduction');
  expect(document.querySelector('.hero-filter')?.textContent).toBe(filterLine);
  expect(screen.getByRole('link', { name: filter.outside }).getAttribute('href')).toBe('/');
});

it('the number of unobserved says how many of them are only declared', () => {
  const counts = { ...night.summary.counts, unobserved: 5 };
  showFleet({
    ...night,
    summary: { ...night.summary, counts, guarantee: { ...night.summary.guarantee, declared: 2 } },
  });
  const verdicts = within(screen.getByRole('group', { name: 'Verdicts to show' })).getAllByRole('button');
  expect(verdicts.map((button) => button.textContent)).toContain('Unobserved 5 (2 declared)');
});

it('on a phone a cluster counts apart what is only declared there', () => {
  const row = wireRow({ cluster: 'c1', cells: 'OOc', declared: 1, worst: 'unobserved' });
  const only = wireRow({ cluster: 'c2', cells: 'O', declared: 1, worst: null, state: 'declared' });
  showFleet(wireFleet({ columns: ['a', 'b', 'c'].map((name) => wireColumn(name)), rows: [row, only] }));
  const lines = within(screen.getByRole('region', { name: 'Clusters' })).getAllByRole('listitem');
  expect(lines.map((line) => line.textContent)).toEqual(['c1Unobserved1Converged11 declared', 'c21 declared']);
});

it('on a phone, where only the worst cause has a line, all others are counted', () => {
  showFleet(night);
  const compact = document.querySelector('.cause-compact');
  const { causesTotal, causesObjects, causes } = night.summary;
  const more = causesObjects - (causes[0]?.objects ?? 0);
  expect(compact?.textContent).toBe(`and ${causesTotal - 1} more causes, ${more} objects`);
});

it('a cell that stands for several columns shows each of them', async () => {
  const columns = Array.from({ length: 24 }, (_, at) => wireColumn(`app-${at}`));
  const rows = Array.from({ length: 6 }, (_, at) => wireRow({ cluster: `c${at}`, cells: 'c'.repeat(24) }));
  const { user } = showFleet(wireFleet({ columns, rows }));
  const grid = screen.getByRole('grid');
  const name = /, (\d+) columns: show them$/;
  const [folded = grid] = within(grid).getAllByRole('button', { name });
  const counted = Number(name.exec(folded.getAttribute('aria-label') ?? '')?.[1]);
  const before = within(grid).queryAllByRole('link', { name: /^app-/ }).length;
  await user.click(folded);
  expect(within(grid).queryByRole('button', { name })).toBeNull();
  expect(within(grid).getAllByRole('link', { name: /^app-/ })).toHaveLength(before + counted);
});
