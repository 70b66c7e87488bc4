import { turnsOf } from '#lib/turns-of.ts';
import { sourceKey, type FactSource, type StepResult, type WriteResult } from '#server/store/port/port.ts';
import { isOf, waitingWrites, type Loss, type Queued } from './waiting-writes.ts';

/** Writes in the order in which they came. Pure: no clock, no thread. */
export type WriteQueue = ReturnType<typeof writeQueue>;

function lossOf(result: StepResult): { readonly why: Loss; readonly message: string } | null {
  if (result.type === 'fenced') return { why: 'fenced', message: 'another collector holds it' };
  if (result.type === 'failed' && result.permanent === true) return { why: 'unwritable', message: result.message };
  return null;
}

/**
 * The first forgetting that nothing of its cluster waits before, null for none; and all writes but those that wait behind a forgetting of their cluster,
 * or behind one that is written in steps.
 */
function divided(waiting: readonly Queued[]): {
  readonly forgetting: Queued | null;
  readonly writes: readonly Queued[];
} {
  const written = new Set<string>();
  const held = new Set<string>();
  const writes: Queued[] = [];
  let forgetting: Queued | null = null;
  for (const queued of waiting) {
    const key = sourceKey(queued.entry.lease.source);
    if (queued.entry.type === 'forget') {
      if (!written.has(key)) forgetting ??= queued;
      held.add(key);
    } else if (!held.has(key)) {
      written.add(key);
      writes.push(queued);
      if (queued.entry.type === 'batch' && queued.entry.batch.inSteps === true) held.add(key);
    }
  }
  return { forgetting, writes };
}

/** Makes an empty queue. */
export function writeQueue() {
  const waiting = waitingWrites();
  let underWay: ReadonlySet<Queued> = new Set();

  function abandon(why: Loss, message: string, source?: FactSource): number {
    const gone = new Set(waiting.all().filter((queued) => source === undefined || isOf(queued, source)));
    waiting.leave(gone);
    for (const queued of gone) queued.settle({ type: 'lost', why, message });
    return [...gone].filter(({ entry }) => entry.type !== 'forget').length;
  }

  return {
    /** Adds a write, as `waitingWrites` has it; false where it was too much of an alarm source: then nothing of that is kept. */
    add(queued: Queued): boolean {
      const fits = waiting.add(queued, underWay);
      if (!fits) abandon('too-much', 'more of it waits than is kept', queued.entry.lease.source);
      return fits;
    },
    /**
     * The first writes, one of each source in turn and those of a source in their order, up to about `limit` rows, at least one: a
     * source that writes without end delays no other. One step of one forgetting comes with them, however many clusters are to be forgotten. They stay in
     * the queue until they are answered.
     */
    next(limit: number): readonly Queued[] {
      let taken = 0;
      const { forgetting, writes } = divided(waiting.all());
      const ofSources = Map.groupBy(writes, ({ entry }) => sourceKey(entry.lease.source));
      const inTurn = [...turnsOf<Queued>(ofSources.values())];
      const end = inTurn.findIndex((queued, index) => {
        taken += queued.rows;
        return index > 0 && taken > limit;
      });
      const taking = end === -1 ? inTurn : inTurn.slice(0, end);
      const group = forgetting === null ? taking : [...taking, forgetting];
      underWay = new Set(group);
      return group;
    },
    /**
     * Takes the results of the group. Written ones leave, but for one of which more is left, which stays in its place; a lost one takes every
     * later write of its source with it.
     * Gives the refusal for which the others are to be tried again, null where there is none, and the sources that were lost.
     */
    answer(
      group: readonly Queued[],
      results: readonly StepResult[],
    ): { readonly refusal: WriteResult | null; readonly lost: readonly FactSource[] } {
      underWay = new Set();
      const written = new Set<Queued>();
      const lost = new Map<string, { readonly source: FactSource; readonly why: Loss; readonly message: string }>();
      let refusal: WriteResult | null = null;
      for (const [index, queued] of group.entries()) {
        const result: StepResult = results[index] ?? { type: 'failed', message: 'the thread gave no result' };
        const { source } = queued.entry.lease;
        const key = sourceKey(source);
        const loss = lossOf(result);
        if (result.type === 'written') {
          if (result.more !== true) written.add(queued);
        } else if (loss !== null) lost.set(key, lost.get(key) ?? { source, ...loss });
        else if (!lost.has(key)) refusal ??= result;
      }
      waiting.leave(written);
      for (const queued of written) queued.settle({ type: 'written' });
      for (const { source, why, message } of lost.values()) abandon(why, message, source);
      return { refusal, lost: [...lost.values()].map(({ source }) => source) };
    },
    /** True if anything of the source waits. */
    holds: (source: FactSource): boolean => waiting.all().some((queued) => isOf(queued, source)),
    /** Everything that waits, of one source or of all, is lost; gives how many that were. A forgetting is no loss: the next process goes on with it. */
    abandon,
    /** The number of rows of one source that wait. */
    rowsWaiting: waiting.rowsOf,
    /** The number of rows of all clusters that wait. */
    clusterRowsWaiting: waiting.clusterRows,
    pending: waiting.pending,
  };
}
