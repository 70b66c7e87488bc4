import { isAway } from '#lib/domain/guarantee/guarantee.ts';
import { failsAtRevision } from '#lib/domain/record/commit-range.ts';
import type { Incident } from '#lib/domain/record/incident.ts';
import type { Span } from '#lib/domain/record/span.ts';
import { verdictRank } from '#lib/domain/verdict/verdict.ts';
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
    async incidents(scope, period, page) {
      const { items, next } = await record.incidents(scope, { ...period, to: Math.min(period.to, at + 1) }, page);
      return { items: await Promise.all(items.map((incident) => incidentAsOf(record, incident, at))), next };
    },
  };

  function lasting(span: Span): Span {
    return span.to === null || span.to <= at ? span : { ...span, to: null };
  }
}

/** More changes of verdict of one incident than that are not read. */
const spansOfIncident = 1_000;

/** An incident as it stood at `at` (ms): neither its end, nor what was worse later, nor where it broke before it failed was known then. */
export async function incidentAsOf(
  record: Pick<RecordReader, 'spans'>,
  incident: Incident,
  at: number,
): Promise<Incident> {
  if (incident.closedAt !== null && incident.closedAt <= at) return incident;
  const spans = await record.spans(incident.ref, { from: incident.noticedAt, to: at + 1 }, spansOfIncident);
  const own = spans.filter(({ uid, verdict }) => uid === incident.uid && isAway(verdict));
  const [worst] = own.toSorted((a, b) => verdictRank(a.verdict) - verdictRank(b.verdict));
  const known = worst && { worst: worst.verdict, reason: worst.reason, rootCause: worst.rootCause };
  const range = own.some(({ verdict }) => failsAtRevision(verdict)) ? incident.range : null;
  return { ...incident, ...known, range, closedAt: null, ended: null };
}
