import { setImmediate as nextPass } from 'node:timers/promises';
import type { WireReport } from '#lib/api/report.ts';
import type { LoadedRules } from '#lib/domain/alarm/coverage/loaded-rules.ts';
import type { Incident } from '#lib/domain/incident/incident.ts';
import type { PeriodAnswers, ReportAnswers, ReportScope, ToldIncident } from '#lib/report/answers.ts';
import { periodBefore, type ReportPeriod } from '#lib/domain/time/report-period.ts';
import { reportOf } from '#lib/report/report.ts';
import { mostUnseen } from '#lib/report/unseen.ts';
import { noShares } from '#lib/domain/record/segments.ts';
import type { Period } from '#lib/domain/record/span.ts';
import type { RecordReader, RecordScope } from '#server/store/port/record-port.ts';
import { askAlarms } from './ask-alarms.ts';
import { withoutDeclared, type ObservableRecord } from './without-declared.ts';

/** Subject of a report, and what it must know beside the record. Times and durations in ms. */
export interface ReportRequest {
  readonly period: ReportPeriod;
  readonly scope: ReportScope;
  readonly asOf: number;
  readonly version: string;
  readonly simulated: boolean;
  readonly alarmWithin: number;
  /** Rules that are loaded as the report is made and read objects of the fleet; null or absent where that is not known. */
  readonly rules?: LoadedRules | null;
}

/** One question over the record, read: what every answer over a period needs. */
export interface PeriodQuestion extends Omit<ReportRequest, 'version' | 'alarmWithin' | 'rules'> {
  readonly record: RecordReader;
}

const longestShown = 10;
const worstShown = 5;
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
 * Asks the record for everything that a report is made of, and makes it. Figures and events are asked beside each other, and so is
 * the period before: an engine may answer on threads of their own. Between two questions others get their turn, for an engine may answer on the thread that serves
 * pages. What the record throws is not caught.
 */
export async function askReport(whole: RecordReader, asked: ReportRequest): Promise<WireReport> {
  const record = withoutDeclared(whole);
  const { period, scope, asOf, version, simulated, alarmWithin, rules = null } = asked;
  const of = recordScope(scope);
  const begun = record.since(of);
  const told = record.incidentsUpTo();
  const asking = { record, scope: of, alarmWithin, made: told.then((upTo) => upTo === null) };
  const earlier = periodBefore(period);
  const before = begun.then((since) => (since === null || since >= earlier.to ? null : askPeriod(asking, earlier, 0)));
  const [since, madeUpTo, now, last] = await Promise.all([begun, told, askNow(asking, period), before, asking.made]);
  // A rule reads objects of the whole fleet: of a part of it, whether it called is not known.
  const loaded = scope.clusters === null && scope.kind === null ? rules : null;
  return reportOf({ asOf, version, simulated, scope, alarmWithin, since, madeUpTo, now, before: last, rules: loaded });
}

/** Parameters that all questions to the record have. `made`: all stored history has been made into incidents. */
interface Asking {
  readonly record: ObservableRecord;
  readonly scope: RecordScope;
  readonly alarmWithin: number;
  readonly made: Promise<boolean>;
}

/** The last moment of a period (ms): incidents are told as they were known then, and nothing that came later. */
function lastOf({ to }: Period): number {
  return to - 1;
}

/** Sums of a period, which must add up to each other: one after the other, of one reading. */
async function askSums({ record, scope }: Asking, period: Period, applications: number) {
  const [total] = await yielding(record.shares(scope, period, 'total'));
  const wallClock = await yielding(record.wallClock(scope, period, applications));
  const counts = await yielding(record.counts(scope, period));
  return { total: total?.shares ?? noShares, wallClock, ...counts };
}

/** Counts the events of a period. */
async function askEvents({ record, scope, alarmWithin, made }: Asking, period: Period) {
  // Side by side: nothing is written between the two then, and the second needs what the first has read.
  const [absences, alarms] = await Promise.all([
    yielding(record.absenceFigures(scope, period, alarmWithin)),
    yielding(askAlarms(record, scope, period, alarmWithin)),
  ]);
  const incidents = (await made) ? await yielding(record.causeFigures(scope, period, lastOf(period))) : null;
  const corrections = await yielding(record.correctionDays(scope, period));
  const changes = await yielding(record.changeCounts(scope, period, changesCounted));
  const arrivals = await yielding(record.arrivalTimes(scope, period));
  return { incidents, absences, alarms, corrections, changes, arrivals };
}

async function askPeriod(asking: Asking, period: Period, applications: number): Promise<PeriodAnswers> {
  const [sums, events] = await Promise.all([askSums(asking, period, applications), askEvents(asking, period)]);
  return { period, ...sums, ...events };
}

async function askNow(asking: Asking, period: ReportPeriod): Promise<ReportAnswers> {
  const { record, scope } = asking;

  async function askShares() {
    const sums = await askSums(asking, period, applicationsShown);
    const days = await yielding(record.shares(scope, period, 'day'));
    const clusters = await yielding(record.shares(scope, period, 'cluster'));
    const kinds = await yielding(record.shares(scope, period, 'kind'));
    return { ...sums, days, clusters, kinds };
  }

  async function askLists() {
    const longest = await askIncidents(asking, period, 'longest', longestShown);
    const worst = await askIncidents(asking, period, 'worst', worstShown);
    return { longest, worst };
  }

  async function askSuspensions() {
    const found = await yielding(record.suspensions(scope, period, suspensionsRead));
    return { found, complete: found.length < suspensionsRead };
  }

  // What takes longest of each is asked for first; what nothing hangs on comes last.
  const [shares, suspensions] = [askShares(), askSuspensions()];
  const offenders = shares.then(() => yielding(record.worst(scope, period, offendersShown)));
  const gaps = Promise.all([shares, suspensions]).then(([{ clusters }, { found }]) => {
    const suspended = found.map(({ span }) => span.ref.cluster);
    return yielding(record.gaps([...new Set([...mostUnseen(clusters), ...suspended])], period));
  });
  const [sums, events, lists, suspended, away, unseen] = await Promise.all([
    shares,
    askEvents(asking, period),
    askLists(),
    suspensions,
    offenders,
    gaps,
  ]);
  return { period, ...sums, ...events, ...lists, suspensions: suspended, offenders: away, gaps: unseen };
}

/** The first incidents of a period in an order; none while stored history is still being made into them. */
async function askIncidents(
  { record, scope, made }: Asking,
  period: Period,
  order: 'longest' | 'worst',
  limit: number,
): Promise<readonly ToldIncident[]> {
  if (!(await made)) return [];
  const question = { scope, period, at: lastOf(period), order };
  const { items } = await yielding(record.incidents(question, { cursor: null, limit }));
  const told: ToldIncident[] = [];
  for (const incident of items)
    told.push({ incident, objectTime: await yielding(objectTimeWithin(record, incident, period)) });
  return told;
}

/** Object-ms of an incident, known up to the last moment of a period, within the period. */
async function objectTimeWithin(record: ObservableRecord, incident: Incident, period: Period): Promise<number> {
  const upTo = incident.objectTime + incident.now.objects * (period.to - lastOf(period));
  if (incident.noticedAt >= period.from) return upTo;
  const found = await record.incident(incident.id, period.from);
  return found?.type === 'incident' ? upTo - found.incident.objectTime : upTo;
}

async function yielding<T>(answer: Promise<T>): Promise<T> {
  const value = await answer;
  await nextPass();
  return value;
}
