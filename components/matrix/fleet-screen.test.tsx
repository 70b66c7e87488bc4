import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { WireFleet } from '#lib/api/fleet.ts';
import { day } from '#lib/domain/time/length.ts';
import { FakeEventSource } from '../testing/fake-event-source.ts';
import { nightFleet } from '../testing/night-fleet.ts';
import { pushed } from '../testing/router.ts';
import { showPage } from '../testing/show-page.tsx';
import { minutesAgo, wireFleet, wireFleetSummary, wireMark, wireRow } from '../testing/wire-fleet.ts';
import { FleetScreen } from './fleet-screen.tsx';
import { viewFrom } from './view-from.ts';

/** Shows the fleet page at an address; the server answers every fetch with `answer`. */
function showFleet(fleet: WireFleet, search = '', answer: WireFleet = fleet) {
  pushed.mockClear();
  const view = viewFrom(Object.fromEntries(new URLSearchParams(search)));
  return showPage(<FleetScreen sent={{ view, fleet }} moment={null} />, { search, answer: () => answer });
}

const night = nightFleet();
const cell = (name: RegExp) => screen.getByRole('link', { name });

describe('the sentence', () => {
  it('says what is wrong, because of what, since when and whether anybody was called', () => {
    showFleet(night);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(
      'Not so on 2 of 14 clusters: 2 objects are away from git and nobody is being called.',
    );
    const causes = within(screen.getByRole('list', { name: 'Causes' })).getAllByRole('listitem');
    expect(causes[0]?.textContent).toBe(
      'checkout on eu-west-3 build fails since 9f31c07, 1 object waits for it, 47 min, nobody is being called: no rule reads it',
    );
    expect(screen.getByRole('button', { name: 'and 2 more causes, 2 objects' })).toBeDefined();
    expect(document.querySelector('.plumb')?.getAttribute('data-truth')).toBe('broken');
  });

  it('does not repeat on every line that no alarm is known', () => {
    const causes = night.summary.causes.map((line) => ({ ...line, alarm: 'unknown' as const }));
    showFleet({ ...night, summary: { ...night.summary, causes } });
    const lines = within(screen.getByRole('list', { name: 'Causes' })).getAllByRole('listitem');
    expect(lines[0]?.textContent).toMatch(/1 object waits for it, 47 min$/);
  });

  it.each([
    [1, 1],
    [3, 0],
  ])(
    'asks for the suspect of a cause on %i clusters %i times: the first does not speak for the others',
    (clusters, times) => {
      const [one] = night.summary.causes;
      if (one === undefined) throw new Error('no cause');
      const { asked } = showFleet({ ...night, summary: { ...night.summary, causes: [{ ...one, clusters }] } });
      expect(asked.filter((path) => path.startsWith('/api/v1/suspects?'))).toHaveLength(times);
    },
  );

  it('says plainly that a fleet is simulated, and what is in trouble', () => {
    showFleet({ ...night, summary: { ...night.summary, trouble: 'The collector has not written for 4 min.' } });
    expect(screen.getAllByText('Simulated fleet').length).toBeGreaterThan(0);
    expect(screen.getByText('The collector has not written for 4 min.')).toBeDefined();
  });
});

/** The suspects of causes are asked for apart. */
const ofFleet = (asked: readonly string[]) => asked.filter((path) => !path.startsWith('/api/v1/suspects?'));

describe('the legend', () => {
  it('counts every verdict and filters by it; the filter stands in the address', async () => {
    const { user, urls, asked } = showFleet(night);
    const legend = screen.getByRole('group', { name: 'Verdicts to show' });
    expect(within(legend).getAllByRole('button')).toHaveLength(11);
    await user.click(within(legend).getByRole('button', { name: 'Stale 14' }));
    await waitFor(() => expect(urls.at(-1)).toBe('?verdict=stale'));
    expect(within(legend).getByRole('button', { name: 'Stale 14' }).getAttribute('aria-pressed')).toBe('true');
    await waitFor(() => expect(ofFleet(asked)).toEqual(['/api/v1/fleet?verdict=stale']));
    expect(FakeEventSource.last.url).toContain('topic=fleet&verdict=stale');
    await user.click(within(legend).getByRole('button', { name: 'Diverged 3' }));
    await waitFor(() => expect(urls.at(-1)).toBe('?verdict=diverged,stale'));
  });
});

describe('the matrix', () => {
  it('names its cells by verdict first and tells its true size', () => {
    showFleet(night);
    const grid = screen.getByRole('grid', { name: 'Clusters by columns' });
    expect(grid.getAttribute('aria-rowcount')).toBe('19');
    expect(grid.getAttribute('aria-colcount')).toBe('19');
    expect(
      cell(/^Diverged, nobody is being called, since 02:12 UTC, BuildFailed, runs 2d81e55$/).getAttribute('href'),
    ).toBe('/clusters/eu-west-3/kustomize.toolkit.fluxcd.io/Kustomization/flux-system/checkout');
    expect(within(grid).getAllByRole('gridcell', { name: 'not deployed here' })).toHaveLength(34);
    expect(within(grid).getAllByRole('link', { name: 'Unobserved' })).toHaveLength(18);
  });

  it('hatches the column of a cluster that is not seen, and says of none of its cells that nothing is deployed there', () => {
    const lost = wireRow({ cluster: 'lost', cells: ' '.repeat(night.columns.length), state: 'unreachable' });
    showFleet({ ...night, rows: [lost, ...night.rows.slice(0, 2)] });
    const cells = within(screen.getByRole('grid')).getAllByRole('gridcell', { name: 'not seen' });
    expect(cells).toHaveLength(night.columns.length);
    expect(cells.filter((each) => !each.classList.contains('m-blind'))).toEqual([]);
  });

  it('has one tab stop and is walked by keys', async () => {
    const { user } = showFleet(night);
    const grid = screen.getByRole('grid');
    expect(grid.querySelectorAll('[data-h][tabindex="0"]')).toHaveLength(1);
    act(() => within(grid).getByRole('link', { name: 'eu-west-3' }).focus());
    await user.keyboard('{ArrowRight}{ArrowDown}');
    expect(document.activeElement?.closest('tr')?.getAttribute('data-k')).toBe('us-east-2');
    expect(document.activeElement?.getAttribute('data-h')).toBe('sources/control-repo');
    expect(screen.getByTestId('read-out').textContent).toContain('control-repo on us-east-2: Converged');
    await user.keyboard('{Control>}{End}{/Control}');
    expect(document.activeElement?.closest('tr')?.getAttribute('data-k')).toBe('sbx-2');
    await user.keyboard('{Control>}{Home}{/Control}');
    expect(document.activeElement?.textContent).toBe('control-repo');
    expect(grid.querySelectorAll('[data-h][tabindex="0"]')).toHaveLength(1);
  });

  it('jumps along deviations, worst first, and opens object and commit', async () => {
    const { user } = showFleet(night);
    await user.keyboard(']');
    expect(document.activeElement).toBe(cell(/^Diverged, nobody is being called/));
    await user.keyboard('{Shift>}{Enter}{/Shift}');
    expect(pushed).toHaveBeenLastCalledWith('/commits/2d81e55');
    await user.keyboard('{Enter}');
    expect(pushed).toHaveBeenLastCalledWith(
      '/clusters/eu-west-3/kustomize.toolkit.fluxcd.io/Kustomization/flux-system/checkout',
    );
    await user.keyboard(']');
    expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^Drifted, nobody is being called/);
    await user.keyboard('[[');
    expect(document.activeElement).toBe(cell(/^Diverged, nobody is being called/));
  });

  it('stands still while someone is in it, and says how many rows would move', async () => {
    const { user } = showFleet(night);
    const names = () =>
      screen
        .getAllByRole('rowheader')
        .map((head) => head.closest('tr')?.getAttribute('data-k'))
        .filter(Boolean);
    const before = names();
    act(() => screen.getByRole('grid').querySelector<HTMLElement>('[data-h][tabindex="0"]')?.focus());
    const order = ['us-west-2', ...night.rows.map((row) => row.cluster).filter((name) => name !== 'us-west-2')];
    const worse = wireRow({ cluster: 'us-west-2', cells: `D${'c'.repeat(17)}`, marks: [wireMark({ c: 0 })] });
    act(() => FakeEventSource.last.send({ type: 'rows', rows: [worse], order, columns: null }));
    expect(names()).toEqual(before);
    act(() => screen.getByRole('grid').querySelector<HTMLElement>('[data-h][tabindex="0"]')?.blur());
    await user.hover(screen.getByRole('grid'));
    expect(names()[0]).toBe('us-west-2');
    act(() =>
      FakeEventSource.last.send({ type: 'rows', rows: [], order: night.rows.map((row) => row.cluster), columns: null }),
    );
    expect(names()[0]).toBe('us-west-2');
    await user.click(screen.getByRole('button', { name: 're-sort' }));
    expect(names()).toEqual(before);
  });
});

describe('states', () => {
  it('without a cluster shows exactly what to add', () => {
    const summary = wireFleetSummary({
      guarantee: { ...wireFleetSummary().guarantee, truth: 'empty', body: 'No cluster is read yet.' },
    });
    showFleet({ ...wireFleet({ rows: [], columns: [] }), summary, hint: 'clusters:\n  - name: eu-west-3\n' });
    expect(screen.getByText(/- name: eu-west-3/)).toBeDefined();
    expect(document.querySelector('.plumb')?.getAttribute('data-truth')).toBe('empty');
    expect(screen.queryByRole('grid')).toBeNull();
  });

  it('names the filters that emptied it, each with its way out', async () => {
    const { user, urls } = showFleet({ ...night, rows: [] }, '?q=zzz&verdict=stale');
    expect(screen.getByText('Nothing matches "zzz" and rows and columns with stale.')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Show again without: "zzz"' }));
    await waitFor(() => expect(urls.at(-1)).toBe('?verdict=stale'));
  });

  it('tells how much has been read, and what is missing', () => {
    showFleet({ ...night, summary: { ...night.summary, clusters: { total: 1000, synced: 62 }, objects: 48_120 } });
    expect(screen.getByTestId('read-out').textContent).toContain('62 of 1,000 clusters read, 48,120 objects');
    expect(screen.getByTestId('read-out').textContent).toContain('ap-northeast-1 unreachable for 38 min');
  });

  it('ages: past 60 s without news dots are hollow, past 5 min the line is grey; news mend it', () => {
    showFleet(night);
    act(() => FakeEventSource.last.open());
    const frame = document.querySelector('[data-feed]');
    expect(frame?.getAttribute('data-feed')).toBe('live');
    act(() => {
      vi.advanceTimersByTime(62_000);
    });
    expect(frame?.getAttribute('data-feed')).toBe('old');
    act(() => {
      vi.advanceTimersByTime(241_000);
    });
    expect(frame?.getAttribute('data-feed')).toBe('dead');
    expect(document.querySelector('.plumb')?.getAttribute('data-truth')).toBe('unknown');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toMatch(/^That cannot be said now\. Last known:/);
    act(() => FakeEventSource.last.send({ type: 'tick', at: new Date().toISOString(), lastWordAt: null }));
    expect(frame?.getAttribute('data-feed')).toBe('live');
  });

  it('says for how long the server is not reached and when the next try is', () => {
    showFleet(night);
    act(() => FakeEventSource.last.fail());
    act(() => {
      vi.advanceTimersByTime(1000);
    });
    act(() => FakeEventSource.last.fail());
    expect(screen.getByText(/No connection to the server/).closest('span')?.textContent).toMatch(
      /for 1 s: .* Next try in 2 s\./,
    );
    act(() => FakeEventSource.last.open());
    expect(screen.queryByText(/No connection to the server/)).toBeNull();
  });

  it('interrupts for a new silent object and for nothing else', () => {
    showFleet(night);
    const guarantee = { ...night.summary.guarantee, broken: 3 };
    act(() => FakeEventSource.last.send({ type: 'summary', summary: { ...night.summary, objects: 1 } }));
    expect(screen.getByRole('alert').textContent).toBe('');
    act(() => FakeEventSource.last.send({ type: 'summary', summary: { ...night.summary, guarantee } }));
    expect(screen.getByRole('alert').textContent).toMatch(
      /^checkout on eu-west-3: diverged, and nobody is being called\./,
    );
  });
});

describe('keys', () => {
  it('help lists them and switches single keys off', async () => {
    const { user } = showFleet(night);
    await user.keyboard('?');
    const dialog = await screen.findByRole('dialog', { name: 'Keys and signs' });
    await user.click(within(dialog).getByRole('checkbox'));
    await user.click(within(dialog).getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.keyboard('?gf');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(pushed).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: 'Keys and signs' }));
    await user.click(await screen.findByRole('checkbox'));
  });

  it('copy the link of the page, and say so for a moment', async () => {
    const { user } = showFleet(night);
    await user.keyboard('c');
    expect(await screen.findByText('Link copied')).toBeTruthy();
    expect(await navigator.clipboard.readText()).toBe(location.href);
    act(() => {
      vi.advanceTimersByTime(2000);
    });
    expect(screen.queryByText('Link copied')).toBeNull();
  });

  it('lead to the list where the field has no room', async () => {
    const { user } = showFleet(night);
    screen.getByRole('searchbox').hidden = true;
    vi.spyOn(HTMLInputElement.prototype, 'focus').mockImplementation(() => {});
    await user.keyboard('/');
    expect(pushed).toHaveBeenCalledWith('/objects');
  });

  it('lead to the field and to pages, but not while one writes', async () => {
    const { user } = showFleet(night);
    await user.keyboard('/');
    const field = screen.getByRole('searchbox');
    expect(document.activeElement).toBe(field);
    await user.keyboard('gf');
    expect(pushed).not.toHaveBeenCalled();
    await user.keyboard('{Escape}go');
    expect(pushed).toHaveBeenCalledWith('/objects');
  });
});

it('never asks for anything but to read', async () => {
  const { user, asked, methods } = showFleet(night);
  await user.click(screen.getByRole('button', { name: 'Stale 14' }));
  await waitFor(() => expect(ofFleet(asked)).toHaveLength(1));
  expect([...methods]).toEqual(['GET']);
  expect(document.querySelector('form')).toBeNull();
});

it('shows the time of the page and that it is live', () => {
  showFleet(night);
  act(() => {
    FakeEventSource.last.open();
    FakeEventSource.last.send({ type: 'tick', at: minutesAgo(0), lastWordAt: minutesAgo(0) });
  });
  expect(screen.getByText('02:59:14 UTC').closest('header')?.textContent).toContain('As of 02:59:14 UTC, live');
});

it('tells at its foot how large the record is, since when, and how long it is kept', () => {
  const record = { bytes: 412_345_678, since: '2026-08-21T00:00:00.000Z', spans: 400 * day, messages: 30 * day };
  showFleet({ ...night, summary: { ...night.summary, record } });
  expect(screen.getByText('Record: 412 MB since 21 Aug 2026, kept 400 d')).toBeDefined();
});

it('counts what weakens the sentence under the matrix, and leads to the lists; none is not said', () => {
  showFleet({ ...night, summary: { ...night.summary, exempt: 300, exemptions: 412, conflicts: 1 } });
  expect(
    screen
      .getByRole('link', { name: '300 objects have settings that weaken the guarantee (412 settings)' })
      .getAttribute('href'),
  ).toBe('/exemptions');
  expect(screen.getByRole('link', { name: '1 conflict' }).getAttribute('href')).toBe('/exemptions?tab=conflicts');
});
