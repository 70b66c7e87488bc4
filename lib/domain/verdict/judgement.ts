import type { ObjectRef } from '../observation/ref.ts';
import type { Confirmation, Drift, Verdict } from './verdict.ts';

/**
 * Where a fault lies, at the far end of the chain.
 * A controller, a cluster or a shared error is no object that is read, yet it can be the one cause of many.
 */
export type Cause =
  | { readonly type: 'object'; readonly ref: ObjectRef }
  | { readonly type: 'controller'; readonly cluster: string; readonly namespace: string; readonly name: string }
  | { readonly type: 'cluster'; readonly cluster: string }
  | { readonly type: 'feed'; readonly cluster: string; readonly group: string; readonly kind: string }
  /** The same error on at least 5 and at least half of the resources of a ProviderConfig. */
  | {
      readonly type: 'shared-error';
      readonly cluster: string;
      readonly providerConfig: ObjectRef;
      readonly message: string;
    }
  /** A cause that the viewer may not see: which one it is, `id` tells to nobody but who compares two of them. Never judged or stored. */
  | { readonly type: 'outside'; readonly id: string };

/**
 * One reason for a verdict, short enough to be read aloud. `names`: other objects that its text names or tells of, so that nobody is told of
 * what he may not see (docs/access.md). A join always has some.
 */
export type Evidence = EvidenceText &
  (
    | { readonly from: 'join'; readonly names: readonly [ObjectRef, ...ObjectRef[]] }
    | { readonly from: 'condition' | 'field' | 'heartbeat' | 'feed' | 'clock'; readonly names?: readonly ObjectRef[] }
  );

interface EvidenceText {
  /** e.g. "Ready=False BuildFailed", "lease kustomize-controller has not moved for 90 s" */
  readonly text: string;
  /** ms since the epoch, where the evidence has a time. */
  readonly at: number | null;
}

/** Revisions that are running. See docs/design/verdicts.md. */
export interface Running {
  /** The revision that runs; null where none is known. */
  readonly revision: string | null;
  /** True where only parts of it may run (ReconciliationFailed, UpgradeFailed). */
  readonly partly: boolean;
}

/** The judgement on one object, made by `judge`. Times in ms since the epoch. */
export interface Judgement {
  readonly verdict: Verdict;
  /** The verdict beneath suspended, stale, unobserved; null elsewhere. */
  readonly was: Verdict | null;
  readonly reconciling: boolean;
  /** Was converged and waits for a dependency in a wave, within `behindAfter`. */
  readonly rolling: boolean;
  readonly reason: string;
  readonly message: string;
  readonly sentence: string;
  /** Other objects that the sentence names or tells of. */
  readonly names: readonly ObjectRef[];
  readonly evidence: readonly Evidence[];
  readonly rootCause: Cause | null;
  /** Judgement of a composite or claim without its parts, for what it hands on to them; null where they change nothing. */
  readonly withoutParts: {
    readonly verdict: Verdict;
    readonly reason: string;
    readonly rootCause: Cause | null;
  } | null;
  readonly drift: Drift;
  readonly confirmation: Confirmation;
  readonly running: Running;
  /** The newest revision that its source offers; null where that is not known. */
  readonly offered: string | null;
  /** When the verdict came about (ms), where a look only told of it later; null where it was told as it came about. */
  readonly since: number | null;
  /** Until when this verdict may be believed without a new sign of life; null where nothing bounds it but the feed. */
  readonly validUntil: number | null;
  /** When time alone may change the verdict, so that the collector judges again; null for never. */
  readonly reviewAt: number | null;
}

/** Part of a judgement that dependents read: what depends on an object looks at no more of it. */
export type JudgedAs = Pick<
  Judgement,
  'verdict' | 'was' | 'withoutParts' | 'reason' | 'rootCause' | 'running' | 'offered'
>;

/** That part of a judgement, and nothing else: it is kept for every object of a fleet. */
export function judgedAs(judgement: Judgement): JudgedAs {
  const { verdict, was, withoutParts, reason, rootCause, running, offered } = judgement;
  return { verdict, was, withoutParts, reason, rootCause, running, offered };
}
