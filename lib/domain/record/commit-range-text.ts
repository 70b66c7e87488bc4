import type { CommitRange } from './commit-range.ts';
import { shortRevision } from '../observation/revision.ts';

/** One end of a range within a text. */
type RangeEnd = 'lastGood' | 'firstBad';

/** Parts that the words of a range are made from; its ends verbatim, or as they stand on the wire. */
interface KnownRange {
  readonly lastGood: string | { readonly text: string; readonly commit: string | null } | null;
  readonly firstBad: string | { readonly text: string; readonly commit: string | null } | null;
  readonly seenBetween: number | null;
  readonly watched: boolean;
}

/**
 * A range in words, piece by piece, so that its ends can be linked: "worked at ", lastGood, ", first failed at ", firstBad. "First" is
 * said only where every attempt was seen; how many lie between is what was seen at least, and not said where none was.
 */
export function rangeParts(range: KnownRange): readonly (string | { readonly end: RangeEnd })[] {
  const { lastGood, firstBad, seenBetween, watched } = range;
  const [good, bad] = [{ end: 'lastGood' as const }, { end: 'firstBad' as const }];
  const failed = watched ? 'first failed at ' : 'was failing at ';
  if (lastGood !== null && firstBad !== null)
    return sameRevisionFailed(range)
      ? ['failed at ', bad, ', where it had worked before']
      : ['worked at ', good, `, ${failed}`, bad, seenBetween ? `, at least ${seenBetween} between` : ''];
  if (firstBad !== null)
    return watched ? [`never worked, ${failed}`, bad] : [failed, bad, '; where it last worked is not known'];
  if (lastGood !== null) return ['worked at ', good, '; where it first failed is not known'];
  return ['names no revision that it tried'];
}

/** A range as one clause: "worked at 2d81a0c, first failed at 9f31c07". */
export function rangeText(range: CommitRange): string {
  return rangeParts(range)
    .map((part) => (typeof part === 'string' ? part : shortRevision(range[part.end] ?? '')))
    .join('');
}

/** True if it failed at the very revision at which it had worked: then no commit is known to be the cause. */
export function sameRevisionFailed({ lastGood, firstBad }: Pick<KnownRange, RangeEnd>): boolean {
  const [good, bad] = [lastGood, firstBad].map((end) => (typeof end === 'string' ? end : (end?.commit ?? end?.text)));
  return good !== undefined && good === bad;
}

/** Number of revisions between the two ends, as far as that is known: a fetch may skip some. '' where there are no two ends. */
export function betweenText(range: KnownRange): string {
  const { lastGood, firstBad, seenBetween } = range;
  if (lastGood === null || firstBad === null || sameRevisionFailed(range)) return '';
  if (seenBetween === null || seenBetween === 0) return 'how many lie between is not known';
  return `at least ${seenBetween} ${seenBetween === 1 ? 'lies' : 'lie'} between`;
}
