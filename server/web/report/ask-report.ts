import { setImmediate as nextPass } from 'node:timers/promises';
import type { WireReport } from '#lib/api/report.ts';
import type { Incident } from '#lib/domain/record/incident.ts';
import type { PeriodAnswers, ReportAnswers, ReportScope } from '#lib/report/answers.ts';
import { periodBefore, type ReportPeriod } from '#lib/domain/time/report-period.ts';
import { reportOf } from '#lib/report/report.ts';
import { mostUnseen } from '#lib/report/unseen.ts';
import { noShares } from '#lib/domain/record/segments.ts';
import type { Period } from '#lib/domain/record/span.ts';
import type { RecordReader, RecordScope } from '#server/store/port/record-port.ts';
import { incidentAsOf } from '../past/reader-as-of.ts';
import { withoutDeclared, type ObservableRecord } from './without-declared.ts';

/** Subject of a report, and what it must know beside the record. Times and durations in ms. */
export interface ReportRequest {
  readonly period: ReportPeriod;
  readonly scope: ReportScope;
  readonly asOf: number;
  readonly version: string;
  readonly simulated: boolean;
  readonly alarmWithin: number;
}

/** One question over the record, read: what every answer over a period needs. */
export interface PeriodQuestion extends Omit<ReportRequest, 'version' | 'alarmWithin'> {
  readonly record: RecordReader;
}

/** Number of incidents that are listed, and number that are read for it. */
const incidentsShown = 10;
const offendersShown = 10;
const applicationsShown = 10;
const suspensionsRead = 1_000;
/** Changes that a report has figures of. */
const changesCounted = ['exemption-added', 'exemption-removed', 'suspended', 'resumed'] as const;

/** The scope as the record knows it. */
export function recordScope({ clusters, kind }: ReportScope): RecordScope {
  return { clusters, ...(kind === null ? {} : { kind }) };
}

/**
 * Asks the record for everything that a report is made of, and makes it. Between two questions others get their turn, for an engine
 * may answer on the thread that serves pages. What the record throws is not caught.
 */
export async function askReport(whole: RecordReader, asked: ReportRequest): Promise<WireReport> {
  const record = withoutDeclared(whole);
  const { period, scope, asOf, version, simulated, alarmWithin } = asked;
  const of = recordScope(scope);
  const since = await record.since(of);
  const now = await askNow(record, of, period, alarmWithin);
  const earlier = periodBefore(period);
  const before = since === null || since >= earlier.to ? null : await askPeriod(record, of, earlier, alarmWithin, 0);
  return reportOf({ asOf, version, simulated, scope, alarmWithin, since, now, before });
}

async function askPeriod(
  record: ObservableRecord,
  scope: RecordScope,
  period: Period,
  alarmWithin: number,
  applications: number,
): Promise<PeriodAnswers> {
  const [total] = await yielding(record.shares(scope, period, 'total'));
  const wallClock = await yielding(record.wallClock(scope, period, applications));
  const counts = await yielding(record.counts(scope, period));
  const incidents = await yielding(record.incidentFigures(scope, period, alarmWithin));
  const corrections = await yielding(record.correctionDays(scope, period));
  const changes = await yielding(record.changeCounts(scope, period, changesCounted));
  const arrivals = await yielding(record.arrivalTimes(scope, period));
  const figures = { wallClock, incidents, corrections, changes, arrivals };
  return { period, total: total?.shares ?? noShares, ...counts, ...figures };
}

async function askNow(
  record: ObservableRecord,
  scope: RecordScope,
  period: ReportPeriod,
  alarmWithin: number,
): Promise<ReportAnswers> {
  const common = await askPeriod(record, scope, period, alarmWithin, applicationsShown);
  const days = await yielding(record.shares(scope, period, 'day'));
  const clusters = await yielding(record.shares(scope, period, 'cluster'));
  const kinds = await yielding(record.shares(scope, period, 'kind'));
  const longest = await yielding(
    record.incidents(scope, period, { order: 'longest', cursor: null, limit: incidentsShown }),
  );
  const asOfThen: Incident[] = [];
  for (const incident of longest.items) asOfThen.push(await yielding(incidentAsOf(record, incident, period.to - 1)));
  const worst = await yielding(record.worst(scope, period, offendersShown));
  const found = await yielding(record.suspensions(scope, period, suspensionsRead));
  const withGaps = new Set([...mostUnseen(clusters), ...found.map(({ span }) => span.ref.cluster)]);
  const gaps = await yielding(record.gaps([...withGaps], period));
  return {
    ...common,
    period,
    days,
    clusters,
    kinds,
    longest: asOfThen,
    worst,
    suspensions: { found, complete: found.length < suspensionsRead },
    gaps,
  };
}

async function yielding<T>(answer: Promise<T>): Promise<T> {
  const value = await answer;
  await nextPass();
  return value;
}
