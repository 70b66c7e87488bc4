import type { GroupKind, RefKey } from '#lib/domain/observation/ref.ts';
import type { Entry } from '../objects/entry.ts';
import type { ObjectGraph } from '../objects/object-graph.ts';
import type { ChangeDetector } from '../changes/change-detector.ts';
import type { ConflictIndex } from '../claims/conflict-index.ts';
import type { createJudgeQueue } from '../judging/judge-queue.ts';
import type { Journal } from '../publishing/journal.ts';

/** All clusters share one thread, and a kind may take all of its objects with it at once. */
const leaveAtOnce = 500;
/** More than this does not wait, so that one that names all of its objects anew with each list fills no memory while the record is behind. */
const waitAtMost = 50_000;

/** Parts of a model that are told that an object is gone. */
export interface LeavingDeps {
  readonly graph: Pick<ObjectGraph, 'entries' | 'takeOut' | 'untie'>;
  readonly changes: Pick<ChangeDetector, 'gone' | 'thereUntil'>;
  readonly conflicts: Pick<ConflictIndex, 'move'>;
  readonly journal: Pick<Journal, 'remove'>;
  readonly queue: Pick<ReturnType<typeof createJudgeQueue>, 'addConcerned' | 'remove'>;
}

/** One that is leaving: when it was found to be gone, and until when it was surely there (ms). */
interface Waiting {
  readonly entry: Entry;
  readonly at: number;
  readonly thereUntil: number;
}

/**
 * Starts with nobody leaving. Who leaves is not there from then on, and what that means for others is found out in steps: until all of them are done
 * nothing is judged by it, and nothing is vouched for.
 */
export function createLeaving({ graph, changes, conflicts, journal, queue }: LeavingDeps) {
  const waiting = new Map<RefKey, Waiting>();

  function end(entry: Entry, at: number, watched: boolean, thereUntil: number | null = null): void {
    queue.addConcerned(entry.key);
    queue.remove(entry.key);
    graph.untie(entry);
    changes.gone(entry, at, watched, thereUntil);
    conflicts.move(entry.state.track.latest, null);
    journal.remove(entry, at);
  }

  function finish(key: RefKey): void {
    const found = waiting.get(key);
    if (!found) return;
    waiting.delete(key);
    end(found.entry, found.at, false, found.thereUntil);
  }

  /** Ends the first of them, until so many are left. */
  function finishTo(left: number): void {
    for (const key of waiting.keys()) {
      if (waiting.size <= left) return;
      finish(key);
    }
  }

  return {
    /** Takes out one object, at `at` (ms); `watched` where its end itself was seen. */
    one(key: RefKey, at: number, watched: boolean): void {
      const entry = graph.takeOut(key);
      if (entry) end(entry, at, watched);
    },
    /** Takes out all of these, which are of one kind, at `at` (ms): their end itself was not seen. */
    all(kind: GroupKind, keys: readonly RefKey[], at: number): void {
      // By the time that they are done, the kind may have been lost from sight once more.
      const thereUntil = changes.thereUntil(kind, at);
      for (const key of keys) {
        finish(key);
        const entry = graph.takeOut(key, kind);
        if (entry) waiting.set(entry.key, { entry, at, thereUntil });
      }
      finishTo(keys.length <= leaveAtOnce && waiting.size <= leaveAtOnce ? 0 : waitAtMost);
    },
    /** Ends the one of that key, where it is leaving: another is there under its name. */
    finish,
    /** True while some are leaving. */
    isUnderWay: (): boolean => waiting.size > 0,
    /** Ends as many as there is time for at once. True if none are left. */
    step(): boolean {
      finishTo(Math.max(0, waiting.size - leaveAtOnce));
      return waiting.size === 0;
    },
  };
}
