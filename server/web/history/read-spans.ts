import type { Period, Span } from '#lib/domain/record/span.ts';
import type { RecordReader, RecordScope } from '#server/store/port/record-port.ts';
import { readUpTo, type RecordPages } from './record-pages.ts';

/** Spans that were read, and the period that they are all of. */
export interface ReadSpans {
  readonly spans: readonly Span[];
  readonly period: Period;
}

/** So many spans are read for one answer at most, so many at once. */
const most = 30_000;
const chunk = 5_000;

/** A period is cut this often at most before it is given up. */
const tries = 12;

/**
 * Every span of the scopes that overlaps the period. Where there are too many for one answer, the period begins later: what is
 * given is always all of the period that it names. null where so many objects are there that no period is short enough.
 */
export async function readSpans(
  record: Pick<RecordReader, 'spansIn'>,
  scopes: readonly RecordScope[],
  period: Period,
): Promise<ReadSpans | null> {
  let { from } = period;
  for (let n = 0; n < tries; n += 1) {
    const asked = { from, to: period.to };
    const read: RecordPages<Span>['read'] = (scope, cursor, limit) => record.spansIn(scope, asked, { cursor, limit });
    const { items: spans } = await readUpTo({ scopes, read }, chunk, most + 1);
    if (spans.length <= most) return { spans, period: asked };
    // The newest half of them is kept; those that began before and last into the rest come in addition.
    const began = spans.map((span) => span.from).toSorted((a, b) => b - a);
    from = Math.floor(Math.max(began[Math.floor(most / 2)] ?? from, (from + period.to) / 2));
  }
  return null;
}
