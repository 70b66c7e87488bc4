import type { Transition } from '#lib/domain/record/current.ts';
import type { Absence } from '#lib/domain/record/absence.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Span } from '#lib/domain/record/span.ts';
import type { Cause } from '#lib/domain/verdict/judgement.ts';
import { decodeCause } from '../../codec/decode.ts';
import { decodeRange } from '../../codec/range-text.ts';
import { boundOf, verdictOf } from '../../codec/traits.ts';
import { text, textOrNull, whole, wholeOrNull, type Cell, type Row } from './cells.ts';

/** A message with this id is not kept any more. */
export const notKept = 0;

type TextOf = (id: number) => string;

function textIn(cell: Cell, textOf: TextOf): string | null {
  return cell === null || cell === notKept ? null : textOf(whole(cell));
}

function causeIn(cell: Cell, textOf: TextOf): Cause | null {
  return cell === null ? null : decodeCause(textOf(whole(cell)));
}

/** The columns of a span, in the order that `spanOf` reads; the table is called `t`. A row with `to_verdict` '' is none. */
export const spanColumns =
  't.noticed_at, t.until, t.to_verdict, t.at, t.bound, t.uid, t.reason, t.message, t.commit_id, t.attempted, t.root_cause';

/** The span in a row whose columns from `offset` on are `spanColumns`; a message that is not kept any more is null. */
export function spanOf(ref: ObjectRef, row: Row, offset: number, textOf: TextOf): Span {
  return {
    ref,
    uid: text(row[offset + 5]),
    verdict: verdictOf(text(row[offset + 2])) ?? 'unobserved',
    from: whole(row[offset]),
    to: wholeOrNull(row[offset + 1]),
    onset: { time: whole(row[offset + 3]), bound: boundOf(text(row[offset + 4])) },
    reason: textIn(row[offset + 6], textOf) ?? '',
    message: textIn(row[offset + 7], textOf),
    commit: textIn(row[offset + 8], textOf),
    attempted: textIn(row[offset + 9], textOf),
    rootCause: causeIn(row[offset + 10], textOf),
  };
}

/** The columns of a transition, in the order that `transitionOf` reads; the table is called `t`. */
export const transitionColumns =
  't.at, t.bound, t.noticed_at, t.from_verdict, t.to_verdict, t.uid, t.reason, t.message, t.commit_id, t.root_cause, t.attempted';

/** The transition in a row that begins with `transitionColumns`; a message that is not kept any more is ''. */
export function transitionOf(ref: ObjectRef, row: Row, textOf: TextOf): Transition {
  return {
    ref,
    uid: text(row[5]),
    at: whole(row[0]),
    bound: boundOf(text(row[1])),
    noticedAt: whole(row[2]),
    from: verdictOf(text(row[3])),
    to: verdictOf(text(row[4])),
    reason: textOf(whole(row[6])),
    message: textIn(row[7], textOf) ?? '',
    commit: textIn(row[8], textOf),
    attempted: textIn(row[10], textOf),
    rootCause: causeIn(row[9], textOf),
  };
}

/** The columns of an absence, in the order that `absenceOf` reads. */
export const absenceColumns =
  'uid, opened_at, bound, noticed_at, closed_at, ended, worst, reason, root_cause, commit_range';

/** The word of how an absence ended; null while it lasts. */
export function endedOf(stored: string | null): Absence['ended'] {
  return stored === 'converged' || stored === 'removed' || stored === 'forgotten' ? stored : null;
}

/** The absence in a row whose second column and those behind it are `absenceColumns`. */
export function absenceOf(ref: ObjectRef, row: Row, textOf: TextOf): Absence {
  const range = textIn(row[10], textOf);
  return {
    ref,
    uid: text(row[1]),
    openedAt: whole(row[2]),
    bound: boundOf(text(row[3])),
    noticedAt: whole(row[4]),
    closedAt: wholeOrNull(row[5]),
    ended: endedOf(textOrNull(row[6])),
    worst: verdictOf(text(row[7])) ?? 'diverged',
    reason: textIn(row[8], textOf) ?? '',
    rootCause: causeIn(row[9], textOf),
    range: range === null ? null : decodeRange(range),
  };
}
