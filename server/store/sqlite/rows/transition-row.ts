import type { Transition } from '#lib/domain/record/current.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { decodeCause } from '../../codec/decode.ts';
import { boundOf, verdictOf } from '../../codec/traits.ts';
import { text, whole, type Row } from './cells.ts';

/** The columns of a transition, in the order that `transitionOf` reads; the table is called `t`. */
export const transitionColumns =
  't.at, t.bound, t.noticed_at, t.from_verdict, t.to_verdict, t.uid, t.reason, t.message, t.commit_id, t.root_cause, t.attempted';

/** The transition in a row that begins with `transitionColumns`; a message that is not kept any more (0) is ''. */
export function transitionOf(ref: ObjectRef, row: Row, textOf: (id: number) => string): Transition {
  const message = whole(row[7]);
  return {
    ref,
    uid: text(row[5]),
    at: whole(row[0]),
    bound: boundOf(text(row[1])),
    noticedAt: whole(row[2]),
    from: verdictOf(text(row[3])),
    to: verdictOf(text(row[4])),
    reason: textOf(whole(row[6])),
    message: message === 0 ? '' : textOf(message),
    commit: row[8] === null ? null : textOf(whole(row[8])),
    attempted: row[10] === null ? null : textOf(whole(row[10])),
    rootCause: row[9] === null ? null : decodeCause(textOf(whole(row[9]))),
  };
}
