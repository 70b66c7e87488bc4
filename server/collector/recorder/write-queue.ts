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

/** One write of each source, then another of each: those of a source in the order in which they came. */
function turnsOf(waiting: readonly Queued[]): readonly Queued[] {
  const turns: Queued[][] = [];
  const taken = new Map<string, number>();
  for (const queued of waiting) {
    const key = sourceKey(queued.entry.lease.source);
    const turn = taken.get(key) ?? 0;
    taken.set(key, turn + 1);
    const others = turns[turn];
    if (others) others.push(queued);
    else turns.push([queued]);
  }
  return turns.flat();
}

/** Makes an empty queue. */
export function writeQueue() {
  let waiting: Queued[] = [];
  let rows = 0;
  const rowsBy = new Map<string, number>();

  function count({ entry, rows: own }: Queued, by: 1 | -1): void {
    const key = sourceKey(entry.lease.source);
    const left = (rowsBy.get(key) ?? 0) + by * own;
    rows += by * own;
    if (left === 0) rowsBy.delete(key);
    else rowsBy.set(key, left);
  }

  function leave(gone: ReadonlySet<Queued>): void {
    waiting = waiting.filter((queued) => !gone.has(queued));
    for (const queued of gone) count(queued, -1);
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
      count(queued, 1);
    },
    /**
     * The first writes, one of each source in turn and those of a source in their order, up to about `limit` rows, at least one: a
     * source that writes without end delays no other. They stay in the queue until they are answered.
     */
    next(limit: number): readonly Queued[] {
      let taken = 0;
      const inTurn = turnsOf(waiting);
      const end = inTurn.findIndex((queued, index) => {
        taken += queued.rows;
        return index > 0 && taken > limit;
      });
      return end === -1 ? inTurn : inTurn.slice(0, end);
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
    /** The number of rows of one source that wait. */
    rowsWaiting: (source: FactSource): number => rowsBy.get(sourceKey(source)) ?? 0,
    pending: (): Pending => ({ batches: waiting.length, rows, since: waiting[0]?.since ?? null }),
  };
}
