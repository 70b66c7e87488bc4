import type { Cause, Evidence } from './judgement.ts';
import { verdictRank, type Verdict } from './verdict.ts';
import { earliest } from '../time/earliest.ts';
import type { ObjectRef } from '../observation/ref.ts';

/** Finding of one look at the subject; the judge keeps the worst. */
export interface Finding {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly message: string;
  /** A full sentence for people. */
  readonly sentence: string;
  /** Other objects that the sentence names or tells of: who may not see one of them is told another sentence (docs/access.md). */
  readonly names: readonly ObjectRef[];
  readonly evidence: readonly Evidence[];
  readonly rootCause: Cause | null;
  /** When what it says came about (ms), where a look only tells of it later; null where it is told as it comes about. */
  readonly since: number | null;
  /** When time alone may change it (ms), null for never. */
  readonly reviewAt: number | null;
}

/** The worse finding; the first one where they are equally bad, so that an object's own word wins. */
export function worseFinding(own: Finding, other: Finding | null): Finding {
  if (!other) return own;
  const reviewAt = earliest(own.reviewAt, other.reviewAt);
  if (verdictRank(other.verdict) < verdictRank(own.verdict)) return { ...other, reviewAt };
  // Who waits says for what: its own word does not know it, the join does.
  const rootCause =
    own.rootCause ?? (own.verdict === 'waiting' && other.verdict === 'waiting' ? other.rootCause : null);
  return { ...own, rootCause, reviewAt };
}
