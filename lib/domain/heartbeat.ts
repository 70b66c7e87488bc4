import type { Policy } from './guarantee.ts';
import type { Cadence, Fault, Observation } from './observation.ts';
import type { Track } from './track.ts';

const minute = 60_000;
/** Slack on a lease's own duration before its holder counts as dead, ms. */
const leaseSlack = 15_000;
/** client-go's and Flux's default leaseDurationSeconds differ; 35 s is Flux's (measured). */
const defaultLeaseDuration = 35_000;
/** The longest pause of a rate-limited retry (controller-runtime doubles up to 1,000 s), with slack. */
const longestBackoff = 20 * minute;

/** What is known of a lease. Times in ms since the epoch, `duration` in ms. */
export interface LeaseTrack {
  readonly renewTime: number | null;
  readonly duration: number;
  /** When we last saw it move; null where it was never seen moving. */
  readonly movedAt: number | null;
  /** Whether we have seen it before with another renewTime. */
  readonly seen: boolean;
}

/** State of a controller by its lease. A lease that was never seen moving proves nothing. */
export type LeaseState = 'alive' | 'dead' | 'unknown';

/** The clock may have been set back since. */
function notAfter(at: number, time: number | null): number | null {
  return time === null ? null : Math.min(at, time);
}

/** Takes another look at a lease, at `at` (ms). */
export function lookAtLease(
  before: LeaseTrack | null,
  lease: { readonly renewTime: number | null; readonly durationSeconds: number | null },
  at: number,
): LeaseTrack {
  const duration = lease.durationSeconds === null ? defaultLeaseDuration : lease.durationSeconds * 1000;
  const moved = before !== null && before.seen && lease.renewTime !== null && lease.renewTime !== before.renewTime;
  return {
    renewTime: lease.renewTime,
    duration,
    movedAt: moved ? at : notAfter(at, before?.movedAt ?? null),
    seen: true,
  };
}

/** When a lease that moved will count as dead (ms), null where it was never seen moving. */
export function leaseDiesAt(lease: LeaseTrack): number | null {
  return lease.movedAt === null ? null : lease.movedAt + lease.duration + leaseSlack;
}

/** Whether the holder of a lease lives, at `now` (ms). */
export function leaseState(lease: LeaseTrack | null, now: number): LeaseState {
  if (!lease) return 'unknown';
  const dies = leaseDiesAt(lease);
  if (dies === null) return 'unknown';
  return now < dies ? 'alive' : 'dead';
}

/**
 * How long a loop may go without a completed pass, ms: max(n intervals, interval + timeout + 2 min), with the retry interval
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

/** Whether completed passes can be expected to show on this object as it is now. */
function showsPasses(observation: Observation): boolean {
  if (observation.passes.seenBy === 'none' || observation.role === 'source') return false;
  const { word } = observation;
  // Measured: DependencyNotReady and ArtifactFailed are written once, later retries write nothing.
  // Stalled (retries used up, access denied), the controller does not even try again.
  return !(word.said === 'bad' && (word.terminal || waiting.has(word.fault)));
}

/** The own sign of life of an object: its last known pass and until when it holds (ms); null where passes cannot be seen. */
export function passLife(
  track: Track,
  policy: Policy,
): { readonly last: number | null; readonly until: number } | null {
  const observation = track.settled?.observation ?? track.latest;
  if (!showsPasses(observation)) return null;
  const failing = observation.word.said === 'bad';
  const bound = passBound(track.latest.cadence, failing, policy);
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
