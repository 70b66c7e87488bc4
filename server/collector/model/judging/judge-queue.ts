import type { RefKey } from '#lib/domain/observation/ref.ts';
import { judgeAll, type JudgingDeps } from './judging.ts';

/** Objects of one cluster that are to be judged again. */
export interface JudgeQueue {
  add(keys: Iterable<RefKey>): void;
  remove(key: RefKey): void;
  isEmpty(): boolean;
  /** Notes that what the next judgement finds may have begun while nobody looked. */
  findLate(): void;
  /** Judges everything that waits, and whatever stands on it, at `now` (ms). */
  judge(now: number): void;
  /** Judges these at once, as what may have begun while nobody looked. */
  judgeLate(keys: ReadonlySet<RefKey>, now: number): void;
}

/** Starts with nothing to judge. */
export function createJudgeQueue(deps: Omit<JudgingDeps, 'foundLate'>): JudgeQueue {
  let waiting = new Set<RefKey>();
  let foundLate = false;
  return {
    add(keys) {
      for (const key of keys) waiting.add(key);
    },
    remove: (key) => void waiting.delete(key),
    isEmpty: () => waiting.size === 0,
    findLate() {
      foundLate = true;
    },
    judge(now) {
      const keys = waiting;
      waiting = new Set();
      judgeAll({ ...deps, foundLate }, keys, now);
      foundLate = false;
    },
    judgeLate: (keys, now) => judgeAll({ ...deps, foundLate: true }, keys, now),
  };
}
