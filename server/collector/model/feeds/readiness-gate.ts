import type { ControllerIndex } from '../controllers/controller-index.ts';
import type { FeedTracker } from './feed-tracker.ts';

/** The first judgement waits for the first lists, at most this long (ms). */
const patience = 20_000;
/** Then it waits for a second reading of the leases, at most this long (ms): until then nothing can be confirmed by them. */
const proofPatience = 8_000;
/** After a loss, watches are given so long to bring what was missed before anything is vouched for again (ms). */
const catchUp = 1_000;

/** When objects of a cluster are judged: not while it is not seen, for nothing that could be said then is about the cluster. */
export type ReadinessGate = ReturnType<typeof createReadinessGate>;

/** Starts closed. */
export function createReadinessGate(
  feeds: Pick<FeedTracker, 'liveSince' | 'inStep'>,
  controllers: Pick<ControllerIndex, 'proven'>,
) {
  let opened = false;
  let openedBefore = false;
  let inStepSince: number | null = null;
  return {
    isOpen: (): boolean => opened,
    /** Opens or closes by what is seen at `now` (ms), and tells whether it is open. */
    update(now: number): boolean {
      const liveSince = feeds.liveSince(now);
      if (liveSince === null) {
        opened = false;
        inStepSince = null;
        return false;
      }
      if (opened) return true;
      if (feeds.inStep() && now >= liveSince + (openedBefore ? catchUp : 0)) inStepSince ??= now;
      const proven = inStepSince !== null && (controllers.proven(liveSince) || now >= inStepSince + proofPatience);
      if (!proven && now < liveSince + patience) return false;
      opened = true;
      openedBefore = true;
      return true;
    },
    /** When time alone may open it, after `now` (ms); null while it is open or nothing is seen. */
    next(now: number): number | null {
      const liveSince = feeds.liveSince(now);
      if (opened || liveSince === null) return null;
      if (inStepSince !== null) return Math.min(liveSince + patience, inStepSince + proofPatience);
      return now < liveSince + catchUp ? liveSince + catchUp : liveSince + patience;
    },
  };
}
