import { sourceKey, type FactSource, type WriteResult } from '#server/store/port/port.ts';
import type { Entry } from './messages.ts';

/** Why a write will never be in the store. `fenced`: another holder has the source. `unwritable`: it can not be stored. `stopped`: the recorder ended first. */
export type Loss = 'fenced' | 'unwritable' | 'stopped';

/** Outcome of a write. After a loss every later write of the source is lost too, until it is acquired and loaded again. */
export type Recorded =
  | { readonly type: 'written' }
  | { readonly type: 'lost'; readonly why: Loss; readonly message: string };

/** One write that waits. */
export interface Queued {
  readonly entry: Entry;
  readonly rows: number;
  /** When it came (ms since the epoch). */
  readonly since: number;
  readonly settle: (outcome: Recorded) => void;
}

/** Amount that waits. */
export interface Pending {
  readonly batches: number;
  readonly rows: number;
  /** When the oldest of it came (ms since the epoch), null where nothing waits. */
  readonly since: number | null;
}

/** Writes in the order in which they came. Pure: no clock, no thread. */
export type WriteQueue = ReturnType<typeof writeQueue>;

/** The number of rows that an entry writes, at least 1. */
export function rowsOf(entry: Entry): number {
  return entry.type === 'forget' ? 1 : entry.batch.rows;
}

function lossOf(result: WriteResult): { readonly why: Loss; readonly message: string } | null {
  if (result.type === 'fenced') return { why: 'fenced', message: 'another collector holds it' };
  if (result.type === 'failed' && result.permanent === true) return { why: 'unwritable', message: result.message };
  return null;
}

function isOf({ entry }: Queued, source: FactSource): boolean {
  return sourceKey(entry.lease.source) === sourceKey(source);
}

/** Makes an empty queue. */
export function writeQueue() {
  let waiting: Queued[] = [];
  let rows = 0;

  function leave(gone: ReadonlySet<Queued>): void {
    waiting = waiting.filter((queued) => !gone.has(queued));
    for (const queued of gone) rows -= queued.rows;
  }

  function abandon(why: Loss, message: string, source?: FactSource): number {
    const gone = new Set(waiting.filter((queued) => source === undefined || isOf(queued, source)));
    leave(gone);
    for (const queued of gone) queued.settle({ type: 'lost', why, message });
    return gone.size;
  }

  return {
    add(queued: Queued): void {
      waiting.push(queued);
      rows += queued.rows;
    },
    /** The first writes of all, up to about `rows` rows, at least one. They stay in the queue until they are answered. */
    next(limit: number): readonly Queued[] {
      let taken = 0;
      const end = waiting.findIndex((queued, index) => {
        taken += queued.rows;
        return index > 0 && taken > limit;
      });
      return end === -1 ? [...waiting] : waiting.slice(0, end);
    },
    /**
     * Takes the results of the group. Written ones leave; a lost one takes every later write of its source with it.
     * Gives the refusal for which the others are to be tried again, null where there is none, and the sources that were lost.
     */
    answer(
      group: readonly Queued[],
      results: readonly WriteResult[],
    ): { readonly refusal: WriteResult | null; readonly lost: readonly FactSource[] } {
      const written = new Set<Queued>();
      const lost = new Map<string, { readonly source: FactSource; readonly why: Loss; readonly message: string }>();
      let refusal: WriteResult | null = null;
      for (const [index, queued] of group.entries()) {
        const result = results[index] ?? { type: 'failed', message: 'the thread gave no result' };
        const { source } = queued.entry.lease;
        const key = sourceKey(source);
        const loss = lossOf(result);
        if (result.type === 'written') written.add(queued);
        else if (loss !== null) lost.set(key, lost.get(key) ?? { source, ...loss });
        else if (!lost.has(key)) refusal ??= result;
      }
      leave(written);
      for (const queued of written) queued.settle({ type: 'written' });
      for (const { source, why, message } of lost.values()) abandon(why, message, source);
      return { refusal, lost: [...lost.values()].map(({ source }) => source) };
    },
    /** True if anything of the source waits. */
    holds: (source: FactSource): boolean => waiting.some((queued) => isOf(queued, source)),
    /** Everything that waits, of one source or of all, is lost; gives how many that were. */
    abandon,
    pending: (): Pending => ({ batches: waiting.length, rows, since: waiting[0]?.since ?? null }),
  };
}
