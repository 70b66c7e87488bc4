// Commits that arrived, told to who sees a part of a cluster: arrivals are kept by cluster, and so are not known of a part.
import { expect, it } from 'vitest';
import type { Within } from '#lib/domain/access/within.ts';
import { makeDocument } from '#lib/report/make-document.ts';
import { reportMarkdown } from '#lib/draw/report/report-markdown.ts';
import { WireArrivalList, WireReport } from '#lib/api/report.ts';
import { csvRows } from '#test/referee/csv.ts';
import { askReport } from '../report/ask-report.ts';
import { reportCsv } from '../report/report-csv.ts';
import { arrivalList } from '../report/report-lists.ts';
import { asked, octoberHistory } from '../report/testing/october.ts';
import { recorded } from '../report/testing/recorded.ts';
import { recordWithin } from './record/record-within.ts';
import { sightOf } from './sight.ts';

const part = { clusters: ['eu-west-3'], namespaces: ['flux-system'] };
const views = {
  /** A namespace of a cluster, and all of another one. */
  mixed: [part, { clusters: ['stg-us'], namespaces: null }],
  part: [part],
  parts: [{ clusters: null, namespaces: ['flux-system'] }],
  whole: [{ clusters: null, namespaces: null }],
} as const satisfies Readonly<Record<string, Within>>;

function recordOf(view: keyof typeof views) {
  const sight = sightOf(views[view]);
  return recordWithin(recorded(octoberHistory), () => sight);
}

async function reportOf(view: keyof typeof views): Promise<WireReport> {
  return WireReport.parse(await askReport(recordOf(view), asked()));
}

const noTimes = { medianMs: null, p95Ms: null };

it('are counted of whole clusters, and not known of others', async () => {
  const arrivals = async (view: keyof typeof views) => (await reportOf(view)).figures.arrivals;
  expect(await arrivals('whole')).toEqual({ count: 1, medianMs: 250_000, p95Ms: 250_000, unknown: 1, notKnownOn: [] });
  expect(await arrivals('mixed')).toEqual({ ...noTimes, count: 0, unknown: 1, notKnownOn: ['eu-west-3'] });
  expect(await arrivals('part')).toEqual({ ...noTimes, count: null, unknown: null, notKnownOn: ['eu-west-3'] });
  expect((await arrivals('parts')).notKnownOn).toEqual(['eu-west-3', 'stg-us']);
});

it('stand in the list as those of whole clusters, which says of which they are not known', async () => {
  const { version: _version, alarmWithin: _alarm, ...question } = asked();
  const list = async (view: keyof typeof views) =>
    WireArrivalList.parse(await arrivalList({ ...question, record: recordOf(view) }, 10));
  expect(await list('mixed')).toMatchObject({
    arrivals: [{ cluster: 'stg-us' }],
    spread: { count: 0, unknown: 1, notKnownOn: ['eu-west-3'] },
  });
  expect(await list('part')).toMatchObject({ arrivals: null, spread: { count: null, notKnownOn: ['eu-west-3'] } });
});

it('are not known in the words of a report, where none of its clusters is seen whole', async () => {
  const report = await reportOf('part');
  const document = makeDocument(report);
  expect(document.notices).toContain(
    'Commits that arrived are not known in your view on eu-west-3: of it you see some namespaces, and arrivals are kept for whole clusters.',
  );
  expect(document.figures.find(({ label }) => label === 'From commit to running')?.value).toBe('not known');
  const rows = document.sections.find(({ id }) => id === 'figures')?.table.rows ?? [];
  const cells = rows.filter(([label]) => /^Commits that arrived|^From commit to running/.test(label?.text ?? ''));
  expect(cells.map(([, now]) => now?.text)).toEqual(['not known', 'not known', 'not known']);
  expect(reportMarkdown(document, null)).toContain('not known in your view on eu-west-3');
});

it('have words of a report that say of which clusters they are, where some are seen whole', async () => {
  const document = makeDocument(await reportOf('mixed'));
  expect(document.notices.some((text) => text.includes('not known in your view on eu-west-3'))).toBe(true);
  expect(document.figures.find(({ label }) => label === 'From commit to running')?.value).toBe(
    'none, 1 cluster not known',
  );
  const whole = makeDocument(await reportOf('whole'));
  expect(whole.notices.some((text) => text.includes('in your view'))).toBe(false);
});

it('are an empty value with its reason in the lines of a report', async () => {
  const lines = async (view: keyof typeof views) =>
    csvRows([...reportCsv(await reportOf(view))].join(''))
      .filter(({ figure = '' }) => /^commits arrived|^commit to running/.test(figure))
      .map(({ figure, value, note }) => [figure, value, note]);
  expect(await lines('part')).toEqual([
    ['commits arrived', '', 'not known in your view on eu-west-3'],
    ['commit to running, median', '', 'not known in your view on eu-west-3'],
    ['commit to running, 95 of 100', '', 'not known in your view on eu-west-3'],
  ]);
  expect((await lines('mixed'))[0]).toEqual(['commits arrived', '1', 'not known in your view on eu-west-3']);
  expect((await lines('whole'))[0]).toEqual(['commits arrived', '2', '']);
});
