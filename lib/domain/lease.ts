import type { LeaseLook } from './controller-life.ts';

/** Slack on a lease's own duration before its holder counts as dead, ms. */
const slack = 15_000;
/** client-go's and Flux's default leaseDurationSeconds differ; 35 s is Flux's (measured). */
const defaultDuration = 35_000;
/** Holders renew each 5 s (Flux), each 2 s (client-go's default): a lease that two looks so far apart find the same is late, ms. */
const lateAfter = 10_000;
/** Longer than it takes to call a cluster lost that hangs (idle, ping, grace), so that an outage is not first an absence of proof (ms). */
export const blindPatience = 75_000;

/** What is known of a lease. Times in ms since the epoch, `duration` in ms. */
export interface LeaseTrack {
  readonly renewTime: number | null;
  readonly duration: number;
  /** When it was last seen moving; null where it was not since this process began. */
  readonly movedAt: number | null;
  /** When it was last seen moving before this process began, so that standing still means something. */
  readonly movedBefore: number | null;
  readonly firstLookAt: number | null;
  readonly lastLookAt: number | null;
  readonly looks: number;
  /** Nobody held it at the last look. */
  readonly free: boolean;
}

/** A lease as a list shows it. */
export interface LeaseSight {
  readonly renewTime: number | null;
  readonly durationSeconds: number | null;
  readonly holder: string | null;
}

const unseen: LeaseTrack = {
  renewTime: null,
  duration: defaultDuration,
  movedAt: null,
  movedBefore: null,
  firstLookAt: null,
  lastLookAt: null,
  looks: 0,
  free: false,
};

/** A lease that an earlier process saw moving last at `movedBefore` (ms). */
export function rememberLease(movedBefore: number, durationSeconds: number | null): LeaseTrack {
  return { ...unseen, movedBefore, duration: durationSeconds === null ? defaultDuration : durationSeconds * 1000 };
}

/** The clock may have been set back since. */
function notAfter(at: number, time: number | null): number | null {
  return time === null ? null : Math.min(at, time);
}

/**
 * Takes another look at a lease, at `at` (ms); null where a list does not hold it any more. A holder that gives it back renews
 * it once more, for one second and in nobody's name (client-go tools/leaderelection `release`): that is no sign of life.
 */
export function lookAtLease(before: LeaseTrack | null, lease: LeaseSight | null, at: number): LeaseTrack {
  const known = before ?? unseen;
  const isHeld = lease !== null && lease.holder !== null && lease.holder !== '';
  const { renewTime } = lease ?? known;
  const moved = isHeld && known.looks > 0 && renewTime !== null && renewTime !== known.renewTime;
  const duration = isHeld && lease.durationSeconds !== null ? lease.durationSeconds * 1000 : known.duration;
  return {
    renewTime,
    duration,
    movedAt: moved ? at : notAfter(at, known.movedAt),
    movedBefore: known.movedBefore,
    firstLookAt: notAfter(at, known.firstLookAt) ?? at,
    lastLookAt: at,
    looks: known.looks + 1,
    free: !isHeld,
  };
}

/** From when on it must move: since it did, or, where it did in an earlier life, since it is looked at. */
function countsFrom(lease: LeaseTrack): number | null {
  return lease.movedAt ?? (lease.movedBefore === null ? null : lease.firstLookAt);
}

/** What the looks at a lease have shown by `now` (ms). Only a look past its term says that it stood still. */
export function leaseLook(lease: LeaseTrack | null, now: number): LeaseLook {
  if (lease === null || lease.lastLookAt === null || lease.firstLookAt === null) return 'none';
  if (now >= lease.lastLookAt + blindPatience) return 'none';
  const from = countsFrom(lease);
  if (from === null) return lease.lastLookAt >= lease.firstLookAt + lease.duration + slack ? 'never' : 'unmoved';
  if (now >= from + lease.duration + slack && lease.lastLookAt >= from + lease.duration) return 'stood';
  if (lease.movedAt === null) return 'unmoved';
  return lease.free || lease.lastLookAt >= lease.movedAt + lateAfter ? 'late' : 'moving';
}

/** The next time after `now` (ms) at which `leaseLook` may answer otherwise without another look; null for never. */
export function leaseTurnsAt(lease: LeaseTrack | null, now: number): number | null {
  if (lease === null || lease.lastLookAt === null) return null;
  const from = countsFrom(lease);
  const times = [from === null ? null : from + lease.duration + slack, lease.lastLookAt + blindPatience];
  return times.reduce(
    (next, time) => (time !== null && time > now && (next === null || time < next) ? time : next),
    null,
  );
}

/** When it was last seen moving (ms), in this life or an earlier one; null for never. */
export function leaseMovedAt(lease: LeaseTrack): number | null {
  return lease.movedAt ?? lease.movedBefore;
}

/** Whether it was looked at twice, so that a holder that lives has been seen to, and once since `since` (ms). */
export function isProven(lease: LeaseTrack, since: number): boolean {
  return lease.looks >= 2 && lease.lastLookAt !== null && lease.lastLookAt >= since;
}
