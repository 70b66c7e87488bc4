import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Span } from '#lib/domain/record/span.ts';
import { decodeCause } from '../../codec/decode.ts';
import { boundOf, verdictOf } from '../../codec/traits.ts';
import { text, whole, wholeOrNull, type Cell, type Row } from './cells.ts';

/** The columns of a span, in the order that `spanOf` reads; the table is called `t`. A row with `to_verdict` '' is none. */
export const spanColumns =
  't.noticed_at, t.until, t.to_verdict, t.at, t.bound, t.uid, t.reason, t.message, t.commit_id, t.attempted, t.root_cause';

/** The span in a row whose columns from `offset` on are `spanColumns`; a message that is not kept any more (0) is null. */
export function spanOf(ref: ObjectRef, row: Row, offset: number, textOf: (id: number) => string): Span {
  function words(cell: Cell): string | null {
    return cell === null || cell === 0 ? null : textOf(whole(cell));
  }
  const cause = words(row[offset + 10]);
  return {
    ref,
    uid: text(row[offset + 5]),
    verdict: verdictOf(text(row[offset + 2])) ?? 'unobserved',
    from: whole(row[offset]),
    to: wholeOrNull(row[offset + 1]),
    onset: { time: whole(row[offset + 3]), bound: boundOf(text(row[offset + 4])) },
    reason: words(row[offset + 6]) ?? '',
    message: words(row[offset + 7]),
    commit: words(row[offset + 8]),
    attempted: words(row[offset + 9]),
    rootCause: cause === null ? null : decodeCause(cause),
  };
}
