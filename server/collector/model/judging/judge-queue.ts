import type { RefKey } from '#lib/domain/observation/ref.ts';
import { judgePass } from './judge-pass.ts';
import type { JudgingDeps } from './judging.ts';

/**
 * Work that is done in one go: some hundred milliseconds. All clusters share one thread, and a cluster may change all of its objects at
 * once, again and again.
 */
const workAtOnce = 1_000;

/** Judging that is under way: what is judged, and the rest of it. */
interface Pass {
  readonly keys: ReadonlySet<RefKey>;
  readonly steps: Generator<number, void, unknown>;
}

/** Objects of one cluster that are to be judged again. Starts with nothing to judge. */
export function createJudgeQueue(parts: Omit<JudgingDeps, 'foundLate' | 'judged'>) {
  let waiting = new Set<RefKey>();
  const changed = new Set<RefKey>();
  let foundLate = false;
  let pass: Pass | null = null;
  let time = 0;
  let judged = new Set<RefKey>();
  const deps = { ...parts, judged: (key: RefKey): void => void judged.add(key) };

  function begin(): Pass {
    for (const key of changed) for (const one of parts.graph.concernedBy(key)) waiting.add(one);
    changed.clear();
    const keys = waiting;
    waiting = new Set();
    const steps = judgePass({ ...deps, foundLate }, keys, () => time);
    foundLate = false;
    return { keys, steps };
  }

  function work(most: number, now: number): boolean {
    time = now;
    pass ??= begin();
    for (let done = 0; done < most;) {
      const step = pass.steps.next();
      if (step.done === true) {
        pass = null;
        return true;
      }
      done += step.value;
    }
    return false;
  }

  return {
    add(keys: Iterable<RefKey>): void {
      for (const key of keys) waiting.add(key);
    },
    /** Adds whom it concerns that an object came or is gone: once for however often that was, when judging begins. */
    addConcerned(key: RefKey): void {
      const [first] = parts.graph.concernedBy(key);
      if (first !== undefined) changed.add(key);
    },
    remove: (key: RefKey): void => void waiting.delete(key),
    isEmpty: (): boolean => waiting.size + changed.size === 0 && pass === null,
    /** True if judging was begun and is not done. */
    isUnderWay: (): boolean => pass !== null,
    /** Notes that what the next judgement finds may have begun while nobody looked. */
    findLate(): void {
      foundLate = true;
    },
    /**
     * Judges what waits, and whatever depends on it, at `now` (ms), as far as there is time for at once. True if all is done that
     * waited when this was begun; else it is to be called again.
     */
    judge: (now: number): boolean => work(workAtOnce, now),
    /** Judges what is under way, and then what waits. True if all is done; false where that is more than there is time for at once. */
    judgeLast: (now: number): boolean => work(workAtOnce, now) && work(workAtOnce, now),
    /** Takes the keys of what was judged since the last call. */
    takeJudged(): Iterable<RefKey> {
      const taken = judged;
      judged = new Set();
      return taken;
    },
    /** Leaves what is under way: all of it waits again. */
    leave(): void {
      for (const key of pass?.keys ?? []) waiting.add(key);
      pass = null;
    },
    /** Judges these at once, as what may have begun while nobody looked. */
    judgeLate(keys: ReadonlySet<RefKey>, now: number): void {
      const steps = judgePass({ ...deps, foundLate: true }, keys, () => now);
      while (steps.next().done !== true);
    },
  };
}
