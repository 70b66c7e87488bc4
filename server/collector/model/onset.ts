import type { Onset } from '#lib/domain/current.ts';
import type { Observation } from '#lib/domain/observation.ts';
import type { Verdict } from '#lib/domain/verdict.ts';

/** How long a deletion may take before it hangs, ms. DESIGN.md "Verdicts". */
const deletionGrace = 15 * 60_000;

function provenSince(observation: Observation, verdict: Verdict): number | null {
  const condition = (type: string) => observation.conditions.find((one) => one.type === type);
  switch (verdict) {
    case 'suspended':
      return observation.suspended?.at ?? null;
    case 'progressing':
      return observation.createdAt;
    case 'drifted':
      return condition('Drifted')?.lastTransitionTime ?? null;
    // What follows from others or from silence is nowhere dated on the object itself.
    case 'stale':
    case 'unobserved':
    case 'behind':
    case 'unconfirmed':
      return null;
    case 'converged':
      return ofHistory(observation, true) ?? condition('Ready')?.lastTransitionTime ?? null;
    case 'diverged':
    case 'unhealthy':
    case 'waiting': {
      if (observation.deletedAt !== null) return observation.deletedAt + deletionGrace;
      // Its own word is good: a part of it, or something it lists, is what is wrong.
      if (observation.word.said !== 'bad') return null;
      const synced = condition('Synced');
      const says = synced && synced.status !== 'True' ? synced : condition('Ready');
      return ofHistory(observation, false) ?? (says && says.status !== 'True' ? says.lastTransitionTime : null);
    }
  }
}

/** The first of the passes that ended alike, where the newest one ended well (or did not). */
function ofHistory(observation: Observation, well: boolean): number | null {
  const newest = observation.history[0];
  return newest && (newest.status === 'ReconciliationSucceeded') === well ? newest.first : null;
}

/**
 * When a verdict began that was already there at first sight (ms): at least since what the object itself dates. Conditions'
 * lastTransitionTime is restamped by both Flux and Crossplane, so it is a lower bound of the duration and never a "since".
 */
export function firstOnset(
  observation: Observation,
  verdict: Verdict,
  seenAt: number,
): { readonly at: number; readonly bound: Onset['bound'] } {
  const proven = provenSince(observation, verdict);
  return { at: proven === null ? seenAt : Math.min(proven, seenAt), bound: 'at-least' };
}
