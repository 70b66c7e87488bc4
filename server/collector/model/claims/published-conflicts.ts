import {
  conflictKey,
  conflictLimit,
  conflictsInOrder,
  type Conflict,
  type FoundConflict,
} from '#lib/domain/observation/conflict.ts';
import type { CurrentCluster } from '#lib/domain/record/current.ts';

/** The conflicts are put together anew at most once in this time (ms), and in ten times of what that took: no cluster may hold up others. */
const pause = 1_000;
const pauseTimes = 10;

/** Conflicts that were found: some of them, and how many there are. */
export interface FoundConflicts {
  readonly some: readonly FoundConflict[];
  readonly total: number;
}

/** The columns of a cluster's row that the index of conflicts fills. */
export type PublishedConflicts = Pick<CurrentCluster, 'conflicts' | 'conflictsTotal'>;

/** Starts to keep what is published of conflicts: put together anew at most each second, where anything changed or time has passed over it. */
export function createPublished(before: PublishedConflicts | null, clock: () => number = () => performance.now()) {
  let since = new Map((before?.conflicts ?? []).map((conflict) => [conflictKey(conflict), conflict.since]));
  let published: PublishedConflicts | null = null;
  let changed = true;
  let madeAt = Number.NEGATIVE_INFINITY;
  let rest = pause;
  let forgetAt = Number.POSITIVE_INFINITY;
  return {
    touch(): void {
      changed = true;
    },
    due: (): number | null => (changed ? madeAt + rest : Number.isFinite(forgetAt) ? forgetAt : null),
    /** `find` gives all conflicts, and when the next of them is forgotten (ms). */
    current(now: number, find: () => FoundConflicts & { forgetAt: number }): PublishedConflicts {
      if (published && !(changed && now >= madeAt + rest) && now < forgetAt && now >= madeAt) return published;
      const began = clock();
      const { some, total, forgetAt: next } = find();
      const first = conflictsInOrder(some).slice(0, conflictLimit);
      const conflicts = first.map((one): Conflict => ({ ...one, since: since.get(conflictKey(one)) ?? now }));
      since = new Map(conflicts.map((conflict) => [conflictKey(conflict), conflict.since]));
      published = { conflicts, conflictsTotal: total };
      changed = false;
      madeAt = now;
      rest = Math.max(pause, pauseTimes * (clock() - began));
      forgetAt = next;
      return published;
    },
  };
}
