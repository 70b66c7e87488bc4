import type { CurrentObject } from '#lib/domain/record/current.ts';
import { isAway } from '#lib/domain/guarantee/guarantee.ts';
import type { Absence } from '#lib/domain/record/absence.ts';
import { verdictRank } from '#lib/domain/verdict/verdict.ts';

/** Part of an object's record that an absence is read from. */
export type AwayRecord = Pick<
  CurrentObject,
  'ref' | 'uid' | 'verdict' | 'reason' | 'onset' | 'awaySince' | 'rootCause' | 'range'
>;

/**
 * Newest absence of an object after a record of it: the absence as it is from now on, or null where nothing changes. Every
 * engine derives absences by this, record by record in the order in which they are written; a record that comes twice changes
 * nothing more.
 *
 * One begins with the first record that is away (`isAway`), at its `awaySince`; it ends when a record is converged, and goes on
 * when the clocks say that this did not last (the same `awaySince` again). Its range is that of the first record that fails.
 */
export function afterRecord(newest: Absence | null, record: AwayRecord): Absence | null {
  const { awaySince, uid } = record;
  const open = newest !== null && newest.ended === null ? newest : null;
  if (awaySince === null) return open && { ...open, closedAt: record.onset.noticedAt, ended: 'converged' };
  if (open !== null) return goesOn(open, record);
  const sameRun = newest?.ended === 'converged' && newest.uid === uid && newest.openedAt === awaySince.time;
  if (sameRun) {
    const again: Absence = { ...newest, closedAt: null, ended: null };
    return goesOn(again, record) ?? again;
  }
  if (!isAway(record.verdict)) return null;
  return {
    ref: record.ref,
    uid,
    openedAt: awaySince.time,
    bound: awaySince.bound,
    noticedAt: record.onset.noticedAt,
    closedAt: null,
    ended: null,
    worst: record.verdict,
    reason: record.reason,
    rootCause: record.rootCause,
    range: record.range,
  };
}

function goesOn(absence: Absence, { verdict, reason, rootCause, range }: AwayRecord): Absence | null {
  const worse = isAway(verdict) && verdictRank(verdict) < verdictRank(absence.worst);
  if (!worse && (range === null || absence.range !== null)) return null;
  return { ...absence, range: absence.range ?? range, ...(worse ? { worst: verdict, reason, rootCause } : {}) };
}

/** Newest absence of an object after its end at `at` (ms); null where it was over already. */
export function afterEnd(newest: Absence | null, at: number, ended: 'removed' | 'forgotten'): Absence | null {
  if (newest === null || newest.ended !== null) return null;
  return { ...newest, closedAt: Math.max(at, newest.noticedAt), ended };
}
