import type { Span } from '#lib/domain/record/span.ts';
import type { StoreReader } from '#server/store/port/port.ts';
import type { RecordReader } from '#server/store/port/record-port.ts';
import { incidentAsOf } from './incident-as-of.ts';

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
