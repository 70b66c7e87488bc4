import { isAway } from '#lib/domain/guarantee.ts';
import type { Incident } from '#lib/domain/incident.ts';
import type { Span } from '#lib/domain/span.ts';
import { verdictRank } from '#lib/domain/verdict.ts';
import type { StoreReader } from '#server/store/port.ts';
import type { RecordReader } from '#server/store/record-port.ts';

/** More changes of verdict of one incident than that are not looked through. */
const spansOfIncident = 1_000;

/**
 * The store as it was known at `at` (ms): nothing that was noticed later, and no detail, of which only the present one is kept.
 * What follows the store is of no use here.
 */
export function readerAsOf(reader: StoreReader, at: number): StoreReader {
  return {
    ...reader,
    record: recordAsOf(reader.record, at),
    detail: () => Promise.resolve(null),
    async transitions(ref, range) {
      const found = await reader.transitions(ref, { ...range, to: Math.min(range.to, at) });
      return found.filter(({ noticedAt }) => noticedAt <= at);
    },
    async changes(range) {
      const found = await reader.changes({ ...range, to: Math.min(range.to, at) });
      return found.filter(({ noticedAt }) => noticedAt <= at);
    },
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
      return { items: await Promise.all(items.map(going)), next };
    },
  };

  function lasting(span: Span): Span {
    return span.to === null || span.to <= at ? span : { ...span, to: null };
  }

  /** Neither its end nor what was worse later was known then. */
  async function going(incident: Incident): Promise<Incident> {
    if (incident.closedAt !== null && incident.closedAt <= at) return incident;
    const spans = await record.spans(incident.ref, { from: incident.noticedAt, to: at + 1 }, spansOfIncident);
    const [worst] = spans
      .filter(({ uid, verdict }) => uid === incident.uid && isAway(verdict))
      .toSorted((a, b) => verdictRank(a.verdict) - verdictRank(b.verdict));
    const known = worst && { worst: worst.verdict, reason: worst.reason, rootCause: worst.rootCause };
    return { ...incident, ...known, closedAt: null, ended: null };
  }
}
