import { calledHows } from '#lib/domain/alarm/alarm-figures.ts';
import type { AlarmState } from '#lib/domain/alarm/link.ts';
import { wordsOf } from '#lib/api/params.ts';
import type { AbsenceFilter, WireAbsence, WireAbsenceList } from '#lib/api/absence.ts';
import { historyPath, objectPath, refParams } from '#lib/api/paths.ts';
import { causeTitle } from '#lib/domain/cause/cause.ts';
import type { Absence } from '#lib/domain/record/absence.ts';
import { verdicts } from '#lib/domain/verdict/verdict.ts';
import { momentText } from '#lib/format/moment.ts';
import { isRefused, type Refused } from '../http/problem.ts';
import { csvOf, refColumns, type CsvColumns } from '../wire/lists/csv.ts';
import type { WireContext } from '../wire/wire-context.ts';
import { refOnly, wireCause, wireRange } from '../wire/object/wire-object.ts';
import { wireTime, wireTimeOrNull } from '../wire/wire-time.ts';
import type { RecordQuestion } from './ask-record.ts';
import { figuresOf } from './absence-figures.ts';
import { recordList, type ListQuestion } from './record-list.ts';
import { everyPage, type RecordPages } from './record-pages.ts';

/** Parameters of the list. */
export interface AbsenceQuestion extends ListQuestion, Pick<RecordQuestion, 'find'> {
  readonly filter: AbsenceFilter;
  readonly context: WireContext;
}

/** The absences that a filter keeps, one page of them. */
export async function absenceList(question: AbsenceQuestion): Promise<WireAbsenceList | Refused> {
  const { record, scopes, period, context } = question;
  const list = await recordList(question, pagesFor(question));
  if (isRefused(list)) return list;
  const rows = list.items.map((absence) => wireAbsence(absence, question));
  return { ...list.frame, rows, figures: await figuresOf(record, scopes, period, context.policy.alarmWithin) };
}

/** The columns of an absence as known now. `seconds` is up to then where it lasts. */
function columnsAt({ find, context: { now } }: AbsenceQuestion): CsvColumns<Absence> {
  return {
    ...refColumns,
    worst: ({ worst }) => worst,
    reason: ({ reason }) => reason,
    openedAt: ({ openedAt }) => wireTime(openedAt),
    bound: ({ bound }) => bound,
    noticedAt: ({ noticedAt }) => wireTime(noticedAt),
    closedAt: ({ closedAt }) => wireTimeOrNull(closedAt),
    ended: ({ ended }) => ended,
    seconds: ({ openedAt, closedAt }) => Math.floor(((closedAt ?? now) - openedAt) / 1000),
    cause: ({ rootCause }) => (rootCause === null ? null : causeTitle(rootCause)),
    lastGood: ({ range }) => range?.lastGood ?? null,
    firstBad: ({ range }) => range?.firstBad ?? null,
    seenBetween: ({ range }) => range?.seenBetween ?? null,
    everyAttemptSeen: ({ range }) => (range === null ? null : String(range.watched)),
    alarm: (absence) => alarmNow(absence, find).alarm,
    brokenLink: (absence) => alarmNow(absence, find).broken,
    alarmUnknown: (absence) => alarmNow(absence, find).alarmUnknown,
  };
}

/** All absences that a filter keeps as lines of CSV, some at a time. */
export function absenceCsv(question: AbsenceQuestion): AsyncGenerator<string> {
  return csvOf(columnsAt(question), everyPage(pagesFor(question), 1000));
}

function pagesFor({ record, filter, scopes, period, context }: AbsenceQuestion): RecordPages<Absence> {
  const wanted = new Set<string>(wordsOf(filter.verdict));
  const narrowed = {
    ...(wanted.size === 0 ? {} : { worst: verdicts.filter((verdict) => wanted.has(verdict)) }),
    ...(filter.open === '' ? {} : { over: { by: context.now, is: filter.open !== 'true' } }),
  };
  const called = calledHows.filter((how) => wordsOf(filter.called).includes(how));
  const { alarmWithin } = context.policy;
  return {
    scopes,
    async read(scope, cursor, limit) {
      const page = { order: filter.order, cursor, limit };
      const { items, next } =
        called.length === 0
          ? await record.absences(scope, period, page)
          : await record.absencesCalled(scope, period, { ...page, ...narrowed, alarmWithin, called });
      return { items: items.map((absence) => endKnownAt(absence, context.now)), next };
    },
    keeps: ({ worst, closedAt }) =>
      (wanted.size === 0 || wanted.has(worst)) &&
      (filter.open === '' || (filter.open === 'true') === (closedAt === null)),
  };
}

/** An absence with its end as known by `now` (ms): what was closed later was not known to be then. */
function endKnownAt(absence: Absence, now: number): Absence {
  return absence.closedAt !== null && absence.closedAt > now ? { ...absence, closedAt: null, ended: null } : absence;
}

function wireAbsence(absence: Absence, { find, context }: AbsenceQuestion): WireAbsence {
  const { ref, openedAt, bound, noticedAt, closedAt, ended, worst, reason, rootCause, range } = absence;
  const object = find(ref);
  return {
    ref: refOnly(ref),
    openedAt: wireTime(openedAt),
    bound,
    noticedAt: wireTime(noticedAt),
    closedAt: wireTimeOrNull(closedAt),
    ended,
    worst,
    reason,
    cause: rootCause === null ? null : wireCause(rootCause),
    range: range === null ? null : wireRange(range, object, context),
    ...alarmNow(absence, () => object),
    links: {
      self: objectPath(ref),
      history: historyPath({ ...refParams(ref), ...around(openedAt, closedAt, context) }),
    },
  };
}

/** Words on an alarm; null where none is known to be asked for: of what has ended nothing is recorded. */
function alarmNow(
  { ref, closedAt }: Absence,
  find: AbsenceQuestion['find'],
): Pick<WireAbsence, 'alarm' | 'broken' | 'alarmUnknown'> {
  const alarm: AlarmState | null = closedAt === null ? (find(ref)?.alarm ?? null) : null;
  if (alarm === null) return { alarm, broken: null, alarmUnknown: null };
  return {
    alarm: alarm.state,
    broken: 'broken' in alarm ? alarm.broken : null,
    alarmUnknown: alarm.state === 'unknown' ? alarm.why : null,
  };
}

/** The period of an absence with a tenth of its length on both sides, at least ten minutes; it goes on where the absence lasts. */
function around(
  openedAt: number,
  closedAt: number | null,
  { now }: WireContext,
): { readonly from: string } | { readonly from: string; readonly to: string } {
  const margin = Math.max(600_000, ((closedAt ?? now) - openedAt) / 10);
  const from = momentText(Math.floor(openedAt - margin));
  return closedAt === null || closedAt + margin >= now
    ? { from }
    : { from, to: momentText(Math.floor(closedAt + margin)) };
}
