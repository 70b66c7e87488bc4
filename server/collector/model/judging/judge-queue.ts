import type { RefKey } from '#lib/domain/observation/ref.ts';
import { judgeAll, type JudgingDeps } from './judging.ts';

/** Objects of one cluster that are to be judged again. Starts with nothing to judge. */
export function createJudgeQueue(deps: Omit<JudgingDeps, 'foundLate'>) {
  let waiting = new Set<RefKey>();
  let foundLate = false;
  return {
    add(keys: Iterable<RefKey>): void {
      for (const key of keys) waiting.add(key);
    },
    remove: (key: RefKey): void => void waiting.delete(key),
    isEmpty: (): boolean => waiting.size === 0,
    /** Notes that what the next judgement finds may have begun while nobody looked. */
    findLate(): void {
      foundLate = true;
    },
    /** Judges everything that waits, and whatever stands on it, at `now` (ms). */
    judge(now: number): void {
      const keys = waiting;
      waiting = new Set();
      judgeAll({ ...deps, foundLate }, keys, now);
      foundLate = false;
    },
    /** Judges these at once, as what may have begun while nobody looked. */
    judgeLate: (keys: ReadonlySet<RefKey>, now: number): void => judgeAll({ ...deps, foundLate: true }, keys, now),
  };
}
