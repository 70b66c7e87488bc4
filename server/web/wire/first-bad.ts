import type { CurrentObject, ObjectDetail, Transition } from '#lib/domain/current.ts';
import { commitOf } from '#lib/domain/revision.ts';
import type { Verdict } from '#lib/domain/verdict.ts';

/** What a verdict in the record says of whether the object was failing then: yes, no, or nothing. */
const failed: Readonly<Record<Verdict, boolean | null>> = {
  diverged: true,
  unhealthy: true,
  drifted: false,
  behind: false,
  converged: false,
  stale: null,
  unobserved: null,
  suspended: null,
  waiting: null,
  progressing: null,
  unconfirmed: null,
};

/** The change with which the failing that goes on now began; null where the record does not reach so far, or it began unseen. */
function beginning(transitions: readonly Transition[]): Transition | null {
  let first: Transition | null = null;
  for (const transition of transitions) {
    const says = transition.to === null ? false : failed[transition.to];
    if (says === false) break;
    if (says === true) first = transition;
  }
  return first?.bound === 'exact' ? first : null;
}

/**
 * The revision of the oldest failure since the last success in the object's own history. An entry is of one content and carries
 * the newest revision that had it (facts/flux.md B2), so only one that was met once names the revision that brought it.
 */
function byHistory(detail: ObjectDetail | null): string | null {
  let oldest: string | null = null;
  for (const { status, revision, total } of detail?.observation.history ?? []) {
    if (status === 'ReconciliationSucceeded' || status === 'deployed') return oldest;
    oldest = total === 1 ? revision : null;
  }
  return null;
}

/**
 * The first commit that failed of the failing that goes on now: what was tried when it began, as the record saw it begin, or as
 * the object's own history names it. Null where it does not fail, where the commit that runs well is the same (then the commit
 * is not what is bad), and where nobody can know. `transitions` newest first.
 */
export function firstBadCommit(
  object: CurrentObject,
  detail: ObjectDetail | null,
  transitions: readonly Transition[],
): string | null {
  if (failed[object.was ?? object.verdict] !== true) return null;
  const sourceKind = object.source?.kind ?? null;
  const tried = beginning(transitions)?.attempted ?? byHistory(detail);
  const commit = commitOf(tried, sourceKind);
  return commit === commitOf(object.revision.applied, sourceKind) ? null : commit;
}
