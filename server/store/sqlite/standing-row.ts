import type { StandingSpan } from '../standing-block.ts';
import { verdictOf } from '../traits.ts';
import { text, whole, wholeOrNull, type Row } from './cells.ts';
import { placeOfVerdict } from './record-pieces.ts';

/** The columns of a span that stands, in the order that `standingOf` reads; the table is called `t`. */
export const standingColumns =
  't.object, t.id, t.noticed_at, t.until, t.at, t.to_verdict, t.traits, t.message, t.commit_id, t.attempted, t.root_cause';

/** The span in a row of `standingColumns`. */
export function standingOf(row: Row): StandingSpan {
  return {
    object: whole(row[0]),
    id: whole(row[1]),
    noticedAt: whole(row[2]),
    until: wholeOrNull(row[3]) ?? Infinity,
    at: whole(row[4]),
    verdict: placeOfVerdict(verdictOf(text(row[5])) ?? 'unobserved'),
    traits: wholeOrNull(row[6]),
    message: whole(row[7]),
    commit: wholeOrNull(row[8]),
    attempted: wholeOrNull(row[9]),
    rootCause: wholeOrNull(row[10]),
  };
}
