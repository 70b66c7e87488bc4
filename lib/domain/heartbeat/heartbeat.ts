import type { LoopInterval } from './controller-liveness.ts';
import type { Policy } from '../guarantee/guarantee.ts';
import type { Cadence, Fault, Observation } from '../observation/observation.ts';
import type { Track } from '../observation/track.ts';
import { minute } from '../time/length.ts';

/** The longest pause of a rate-limited retry (controller-runtime doubles up to 1,000 s), with slack. */
const longestBackoff = 20 * minute;

/**
 * Time for which a loop may go without a completed pass, ms: max(n intervals, interval + timeout + 2 min), with the retry interval
 * where it fails. Without a known interval there is no bound.
 */
export function passBound(cadence: Cadence, failing: boolean, policy: Policy): number | null {
  const interval = failing ? (cadence.retryInterval ?? cadence.interval) : cadence.interval;
  if (interval === null) return null;
  const timeout = cadence.timeout ?? interval;
  const bound = Math.max(policy.staleAfterIntervals * interval, interval + timeout + 2 * minute);
  return failing && cadence.retryInterval === null ? Math.max(bound, longestBackoff) : bound;
}

/** Faults after which a loop may make no pass that shows until something else happens. */
const waiting: ReadonlySet<Fault> = new Set(['dependency', 'artifact', 'approval']);

/** True if completed passes can be expected to show on this object as it is now. */
function showsPasses(observation: Observation): boolean {
  if (observation.passes.seenBy === 'none' || observation.role === 'source') return false;
  const { summary } = observation;
  // Measured: DependencyNotReady and ArtifactFailed are written once, later retries write nothing.
  // Stalled (retries used up, access denied), the controller does not even try again.
  return !(summary.said === 'bad' && (summary.terminal || waiting.has(summary.fault)));
}

/** The cadence of an object: what its controller is set to comes before what its reconciler does by default. */
export function knownCadence(cadence: Cadence, reported: LoopInterval | null): Cadence {
  if (cadence.assumed !== true || reported === null) return cadence;
  return {
    interval: reported === 'never' ? null : reported,
    retryInterval: cadence.retryInterval,
    timeout: cadence.timeout,
  };
}

/** The own sign of life of an object: its last known pass and until when it holds (ms); null where passes cannot be seen. */
export function passLiveness(
  track: Track,
  policy: Policy,
  reported: LoopInterval | null,
): { readonly last: number | null; readonly until: number } | null {
  const observation = track.settled?.observation ?? track.latest;
  // What is being deleted is let go of by its reconciler: the deletion has its own grace.
  if (!showsPasses(observation) || track.latest.deletedAt !== null) return null;
  const failing = observation.summary.said === 'bad';
  const bound = passBound(knownCadence(track.latest.cadence, reported), failing, policy);
  if (bound === null) return null;
  // A spec that was changed, or switched on again, asks for a pass from then on.
  const from = Math.max(
    track.lastPassAt ?? 0,
    track.busySince ?? 0,
    track.awakeSince ?? 0,
    track.unobservedSpecSince ?? 0,
  );
  return { last: track.lastPassAt, until: Math.max(from, from === 0 ? track.firstSeenAt : 0) + bound };
}
