import type { Cause, Evidence } from './judgement.ts';
import { verdictRank, type Verdict } from './verdict.ts';

/** What one look at the subject finds; the judge keeps the worst. */
export interface Finding {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly message: string;
  /** A full sentence for people. */
  readonly sentence: string;
  readonly evidence: readonly Evidence[];
  readonly rootCause: Cause | null;
  /** When time alone may change it (ms), null for never. */
  readonly reviewAt: number | null;
}

/** The worse finding; the first one where they are equally bad, so that an object's own word wins. */
export function worseFinding(own: Finding, other: Finding | null): Finding {
  if (!other) return own;
  const reviewAt = earliest(own.reviewAt, other.reviewAt);
  if (verdictRank(other.verdict) < verdictRank(own.verdict)) return { ...other, reviewAt };
  // Who waits says for what: its own word does not know it, the join does.
  const rootCause = own.rootCause ?? (own.verdict === 'waiting' && other.verdict === 'waiting' ? other.rootCause : null);
  return { ...own, rootCause, reviewAt };
}

/** The earlier of two times, null meaning never. */
export function earliest(...times: readonly (number | null)[]): number | null {
  let found: number | null = null;
  for (const time of times) if (time !== null && (found === null || time < found)) found = time;
  return found;
}

/** Words for a duration in sentences: "90 s", "38 min", "2 h 4 min", "3 d 4 h". */
export function inWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  const days = Math.floor(hours / 24);
  return hours % 24 === 0 ? `${days} d` : `${days} d ${hours % 24} h`;
}
