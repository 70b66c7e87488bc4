import { isAway } from '#lib/domain/guarantee/guarantee.ts';
import { failsAtRevision } from '#lib/domain/record/commit-range.ts';
import type { Absence } from '#lib/domain/record/absence.ts';
import type { Span } from '#lib/domain/record/span.ts';
import { verdictRank } from '#lib/domain/verdict/verdict.ts';
import type { AlarmReader } from '#server/store/port/alarm-port.ts';
import type { IncidentQuestion, IncidentReader } from '#server/store/port/incident-port.ts';
import type { StoreReader } from '#server/store/port/port.ts';
import type { RecordReader } from '#server/store/port/record-port.ts';

/**
 * The store as it was known at `at` (ms): nothing that was noticed later, and no detail, of which only the present one is kept.
 * Following the store is of no use here.
 */
export function readerAsOf(reader: StoreReader, at: number): StoreReader {
  return {
    ...reader,
    record: recordAsOf(reader.record, at),
    detail: () => Promise.resolve(null),
    transitions: (ref, range) => reader.transitions(ref, { ...range, to: Math.min(range.to, at), noticedBy: at }),
    changes: (range) => reader.changes({ ...range, to: Math.min(range.to, at), noticedBy: at }),
    async coverage(cluster, { from, to }) {
      const found = await reader.coverage(cluster, { from, to: Math.min(to, at) });
      return found.filter((change) => change.at <= at);
    },
  };
}

/** The record as it stood: what ended later was still going on. */
function recordAsOf(record: RecordReader, at: number): RecordReader {
  return {
    ...record,
    async spans(ref, period, limit) {
      return (await record.spans(ref, { ...period, to: Math.min(period.to, at + 1) }, limit)).map(lasting);
    },
    async spansIn(scope, period, page) {
      const { items, next } = await record.spansIn(scope, { ...period, to: Math.min(period.to, at + 1) }, page);
      return { items: items.map(lasting), next };
    },
    async absences(scope, period, page) {
      const { items, next } = await record.absences(scope, { ...period, to: Math.min(period.to, at + 1) }, page);
      return { items: await Promise.all(items.map((absence) => absenceAsOf(record, absence, at))), next };
    },
    ...incidentsAsOf(record, at),
    ...callsAsOf(record, at),
    // How bad each was by then is known only once it is read.
    async absencesCalled(scope, period, { worst: _worst, over, ...asked }) {
      const { items, next } = await record.absencesCalled(
        scope,
        { ...period, to: Math.min(period.to, at) },
        { ...asked, ...(over === undefined ? {} : { over: { ...over, by: Math.min(over.by, at) } }) },
      );
      return { items: await Promise.all(items.map((absence) => absenceAsOf(record, absence, at))), next };
    },
  };

  function lasting(span: Span): Span {
    return span.to === null || span.to <= at ? span : { ...span, to: null };
  }
}

/** Incidents as they were known: nothing is asked of a later moment. */
function incidentsAsOf(record: IncidentReader, at: number): IncidentReader {
  const known = (asked: number): number => Math.min(asked, at);
  const askedThen = ({ period, ...question }: IncidentQuestion): IncidentQuestion => ({
    ...question,
    period: { ...period, to: Math.min(period.to, at + 1) },
    at: known(question.at),
  });
  return {
    incidents: (question, page) => record.incidents(askedThen(question), page),
    incidentCount: (question, most) => record.incidentCount(askedThen(question), most),
    incident: (id, asked) => record.incident(id, known(asked)),
    members: (id, asked, scope, page) => record.members(id, known(asked), scope, page),
    membersOfMany: (ids, asked, scope, most) => record.membersOfMany(ids, known(asked), scope, most),
    incidentSteps: (id, asked, limit) => record.incidentSteps(id, known(asked), limit),
    membershipsOf: (ref, asked, limit) => record.membershipsOf(ref, known(asked), limit),
    causeFigures: (scope, period, asked) => record.causeFigures(scope, period, known(asked)),
    incidentNews: async () => ({ news: [], position: 0, reset: false }),
    incidentsUpTo: record.incidentsUpTo,
  };
}

/** Calls, and when alarm sources could be read, as they were known: nothing is asked of a later moment. */
function callsAsOf(record: AlarmReader, at: number): Omit<AlarmReader, 'absencesCalled'> {
  return {
    calls: ({ scope, period, at: asked }, page) =>
      record.calls({ scope, period: { ...period, to: Math.min(period.to, at + 1) }, at: Math.min(asked, at) }, page),
    callsOf: (ref, range, limit) =>
      record.callsOf(ref, { ...range, to: Math.min(range.to, at + 1), at: Math.min(range.at, at) }, limit),
    alarmFigures: (scope, period, alarmWithin) =>
      record.alarmFigures(scope, { ...period, to: Math.min(period.to, at) }, alarmWithin),
    callsOfIncident: (id, asked, limit, within) => record.callsOfIncident(id, Math.min(asked, at), limit, within),
    incidentCalls: (ids, asked, within) => record.incidentCalls(ids, Math.min(asked, at), within),
    // Of a range that begins later the last word by then holds: a point within it would be told beside what held before.
    alarmCoverage: ({ from, to }) => record.alarmCoverage({ from: from > at ? at + 1 : from, to: Math.min(to, at) }),
  };
}

/** More changes of verdict of one absence than that are not read. */
const spansOfAbsence = 1_000;

/** An absence as it stood at `at` (ms): neither its end, nor what was worse later, nor where it broke before it failed was known then. */
export async function absenceAsOf(record: Pick<RecordReader, 'spans'>, absence: Absence, at: number): Promise<Absence> {
  if (absence.closedAt !== null && absence.closedAt <= at) return absence;
  const spans = await record.spans(absence.ref, { from: absence.noticedAt, to: at + 1 }, spansOfAbsence);
  const own = spans.filter(({ uid, verdict }) => uid === absence.uid && isAway(verdict));
  const [worst] = own.toSorted((a, b) => verdictRank(a.verdict) - verdictRank(b.verdict));
  const known = worst && { worst: worst.verdict, reason: worst.reason, rootCause: worst.rootCause };
  const range = own.some(({ verdict }) => failsAtRevision(verdict)) ? absence.range : null;
  return { ...absence, ...known, range, closedAt: null, ended: null };
}
