import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';

import { describe, expect, it, vi } from 'vitest';
import type { WireReport } from '#lib/api/report.ts';
import { day, minute } from '#lib/domain/time/length.ts';
import { showPage } from '../testing/show-page.tsx';
import { moment, wireFleetSummary } from '../testing/wire-fleet.ts';
import { wireReport } from '../testing/wire-report.ts';
import { askedFrom } from './requested-report.ts';
import { ReportScreen, type SentReport } from './report-screen.tsx';

const offer = { clusters: ['eu-west-3', 'stg-us'], labels: ['environment=production'] };
const lasting = { from: moment - day, to: moment, end: moment + day };

function show(
  answer: SentReport['answer'],
  search = '',
  { simulated = false, server = () => wireReport() }: { simulated?: boolean; server?: (path: string) => unknown } = {},
) {
  const asked = askedFrom(Object.fromEntries(new URLSearchParams(search)));
  const page = <ReportScreen sent={{ asked, answer }} offer={offer} summary={wireFleetSummary({ simulated })} />;
  return showPage(page, { search, answer: server });
}

const showReport = (report: WireReport, search = '', server?: (path: string) => unknown) =>
  show({ type: 'report', report }, search, server === undefined ? {} : { server });

const title = () => screen.getByRole('heading', { level: 1 }).textContent;

describe('the report', () => {
  it('says in sentences how it was, with numbers that lead to what they are made of', () => {
    showReport(wireReport());
    expect(title()).toBe('Drift report, October 2026');
    const [lead, times] = [...document.querySelectorAll('.report-lead')].map((part) => part.textContent);
    expect(lead).toBe(
      'For 0.5 object-hours past the alarm deadline of 15 min, nobody was called. 1 absence was never called for and 2 were called for late.' +
        '1 incident, of 3 of any size, took down 5 objects or more at once. Together they took an object away from git 9 times (a lost cluster counts as one).' +
        '3 incidents opened; 2 of them closed; 1 was still open at the end. Median time to converge: 30 min, the longest: 6 h. Median time to notice: 1 s.',
    );
    expect(times).toContain(
      'for 99.40 % of the object time observed, what was in git was what was running. 0.60 % was away from git.',
    );
    const link = within(screen.getByRole('article')).getByRole('link', { name: '0.60 %' });
    expect(link.getAttribute('href')).toMatch(/^\/reports\/spans\?from=2026-10-01.*&verdict=diverged,drifted/);
  });

  it('tells the worst incidents first, each leading to its page', () => {
    showReport(wireReport());
    const parts = [...(document.querySelector('.report')?.children ?? [])].map(({ className }) => className);
    const [worst, figures] = ['report-part report-worst', 'report-heads'].map((name) => parts.indexOf(name));
    expect(worst).toBeGreaterThan(0);
    expect(figures).toBeGreaterThan(worst ?? Infinity);
    const table = screen.getByRole('table', { name: 'The worst incidents' });
    const link = within(table).getByRole('link', { name: 'checkout on eu-west-3' });
    expect(link.getAttribute('href')).toBe('/incidents/k3x9q7w2m4n8');
    expect(within(table).getByText('36 object-hours')).toBeTruthy();
  });

  it('has six figures, each with its direction', () => {
    showReport(wireReport());
    const figures = [...document.querySelectorAll('.report-heads > div')].map((figure) => figure.textContent);
    expect(figures).toEqual([
      'Incidents of 5 objects or more1of 3 of any size; was 1, about the samewhat failed by one cause and took down so many at once',
      'Time to notice, median1 swas 1 sfrom the first object of an incident away to Plumbline knowing',
      'Time to converge, median30 minwas 30 minfrom the first object of an incident away to the last one back',
      'Something away from git6 h0.81 % of the period; was 12 h, betteron the clock: while at least one object anywhere was not as in git',
      'Object time converged99.40 %99.51 % observed; was 98.81 %, betterevery object counted alike: what was in git was running',
      'From commit to runningnonewas nonefrom a cluster offering a commit to all of it running there',
    ]);
  });

  it('while stored history is still being made into incidents says so, and draws no time to converge', () => {
    const report = wireReport();
    showReport({
      ...report,
      made: { upTo: '2026-09-03T12:30:00.000Z' },
      incidents: { worst: [], longest: [] },
      distribution: [],
      figures: { ...report.figures, incidents: null },
    });
    expect(document.querySelector('.report-lead')?.textContent).toBe(
      'For 0.5 object-hours past the alarm deadline of 15 min, nobody was called. 1 absence was never called for and 2 were called for late.' +
        'How many incidents there were cannot be said yet: stored history is still being made into incidents, so far up to 3 Sep 2026 12:30 UTC.',
    );
    expect(screen.queryByRole('table', { name: 'The worst incidents' })).toBeNull();
    expect(screen.queryByRole('table', { name: 'Time to converge' })).toBeNull();
  });

  it('has each chart as a table too', () => {
    showReport(wireReport());
    for (const name of ['Share of object time away from git', 'Time to converge']) {
      const table = screen.getByRole('table', { name });
      expect(within(table).getAllByRole('row').length).toBeGreaterThan(5);
    }
    expect(screen.getAllByRole('img', { name: /Share of object time away from git per day/ }).length).toBeGreaterThan(
      0,
    );
  });

  it('explains its words before the tables, and when better is said', () => {
    showReport(wireReport());
    const parts = [...(document.querySelector('.report')?.children ?? [])];
    const summaries = parts.findIndex((part) => part.classList.contains('report-heads'));
    expect(parts[summaries + 2]?.textContent).toMatch(/^How to read this report.*Better, worse.*at least a tenth/);
  });

  it('has the address of its period on paper, also where it was asked for by a name', () => {
    showReport(wireReport(), '?period=last-month');
    const foot = document.querySelector('footer.paper-only')?.textContent;
    expect(foot).toContain(`${location.origin}/reports?from=2026-10-01T00:00:00.000Z&to=2026-11-01T00:00:00.000Z`);
    expect(foot).not.toContain('last-month');
  });

  it('comes as a file of this very period, also where it was asked for by a name', () => {
    showReport(wireReport(), '?period=last-month&cluster=eu-west-3');
    const href = screen.getByRole('link', { name: 'CSV' }).getAttribute('href') ?? '';
    const query = new URLSearchParams(href.split('?')[1]);
    expect(Object.fromEntries(query)).toEqual({
      cluster: 'eu-west-3',
      from: '2026-10-01T00:00:00.000Z',
      to: '2026-11-01T00:00:00.000Z',
      format: 'csv',
    });
  });
});

describe('another period or scope', () => {
  it('by name is asked for and stands in the address; meanwhile the one before stays, and that is said', async () => {
    const other = wireReport({ from: Date.UTC(2026, 8, 1), to: Date.UTC(2026, 9, 1), end: Date.UTC(2026, 9, 1) });
    const { user, urls, asked } = showReport(wireReport(), '', () => other);
    await user.click(screen.getByRole('button', { name: 'Last month' }));
    await waitFor(() => expect(title()).toBe('Drift report, September 2026'));
    expect(urls.at(-1)).toBe('?period=last-month');
    expect(asked).toEqual(['/api/v1/report?period=last-month']);
    expect(screen.getByRole('button', { name: 'Last month' }).getAttribute('aria-pressed')).toBe('true');
  });

  it('by days: both ends are kept', async () => {
    const { urls } = showReport(wireReport());
    const from = screen.getByLabelText('From');
    fireEvent.change(from, { target: { value: '2026-10-05' } });
    fireEvent.blur(from);
    await waitFor(() => expect(urls.at(-1)).toBe('?from=2026-10-05&to=2026-11-01T00:00:00.000Z'));
  });

  it('by cluster', async () => {
    const { user, urls } = showReport(wireReport());
    await user.type(screen.getByRole('combobox', { name: 'Cluster' }), 'stg-us{Enter}');
    await waitFor(() => expect(urls.at(-1)).toBe('?cluster=stg-us'));
  });

  it('of one kind alone can be left again', async () => {
    const { user, urls } = showReport(wireReport(), '?group=x&kind=Kustomization');
    await user.click(screen.getByRole('button', { name: 'All kinds, not Kustomization alone' }));
    await waitFor(() => expect(urls.at(-1)).toBe(''));
  });
});

describe('what a reader must know', () => {
  it('a simulated past is told as one', () => {
    showReport(wireReport(undefined, { simulated: true }));
    expect(screen.getByText(/The fleet and its history are simulated/)).toBeTruthy();
  });

  it('where nothing is recorded nothing is claimed', () => {
    const empty = wireReport(undefined, { since: null, before: null });
    showReport(empty);
    expect(screen.getByText(/There is no record of this period/)).toBeTruthy();
    expect(document.querySelector('.report-heads')).toBeNull();
    expect(screen.queryByText(/%/)).toBeNull();
  });

  it('an address that cannot be read is told, with a way out', () => {
    const { asked } = show({ type: 'none', message: 'In the address, "from" must be a day.' }, '?from=monday');
    expect(screen.getByText(/"from" must be a day/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Report on the last 30 days' }).getAttribute('href')).toBe('/reports');
    expect(asked).toEqual([]);
  });

  it('an answer that failed leaves the report before, and says so', async () => {
    const { user } = showReport(wireReport(), '', () => ({ nonsense: true }));
    await user.click(screen.getByRole('button', { name: 'Last 7 days' }));
    expect(
      await screen.findByText(/in a shape that this page does not know.*What stands here is the report before/),
    ).toBeTruthy();
    expect(title()).toBe('Drift report, October 2026');
  });

  it('one of a period that goes on grows old, and can be made again', async () => {
    const { user, asked } = showReport(wireReport(lasting), '', () => wireReport(lasting));
    expect(screen.queryByText(/This report was made/)).toBeNull();
    act(() => void vi.advanceTimersByTime(6 * minute));
    expect(await screen.findByText('This report was made 6 min ago, and its period goes on.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Make it again' }));
    await waitFor(() => expect(asked).toEqual(['/api/v1/report']));
  });

  it('one of a period that is over does not', async () => {
    showReport(wireReport());
    act(() => void vi.advanceTimersByTime(60 * minute));
    expect(screen.queryByText(/This report was made/)).toBeNull();
  });
});
