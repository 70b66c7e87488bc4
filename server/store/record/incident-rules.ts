import type { CurrentObject } from '#lib/domain/record/current.ts';
import { isAway } from '#lib/domain/guarantee/guarantee.ts';
import type { Incident } from '#lib/domain/record/incident.ts';
import { verdictRank } from '#lib/domain/verdict/verdict.ts';

/** Part of an object's record that an incident is read from. */
export type AwayRecord = Pick<
  CurrentObject,
  'ref' | 'uid' | 'verdict' | 'reason' | 'onset' | 'awaySince' | 'rootCause' | 'range'
>;

/**
 * Newest incident of an object after a record of it: the incident as it is from now on, or null where nothing changes. Every
 * engine derives incidents by this, record by record in the order in which they are written; a record that comes twice changes
 * nothing more.
 *
 * One begins with the first record that is away (`isAway`), at its `awaySince`; it ends when a record is converged, and goes on
 * when the clocks say that this did not last (the same `awaySince` again). Its range is that of the first record that fails.
 */
export function afterRecord(newest: Incident | null, record: AwayRecord): Incident | null {
  const { awaySince, uid } = record;
  const open = newest !== null && newest.ended === null ? newest : null;
  if (awaySince === null) return open && { ...open, closedAt: record.onset.noticedAt, ended: 'converged' };
  if (open !== null) return goesOn(open, record);
  const sameRun = newest?.ended === 'converged' && newest.uid === uid && newest.openedAt === awaySince.time;
  if (sameRun) {
    const again: Incident = { ...newest, closedAt: null, ended: null };
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

function goesOn(incident: Incident, { verdict, reason, rootCause, range }: AwayRecord): Incident | null {
  const worse = isAway(verdict) && verdictRank(verdict) < verdictRank(incident.worst);
  if (!worse && (range === null || incident.range !== null)) return null;
  return { ...incident, range: incident.range ?? range, ...(worse ? { worst: verdict, reason, rootCause } : {}) };
}

/** Newest incident of an object after its end at `at` (ms); null where it was over already. */
export function afterEnd(newest: Incident | null, at: number, ended: 'removed' | 'forgotten'): Incident | null {
  if (newest === null || newest.ended !== null) return null;
  return { ...newest, closedAt: Math.max(at, newest.noticedAt), ended };
}
