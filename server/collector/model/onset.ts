import type { Onset } from '#lib/domain/current.ts';
import type { Observation } from '#lib/domain/observation.ts';
import type { Verdict } from '#lib/domain/verdict.ts';

function provenSince(observation: Observation, verdict: Verdict): number | null {
  const newest = observation.history[0];
  const condition = (type: string) => observation.conditions.find((one) => one.type === type);
  if (verdict === 'suspended') return observation.suspended?.at ?? null;
  if (verdict === 'progressing') return observation.createdAt;
  // What follows from others or from silence is nowhere dated on the object itself.
  if (verdict === 'stale' || verdict === 'unconfirmed' || verdict === 'behind' || verdict === 'unobserved') return null;
  if (verdict === 'drifted') return condition('Drifted')?.lastTransitionTime ?? null;
  const synced = condition('Synced');
  const says = synced && synced.status !== 'True' ? synced : condition('Ready');
  const ofHistory = newest && (newest.status === 'ReconciliationSucceeded') === (verdict === 'converged') ? newest.first : null;
  return ofHistory ?? says?.lastTransitionTime ?? null;
}

/**
 * When a verdict began that was already there at first sight (ms): at least since what the object itself dates. Conditions'
 * lastTransitionTime is restamped by both Flux and Crossplane, so it is a lower bound of the duration and never a "since".
 */
export function firstOnset(observation: Observation, verdict: Verdict, seenAt: number): { readonly at: number; readonly bound: Onset['bound'] } {
  const proven = provenSince(observation, verdict);
  return { at: proven === null ? seenAt : Math.min(proven, seenAt), bound: 'at-least' };
}
