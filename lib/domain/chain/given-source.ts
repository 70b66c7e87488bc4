import type { Observation } from '../observation/observation.ts';
import type { ObjectRef } from '../observation/ref.ts';
import type { Track } from '../observation/track.ts';
import { observeGrace } from '../verdict/own-finding.ts';

/** True if an object says that it is refused what it asks for. */
export function isRefused({ summary }: Observation): boolean {
  return summary.said === 'bad' && summary.reason === 'AccessDenied';
}

/**
 * False where nobody has looked at what an object asks for now, or where that is refused. In the first moments what it was stands.
 */
function isLookedAt({ latest, settled, unobservedSpecSince }: Track, now: number): boolean {
  if (latest.summary.said === 'nothing') return false;
  if (isRefused(latest) || (settled !== null && isRefused(settled.observation))) return false;
  if (latest.suspended !== null) return (latest.observedGeneration ?? latest.generation) >= latest.generation;
  return unobservedSpecSince === null || now < unobservedSpecSince + observeGrace;
}

/**
 * True if a source may be given to the object of a track, as known at `now` (ms). It may name one of another namespace that its reconciler would refuse it: how that
 * stands, and what it offers, is not to be told to whoever writes its name.
 */
export function isGiven(track: Track, source: ObjectRef, now: number): boolean {
  return source.namespace === track.latest.ref.namespace || isLookedAt(track, now);
}
