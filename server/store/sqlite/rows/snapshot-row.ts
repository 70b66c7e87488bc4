import type { SnapshotSpan } from '../../codec/snapshot-block.ts';
import { verdictOf } from '../../codec/traits.ts';
import { text, whole, wholeOrNull, type Row } from './cells.ts';
import { verdictIndex } from '../reading/record/record-pieces.ts';

/** The columns of a span that stands, in the order that `standingOf` reads; the table is called `t`. */
export const snapshotColumns =
  't.object, t.id, t.noticed_at, t.until, t.at, t.to_verdict, t.traits, t.message, t.commit_id, t.attempted, t.root_cause';

/** The span in a row of `snapshotColumns`. */
export function snapshotSpanOf(row: Row): SnapshotSpan {
  return {
    object: whole(row[0]),
    id: whole(row[1]),
    noticedAt: whole(row[2]),
    until: wholeOrNull(row[3]) ?? Infinity,
    at: whole(row[4]),
    verdict: verdictIndex(verdictOf(text(row[5])) ?? 'unobserved'),
    traits: wholeOrNull(row[6]),
    message: whole(row[7]),
    commit: wholeOrNull(row[8]),
    attempted: wholeOrNull(row[9]),
    rootCause: wholeOrNull(row[10]),
  };
}
