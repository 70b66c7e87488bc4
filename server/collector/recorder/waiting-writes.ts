import { mergeAlarms } from '#server/store/codec/alarm/encoded-alarms.ts';
import { forgottenAtOnce, sourceKey, type FactSource } from '#server/store/port/port.ts';
import type { Entry } from './messages.ts';

/** Why a write will never be in the store. `fenced`: another holder has the source. `unwritable`: it can not be stored. `stopped`: the recorder ended first. `too-much`: more of an alarm source waits than is kept. */
export type Loss = 'fenced' | 'unwritable' | 'stopped' | 'too-much';

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

/** The number of rows that an entry writes, at least 1; a forgetting in one step. */
export function rowsOf(entry: Entry): number {
  switch (entry.type) {
    case 'batch':
    case 'alarms':
      return entry.batch.rows;
    case 'forget':
      return forgottenAtOnce;
    case 'forget-alarms':
      return 1;
  }
}

/** So much of one alarm source waits at most of what grows with time: what was removed, calls and coverage. */
const mostOfAlarms = 100_000;

/** One write of an alarm source in the place of two that follow each other; null where they cannot be one. */
function mergedOf(older: Queued, newer: Queued): Queued | null {
  const [first, second] = [older.entry, newer.entry];
  if (first.type !== 'alarms' || second.type !== 'alarms' || first.lease.epoch !== second.lease.epoch) return null;
  const entry = { ...second, batch: mergeAlarms(first.batch, second.batch) };
  const settle = (outcome: Recorded): void => {
    older.settle(outcome);
    newer.settle(outcome);
  };
  return { entry, rows: rowsOf(entry), since: older.since, settle };
}

function isTooMuch({ entry }: Queued): boolean {
  if (entry.type !== 'alarms') return false;
  const { removed, calls, coverage } = entry.batch;
  return removed.length + calls.length + coverage.length > mostOfAlarms;
}

/** True if a write is of a source. */
export function isOf({ entry }: Queued, source: FactSource): boolean {
  return sourceKey(entry.lease.source) === sourceKey(source);
}

/** Writes that wait, in the order in which they came, and how many rows they are. */
export function waitingWrites() {
  let waiting: Queued[] = [];
  let rows = 0;
  let clusterRows = 0;
  const rowsBy = new Map<string, number>();

  function count({ entry, rows: own }: Queued, by: 1 | -1): void {
    const { source } = entry.lease;
    const key = sourceKey(source);
    const left = (rowsBy.get(key) ?? 0) + by * own;
    rows += by * own;
    // However many clusters are forgotten, one step of it is written at a time: they take no room from those that write.
    if (source.type === 'cluster' && entry.type !== 'forget') clusterRows += by * own;
    if (left === 0) rowsBy.delete(key);
    else rowsBy.set(key, left);
  }

  return {
    all: (): readonly Queued[] => waiting,
    /**
     * Adds a write. One of an alarm source becomes one with the last of it that waits, unless that is `underWay`. Gives false where so much of it waits
     * then that it cannot be kept.
     */
    add(queued: Queued, underWay: ReadonlySet<Queued>): boolean {
      const place = waiting.findLastIndex((other) => isOf(other, queued.entry.lease.source));
      const last = waiting[place];
      const merged = last === undefined || underWay.has(last) ? null : mergedOf(last, queued);
      if (last === undefined || merged === null) waiting.push(queued);
      else {
        count(last, -1);
        waiting[place] = merged;
      }
      count(merged ?? queued, 1);
      return !isTooMuch(merged ?? queued);
    },
    /** Takes writes out; those that have left already stay where they are. */
    leave(gone: ReadonlySet<Queued>): void {
      for (const queued of waiting) if (gone.has(queued)) count(queued, -1);
      waiting = waiting.filter((queued) => !gone.has(queued));
    },
    rowsOf: (source: FactSource): number => rowsBy.get(sourceKey(source)) ?? 0,
    clusterRows: (): number => clusterRows,
    pending: (): Pending => ({ batches: waiting.length, rows, since: waiting[0]?.since ?? null }),
  };
}
