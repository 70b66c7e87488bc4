import { expect, it } from 'vitest';
import { ReportQuery } from '#lib/api/report.ts';
import { noticesOf } from '#lib/report/lead.ts';
import { hour } from '#lib/domain/time/length.ts';
import { readRecord } from '#server/store/record/record.ts';
import { noon, refOf, transitionOf } from '#test/contract/store-records.ts';
import { given } from '../testing/moment.ts';
import { reportService } from './report-service.ts';

const transitions = [transitionOf(refOf('a', 1), noon, { noticedAt: noon, from: null, to: 'converged' })];
const seen = { cluster: 'a', kind: null, at: noon, observed: true, state: 'live', reason: null };
const record = readRecord({ transitions, coverage: [seen] });

/** The report of a day from noon on, six hours after it; nobody vouches for anything after `validUntil`. */
async function reportOf(validUntil: number) {
  const report = given(
    await reportService({
      record: () => record,
      now: () => noon + 30 * hour,
      version: '1',
      alarmWithin: hour,
      simulated: false,
      clusters: () => [{ record: { name: 'a', labels: {}, validUntil }, objects: [] }],
    }).report(ReportQuery.parse({ from: new Date(noon).toISOString(), to: new Date(noon + 24 * hour).toISOString() })),
  );
  return { report, notices: noticesOf(report).join(' ') };
}

it('ends where the last word is vouched for: after that nobody looked, and nothing is converged', async () => {
  const { report, notices } = await reportOf(noon + 2 * hour);
  expect(report.figures).toMatchObject({ convergedMs: 2 * hour, existedMs: 2 * hour });
  expect(report.period).toMatchObject({ to: new Date(noon + 2 * hour).toISOString(), lasting: true });
  expect(notices).toContain('Nobody has looked since 21 Nov 2026 14:00 UTC');
  expect(notices).not.toContain('how it stands now');
});

it('is whole where somebody still looks, and empty where nobody did', async () => {
  expect((await reportOf(noon + 31 * hour)).report.figures.convergedMs).toBe(24 * hour);
  expect((await reportOf(noon - hour)).report.figures).toMatchObject({ existedMs: 0, convergedShare: null });
});
