import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { WireHistory } from '#lib/api/history.ts';
import { FakeEventSource } from '../../testing/fake-event-source.ts';
import { showPage } from '../../testing/show-page.tsx';
import { minutesAgo, wireFleetSummary } from '../../testing/wire-fleet.ts';
import { wireHistory, wireLane, wireMarkOfTime } from '../../testing/wire-record.ts';
import { HistoryScreen } from '../history-screen.tsx';
import { recordFilterFrom } from '../../record/record-filter.ts';
import { historyParams, periodFrom, rowsFor, usualHistory } from '../../record/shown-period.ts';

function showHistory(
  history: WireHistory | null,
  search = '',
  answer: (path: string) => unknown = () => history ?? wireHistory(),
) {
  const query = Object.fromEntries(new URLSearchParams(search));
  const rows = rowsFor(query['table'] ?? '');
  const params = { ...historyParams(recordFilterFrom(query), periodFrom(query), usualHistory), ...rows };
  return showPage(<HistoryScreen sent={{ params, history }} summary={wireFleetSummary()} />, { search, answer });
}

const events = () =>
  screen
    .getAllByRole('link')
    .flatMap((link) => (link.hasAttribute('data-event') ? link.getAttribute('aria-label') : []));
const readOut = () => document.querySelector('.time-read-out')?.textContent;

const twoLanes = wireHistory({
  by: 'cluster',
  lanes: [
    wireLane({ key: 'eu-west-3', title: 'eu-west-3' }),
    wireLane({
      key: 'us-east-1',
      title: 'us-east-1',
      objects: 12,
      history: '/history?cluster=us-east-1',
      marks: [
        wireMarkOfTime(1440, 200, 'converged', { objects: 12, of: 12 }),
        wireMarkOfTime(200, 150, 'stale', {
          objects: 3,
          of: 12,
          changes: 4,
          shares: [
            { state: 'stale', share: 0.125 },
            { state: 'converged', share: 0.875 },
          ],
        }),
        wireMarkOfTime(150, 0, 'converged', { objects: 12, of: 12 }),
      ],
    }),
  ],
});

describe('a timeline', () => {
  it('has every event as a link to that moment, named by what it is; what is in order is none', () => {
    showHistory(wireHistory());
    expect(events()).toEqual([
      'Unobserved from 20 Nov 23:59:14 UTC for 30 min: no route',
      'Diverged from 21 Nov 02:12:14 UTC for 47 min, ongoing: BuildFailed, ran 2d81e55',
    ]);
    const diverged = screen.getByRole('link', { name: /^Diverged/ });
    expect(diverged.getAttribute('href')).toBe(
      '/clusters/eu-west-3/kustomize.toolkit.fluxcd.io/Kustomization/flux-system/checkout?at=2026-11-21T02:12:14Z',
    );
  });

  it('is at true scale', () => {
    showHistory(wireHistory());
    const { style } = screen.getByRole('link', { name: /^Unobserved/ });
    expect(style.getPropertyValue('--left')).toBe('87.500%');
    expect(style.getPropertyValue('--width')).toBe('2.083%');
  });

  it('has one stop for Tab, and arrows lead along the events and across the lanes', async () => {
    const { user } = showHistory(twoLanes);
    const stops = screen.getAllByRole('link').filter((link) => link.hasAttribute('data-event') && link.tabIndex === 0);
    expect(stops).toHaveLength(1);
    act(() => stops[0]?.focus());
    expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^Diverged/);
    await user.keyboard('{ArrowLeft}');
    expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^Unobserved/);
    await user.keyboard('{ArrowDown}');
    expect(document.activeElement?.getAttribute('aria-label')).toBe(
      '4 changes from 20 Nov 23:39:14 UTC to 21 Nov 00:29:14 UTC, too close to be told apart: at worst stale, at most 3 of 12 objects',
    );
    expect(readOut()).toMatch(/^us-east-1: 4 changes .* at worst stale/);
    await user.keyboard('{ArrowUp}{End}');
    expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^Diverged/);
  });

  it('reads out what is pointed at', () => {
    showHistory(wireHistory());
    expect(readOut()).toMatch(/^One lane per object/);
    const converged = document.querySelector('[data-lane] a[aria-hidden]');
    if (converged !== null) fireEvent.pointerOver(converged);
    expect(readOut()).toBe('Converged since before 20 Nov 02:59:14 UTC for at least 21 h');
  });

  it.each([
    ['7 d', 'last=7d'],
    ['6 h', 'last=6h'],
    ['Earlier', 'from=2026-11-19T14%3A59%3A14Z&to=2026-11-20T14%3A59%3A14Z'],
    ['Shorter period', 'from=2026-11-20T14%3A59%3A14Z'],
    ['Longer period', 'from=2026-11-19T02%3A59%3A14Z'],
  ])('%s stands in the URL and is asked for', async (name, query) => {
    const { user, asked, urls } = showHistory(wireHistory(), '?last=24h&cluster=eu-west-3');
    await user.click(screen.getByRole('button', { name }));
    await waitFor(() => expect(asked.at(-1)).toContain(query));
    expect(decodeURIComponent(urls.at(-1) ?? '')).toContain(decodeURIComponent(query));
    expect(urls.at(-1)).toContain('cluster=eu-west-3');
  });

  it('takes the next step from the period that is on its way', async () => {
    const { user, urls } = showHistory(wireHistory(), '?last=24h', () => ({}));
    await user.click(screen.getByRole('button', { name: '7 d' }));
    await user.keyboard('+');
    await waitFor(() => expect(urls.at(-1)).toBe('?from=2026-11-17T14:59:14Z'));
  });

  it('takes the keys + and -, and arrows with Shift', async () => {
    const { user, asked } = showHistory(wireHistory(), '?last=24h');
    await user.keyboard('-');
    await waitFor(() => expect(asked.at(-1)).toContain('from=2026-11-19T02'));
    act(() => screen.getByRole('link', { name: /^Diverged/ }).focus());
    await user.keyboard('{Shift>}{ArrowLeft}{/Shift}');
    await waitFor(() => expect(asked.at(-1)).toContain('to=2026-11-20T02'));
  });

  it('becomes the stretch that is drawn on it, and a press that draws opens nothing', async () => {
    const { asked } = showHistory(wireHistory(), '?last=24h');
    const track = document.querySelector('[data-track]');
    const body = document.querySelector('.time-body');
    if (track === null || body === null) throw new Error('no lane');
    track.getBoundingClientRect = () => new DOMRect(100, 0, 960, 29);
    body.setPointerCapture = () => {};
    const mark = screen.getByRole('link', { name: /^Unobserved/ });
    fireEvent.pointerDown(mark, { button: 0, clientX: 580, pointerId: 1 });
    fireEvent.pointerMove(body, { clientX: 820, pointerId: 1 });
    fireEvent.pointerUp(body, { clientX: 820, pointerId: 1 });
    const click = fireEvent.click(mark);
    expect(click).toBe(false);
    await waitFor(() => expect(asked.at(-1)).toContain('from=2026-11-20T14%3A59%3A14Z&to=2026-11-20T20%3A59%3A14Z'));
  });

  it('is there as a table, where the URL asks for it', () => {
    showHistory(wireHistory(), '?table=1');
    const table = screen.getByRole('table');
    const rows = within(table).getAllByRole('row').slice(1);
    expect(
      rows.map((row) =>
        within(row)
          .getAllByRole('cell')
          .map((cell) => cell.textContent),
      ),
    ).toEqual([
      ['Diverged', '21 Nov 02:12:14 UTC', '47 min, ongoing', 'BuildFailed, ran 2d81e55'],
      ['Converged', '21 Nov 00:29:14 UTC', '1 h 43 min', ''],
      ['Unobserved', '20 Nov 23:59:14 UTC', '30 min', 'no route'],
      ['Converged', 'before 20 Nov 02:59:14 UTC', 'at least 21 h', ''],
    ]);
    expect(within(table).getAllByRole('link')[0]?.getAttribute('href')).toContain('?at=2026-11-21T02:12:14Z');
  });

  it('says when the record begins, what is missing, and what Flux told of before', () => {
    showHistory(
      wireHistory({
        askedFrom: minutesAgo(9000),
        recordedSince: minutesAgo(600),
        earlier: [
          {
            from: minutesAgo(1300),
            to: minutesAgo(700),
            good: true,
            status: 'ReconciliationSucceeded',
            revision: 'main@sha1:2d81e5512345678901234567890123456789abcd',
          },
        ],
      }),
    );
    expect(screen.getByText(/The record begins at 20 Nov 16:59:14 UTC/)).toBeTruthy();
    expect(screen.getByText(/More is recorded than can be shown at once/)).toBeTruthy();
    expect(document.querySelector('.time-earlier')?.getAttribute('title')).toBe(
      'Told by its reconciler: ReconciliationSucceeded at main@2d81e55, at least from 20 Nov 05:19:14 UTC to 20 Nov 15:19:14 UTC',
    );
  });

  it('says so where nothing is recorded, and where the record cannot be read', async () => {
    showHistory(wireHistory({ lanes: [], recordedSince: null }), '?kind=Kustomization&name=nosuch');
    expect(
      screen.getByText('Nothing is recorded of Kustomization nosuch on every cluster in this period.'),
    ).toBeTruthy();
  });

  it('asks again by itself where the page came without it', async () => {
    const { asked } = showHistory(null);
    expect(screen.getByText('The record is being read.')).toBeTruthy();
    await waitFor(() => expect(events()).toHaveLength(2));
    expect(asked[0]).toMatch(/^\/api\/v1\/history\?last=7d/);
  });

  it.each([
    ['goes on while it ends now', '?last=24h', 1],
    ['stands still where it has ended', '?last=24h&to=2026-11-20T00:00:00Z', 0],
  ])('%s', async (_name, search, times) => {
    const { asked } = showHistory(wireHistory(), search);
    const tick = { type: 'tick' as const, at: minutesAgo(0), lastWordAt: minutesAgo(0) };
    act(() => {
      FakeEventSource.last.open();
      for (let n = 0; n < 4; n += 1) FakeEventSource.last.send(tick);
    });
    await waitFor(() => expect(asked).toHaveLength(times));
  });
});
