import { earliest } from '../time/earliest.ts';
import type { LeaseState } from './controller-liveness.ts';

/** Slack on a lease's own duration before its holder counts as dead, ms. */
const slack = 15_000;
/** client-go's and Flux's default leaseDurationSeconds differ; 35 s is Flux's (measured). */
const defaultDuration = 35_000;
/** Holders of any known controller take a minute or two at most. A Lease may say 68 years, for which a dead one would count as alive (ms). */
const longestDuration = 300_000;
/** Holders renew each 5 s (Flux), each 2 s (client-go's default): a lease that two readings so far apart find the same is late, ms. */
const lateAfter = 10_000;
/** Readings are 15 s apart, one that hangs 15 s more: a lease that moved between readings further apart may have stopped since, ms. */
const readingGap = 35_000;
/** Longer than it takes to call a cluster lost that hangs (idle, ping, grace), so that an outage is not first an absence of proof (ms). */
export const blindPatience = 75_000;

/** Knowledge of a lease. Times in ms since the epoch, `duration` in ms. */
export interface LeaseTrack {
  /** As its holder wrote it: only for whether it is another one. */
  readonly renewTime: number | null;
  /** The same on our clock. */
  readonly renewedAt: number | null;
  readonly duration: number;
  /** When it was last seen moving; null where it was not since this process began. */
  readonly movedAt: number | null;
  /** When it was last known to move before it went out of sight, or before this process began, so that standing still means something. */
  readonly movedBefore: number | null;
  /** Since when it is looked for (again) without having been seen moving; null where it never was out of sight. */
  readonly doubtedAt: number | null;
  /** The first and the last reading since then. */
  readonly firstReadAt: number | null;
  readonly lastReadAt: number | null;
  readonly readings: number;
  /** Nobody held it at the last reading. */
  readonly free: boolean;
}

/** A lease as a list shows it. */
export interface LeaseReading {
  readonly renewTime: number | null;
  /** By how much its holder's clock is ahead of ours (ms). */
  readonly ahead?: number;
  readonly durationSeconds: number | null;
  readonly holder: string | null;
}

function durationOf(seconds: number): number {
  return Math.min(seconds * 1000, longestDuration);
}

const unseen: LeaseTrack = {
  renewTime: null,
  renewedAt: null,
  duration: defaultDuration,
  movedAt: null,
  movedBefore: null,
  doubtedAt: null,
  firstReadAt: null,
  lastReadAt: null,
  readings: 0,
  free: false,
};

/** A lease that an earlier process saw moving last at `movedBefore` (ms). */
export function rememberLease(movedBefore: number, durationSeconds: number | null): LeaseTrack {
  return { ...unseen, movedBefore, duration: durationSeconds === null ? defaultDuration : durationOf(durationSeconds) };
}

/**
 * The same lease after it was out of sight, from `at` on (ms): that it moved before proves nothing of now, and the holder may
 * have had nobody to renew it with. It is given its whole term anew, and has to be seen moving between two readings.
 */
export function doubtLease(lease: LeaseTrack, at: number): LeaseTrack {
  const movedBefore = leaseMovedAt(lease);
  return { ...lease, movedAt: null, movedBefore, doubtedAt: at, firstReadAt: null, lastReadAt: null, readings: 0 };
}

/** The clock may have been set back since. */
function notAfter(at: number, time: number | null): number | null {
  return time === null ? null : Math.min(at, time);
}

/**
 * Takes another reading of a lease, at `at` (ms); null where a list does not hold it any more. A holder that gives it back renews
 * it once more, for one second and in nobody's name (client-go tools/leaderelection `release`): that is no sign of life.
 */
export function withReading(before: LeaseTrack | null, lease: LeaseReading | null, at: number): LeaseTrack {
  const isHeld = lease !== null && lease.holder !== null && lease.holder !== '';
  const { renewTime } = lease ?? before ?? unseen;
  const changed = isHeld && renewTime !== null && renewTime !== (before?.renewTime ?? null);
  const renewedAt = lease?.renewTime ? lease.renewTime - (lease.ahead ?? 0) : (before?.renewedAt ?? null);
  const known = before && changed ? movedUnseen(before, renewedAt ?? renewTime, at) : (before ?? unseen);
  const moved = changed && known.readings > 0;
  const duration = isHeld && lease.durationSeconds !== null ? durationOf(lease.durationSeconds) : known.duration;
  return {
    renewTime,
    renewedAt,
    duration,
    movedAt: moved ? at : notAfter(at, known.movedAt),
    movedBefore: known.movedBefore,
    doubtedAt: moved ? null : notAfter(at, known.doubtedAt),
    firstReadAt: notAfter(at, known.firstReadAt) ?? at,
    lastReadAt: at,
    readings: known.readings + 1,
    free: !isHeld,
  };
}

/** A lease that has moved since the last reading of it, as it was before: where that reading was long ago, it moved while nobody looked. */
function movedUnseen(before: LeaseTrack, renewedAt: number, at: number): LeaseTrack {
  const { lastReadAt, movedBefore } = before;
  if (lastReadAt !== null && at > lastReadAt + readingGap)
    return movedUnseen(doubtLease({ ...before, movedAt: lastReadAt }, at), renewedAt, at);
  // By its holder's own word, which is written on another clock, within what is known.
  if (lastReadAt !== null || movedBefore === null) return before;
  return { ...before, movedBefore: Math.min(at, Math.max(movedBefore, renewedAt)) };
}

/** From when on it must move: since it did, or, where it did in an earlier run of the collector, since it is read. */
function countsFrom(lease: LeaseTrack): number | null {
  return lease.movedAt ?? (lease.movedBefore === null ? null : lease.firstReadAt);
}

/** Result of the readings of a lease by `now` (ms). Only a reading past its term says that it stood still. */
export function leaseState(lease: LeaseTrack | null, now: number): LeaseState {
  if (lease === null) return 'none';
  if (lease.lastReadAt === null || lease.firstReadAt === null)
    return lease.doubtedAt !== null && now < lease.doubtedAt + blindPatience ? 'unmoved' : 'none';
  if (now >= lease.lastReadAt + blindPatience) return 'none';
  const from = countsFrom(lease);
  if (from === null) return lease.lastReadAt >= lease.firstReadAt + lease.duration + slack ? 'never' : 'unmoved';
  if (now >= from + lease.duration + slack && lease.lastReadAt >= from + lease.duration) return 'stood';
  if (lease.movedAt === null) return 'unmoved';
  return lease.free || lease.lastReadAt >= lease.movedAt + lateAfter ? 'late' : 'moving';
}

/** The next time after `now` (ms) at which `leaseState` may answer otherwise without another reading; null for never. */
export function leaseTurnsAt(lease: LeaseTrack | null, now: number): number | null {
  const seen = lease?.lastReadAt ?? lease?.doubtedAt ?? null;
  if (lease === null || seen === null) return null;
  const from = countsFrom(lease);
  const times = [from === null ? null : from + lease.duration + slack, seen + blindPatience];
  return earliest(...times.filter((time) => time !== null && time > now));
}

/** Since when it is looked for without having been seen moving (ms); null where it was. */
export function unmovedSince(lease: LeaseTrack): number | null {
  return lease.movedAt === null ? (lease.doubtedAt ?? lease.firstReadAt) : null;
}

/** When it was last seen moving (ms), in this run of the collector or an earlier one; null for never. */
export function leaseMovedAt(lease: LeaseTrack): number | null {
  return lease.movedAt ?? lease.movedBefore;
}

/** True if it was looked at twice, so that a holder that lives has been seen to, and once since `since` (ms). */
export function isProven(lease: LeaseTrack, since: number): boolean {
  return lease.readings >= 2 && lease.lastReadAt !== null && lease.lastReadAt >= since;
}
