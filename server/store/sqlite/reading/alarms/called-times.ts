import type { CallBook } from '#lib/domain/alarm/called/call-book.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { intersectionOf, unionOf, type FlatStretches } from '#lib/domain/record/flat-stretches.ts';
import type { NotedCause, NotedCauses } from './noted-causes.ts';
import type { StoredCall } from './meant-calls.ts';

/** Times of an absence, by a book of calls; they may lie outside of it. */
export interface CalledTimes {
  /** When somebody was called for it: by its object, or by what that waited for. */
  readonly called: FlatStretches;
  /** When it is not known that nobody was. */
  readonly unknown: FlatStretches;
}

/** Reads when somebody was called for an absence of an object with these root causes, as was known before a moment (ms). */
export function calledTimes(
  book: CallBook<StoredCall>,
  ref: ObjectRef,
  { noted, toCome }: NotedCauses,
  before: number,
): CalledTimes {
  return {
    called: noted.reduce((sum, cause) => unionOf(sum, namedWhile(book, cause)), book.named(ref)),
    unknown: unionOf(book.unknown(ref), perhapsFor(book, toCome, before)),
  };
}

/** When a call lasted that names what was noted as the root cause only later, before a moment (ms). */
export function perhapsFor(book: CallBook<StoredCall>, toCome: NotedCause | null, before: number): FlatStretches {
  return toCome === null || toCome.to >= before ? new Float64Array(0) : namedWhile(book, toCome);
}

function namedWhile(book: CallBook<StoredCall>, { ref, from, to }: NotedCause): FlatStretches {
  return intersectionOf(book.named(ref), Float64Array.of(from, to));
}
