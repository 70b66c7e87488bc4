import type { CommitRange } from './commit-range.ts';
import type { Cause } from '../verdict/judgement.ts';
import type { ObjectRef } from '../observation/ref.ts';
import type { Verdict } from '../verdict/verdict.ts';

/**
 * One object from leaving converged until it was home for good, as the two clocks have it (`CurrentObject.awaySince` from null to
 * a time and back to null). What depended on nothing but blindness or missing proof is none. Times in ms since the epoch.
 */
export interface Absence {
  readonly ref: ObjectRef;
  readonly uid: string;
  /** When it left converged (awaySince.time), and how well that is known. */
  readonly openedAt: number;
  readonly bound: 'exact' | 'at-least';
  /** When Plumbline knew. */
  readonly noticedAt: number;
  /** When Plumbline knew that it was converged again, which it stayed; or that it was gone. null while it lasts. */
  readonly closedAt: number | null;
  /** End of it; null while it lasts. `forgotten`: its cluster is not configured any more. */
  readonly ended: 'converged' | 'removed' | 'forgotten' | null;
  /** The worst verdict that it was in, with its reason and its cause. */
  readonly worst: Verdict;
  readonly reason: string;
  readonly rootCause: Cause | null;
  /** Between which revisions it broke, when it first failed in this absence; null where it did not fail itself. */
  readonly range: CommitRange | null;
}
