import type { Incident } from '#lib/domain/record/incident.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { decodeCause } from '../../codec/decode.ts';
import { decodeRange } from '../../codec/range-text.ts';
import { boundOf, verdictOf } from '../../codec/traits.ts';
import { text, textOrNull, whole, wholeOrNull, type Cell, type Row } from './cells.ts';

/** The columns of an incident, in the order that `incidentOf` reads. */
export const incidentColumns =
  'uid, opened_at, bound, noticed_at, closed_at, ended, worst, reason, root_cause, commit_range';

/** The word of how an incident ended; null while it lasts. */
export function endedOf(word: string | null): Incident['ended'] {
  return word === 'converged' || word === 'removed' || word === 'forgotten' ? word : null;
}

/** The incident in a row whose columns from `offset` on are `incidentColumns`. */
export function incidentOf(ref: ObjectRef, row: Row, offset: number, textOf: (id: number) => string): Incident {
  function words(cell: Cell): string | null {
    const id = wholeOrNull(cell);
    return id === null ? null : textOf(id);
  }
  const [cause, range] = [words(row[offset + 8]), words(row[offset + 9])];
  return {
    ref,
    uid: text(row[offset]),
    openedAt: whole(row[offset + 1]),
    bound: boundOf(text(row[offset + 2])),
    noticedAt: whole(row[offset + 3]),
    closedAt: wholeOrNull(row[offset + 4]),
    ended: endedOf(textOrNull(row[offset + 5])),
    worst: verdictOf(text(row[offset + 6])) ?? 'diverged',
    reason: words(row[offset + 7]) ?? '',
    rootCause: cause === null ? null : decodeCause(cause),
    range: range === null ? null : decodeRange(range),
  };
}
