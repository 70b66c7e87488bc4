import type { Clock, Timer } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import type { FactSource, StepResult, WriteResult } from '#server/store/port/port.ts';
import type { StoreState } from './store-state.ts';
import type { Thread } from './thread.ts';
import type { Queued } from './waiting-writes.ts';
import type { WriteQueue } from './write-queue.ts';

/** One commit as it was measured. */
export interface CommitSample {
  /** ms, from the first statement to the synchronised commit. */
  readonly duration: number;
  readonly rows: number;
  readonly batches: number;
}

/** Parameters of the loop. */
interface CommitLoopDeps {
  readonly thread: Thread;
  readonly clock: Clock;
  readonly log: Log;
  readonly queue: WriteQueue;
  readonly state: StoreState;
  /** Writes of a source of facts are lost. */
  readonly onLost: (source: FactSource) => void;
  readonly onCommit: ((sample: CommitSample) => void) | undefined;
  /** A commit was tried: there may be room for more. */
  readonly onTried: () => void;
}

const groupDelay = 100;
/** So many rows are much: they are committed at once, and housekeeping waits. */
export const groupRows = 500;
const largestGroup = 5000;

/** Asks the thread for a commit of the first writes; gives their results and its length (ms), null where there is none. */
async function commitGroup(
  thread: Thread,
  group: readonly Queued[],
): Promise<{ readonly results: readonly StepResult[]; readonly duration: number | null }> {
  const answer = await thread.ask({ type: 'commit', entries: group.map((queued) => queued.entry) });
  if (answer.type === 'committed') return { results: answer.results, duration: answer.duration };
  const message = answer.type === 'failed' ? answer.message : 'the recorder thread does not answer';
  return { results: group.map(() => ({ type: 'failed', message })), duration: null };
}

/** Commits what waits in a queue, in groups. Starts with nothing to commit. */
export function createCommitLoop({ thread, clock, log, queue, state, onLost, onCommit, onTried }: CommitLoopDeps) {
  let timer: Timer | null = null;
  let committing: Promise<void> | null = null;
  let ending = false;

  function soon(): void {
    if (committing !== null || state.now().type === 'blocked') return;
    const { batches, rows } = queue.pending();
    if (batches === 0) return;
    if (rows >= groupRows) start();
    else timer ??= clock.after(groupDelay, start);
  }

  function start(): void {
    timer?.cancel();
    timer = null;
    if (ending || committing !== null) return;
    committing = commit().finally(() => {
      committing = null;
      soon();
    });
  }

  async function commit(): Promise<void> {
    const group = queue.next(largestGroup);
    if (group.length === 0) return;
    const { results, duration } = await commitGroup(thread, group);
    const { refusal, lost } = queue.answer(group, results);
    for (const source of lost) {
      log.warn({ [source.type]: source.name }, 'writes are lost; what they were of is read anew');
      onLost(source);
    }
    if (duration !== null && results.some((result) => result.type === 'written')) {
      const rows = group.reduce((sum, queued) => sum + queued.rows, 0);
      onCommit?.({ duration, rows, batches: group.length });
    }
    onTried();
    if (refusal === null) state.accepted();
    else retry(refusal);
  }

  function retry(refusal: WriteResult): void {
    timer?.cancel();
    timer = clock.after(state.refused(refusal), start);
  }

  return {
    /** Something waits: it is committed within 100 ms, or at once where it is much. */
    soon,
    /** The store answered something else than a commit: it takes writes, or refuses them. */
    answered(refusal: WriteResult | null): void {
      if (refusal !== null) return retry(refusal);
      state.accepted();
      soon();
    },
    /** Ends: gives each write that waits one more attempt, then abandons what a store still refuses. */
    async end(): Promise<void> {
      ending = true;
      await committing;
      timer?.cancel();
      for (let before = Infinity; queue.pending().batches < before;) {
        before = queue.pending().batches;
        await commit();
        timer?.cancel();
      }
      const lost = queue.abandon('stopped', 'the recorder stopped before it could be written');
      if (lost > 0) log.error({ batches: lost }, 'the recorder stopped with writes that the store refused');
    },
  };
}
