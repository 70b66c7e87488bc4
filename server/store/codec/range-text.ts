import type { CommitRange } from '#lib/domain/record/commit-range.ts';
import { decodeTexts } from './decode.ts';

/** The stored text of a range: a list of its last good and first bad revision, how many were seen between, and "1" where it was watched. */
export function encodeRange({ lastGood, firstBad, seenBetween, watched }: CommitRange): string {
  return JSON.stringify([lastGood, firstBad, seenBetween === null ? null : String(seenBetween), watched ? '1' : '']);
}

/** The range of a stored text; what it does not tell is not known. */
export function decodeRange(text: string): CommitRange {
  const [lastGood = null, firstBad = null, seen = null, watched] = decodeTexts(text);
  const seenBetween = seen === null ? NaN : Number(seen);
  return {
    lastGood,
    firstBad,
    seenBetween: Number.isInteger(seenBetween) ? seenBetween : null,
    watched: watched === '1',
  };
}
