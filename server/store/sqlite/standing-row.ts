import type { StandingSpan } from '../standing-block.ts';
import { whole, wholeOrNull, type Row } from './cells.ts';

/** The columns of a span that stands, in the order that `standingOf` reads; the table is called `t`. */
export const standingColumns =
  't.object, t.id, t.noticed_at, t.until, t.at, t.traits, t.message, t.commit_id, t.attempted, t.root_cause';

/** The span in a row of `standingColumns`. */
export function standingOf(row: Row): StandingSpan {
  return {
    object: whole(row[0]),
    id: whole(row[1]),
    noticedAt: whole(row[2]),
    until: wholeOrNull(row[3]),
    at: whole(row[4]),
    traits: wholeOrNull(row[5]),
    message: whole(row[6]),
    commit: wholeOrNull(row[7]),
    attempted: wholeOrNull(row[8]),
    rootCause: wholeOrNull(row[9]),
  };
}
