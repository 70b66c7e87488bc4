import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { dayOf } from '#lib/domain/time/utc-day.ts';
import { recordColumns } from '../../codec/record-columns.ts';
import { allRows, firstWhole, whole } from '../rows/cells.ts';
import { prepare } from '../database.ts';
import type { Dictionary } from '../rows/dictionary.ts';
import type { Progress, Work } from './work.ts';

const atOnce = 2_000;

/** Every column that holds the id of a text, by table. */
export const textColumns: readonly (readonly [table: string, columns: readonly string[]])[] = [
  ['object', recordColumns.filter(({ holds }) => holds === 'shared').map(({ name }) => name)],
  ['transition', ['reason', 'message', 'commit_id', 'attempted', 'root_cause', 'traits']],
  ['absence', ['reason', 'root_cause', 'commit_range']],
  ['fault', ['fault']],
  ['fault_pending', ['fault']],
  ['fault_waiting', ['fault']],
  ['incident', ['cause', 'reason', 'commit_range']],
  ['incident_member', ['fault']],
  ['incident_step', ['cause', 'reason', 'commit_range']],
  ['change', ['fact']],
  ['correction', ['said']],
  ['backfill', ['revision']],
];

interface Round {
  /** Only texts up to this id: whatever is written from here on uses newer ones. */
  readonly last: number;
  readonly used: Uint8Array;
  table: number;
  id: number;
}

/**
 * Once in a UTC day deletes texts that nothing uses any more: marks all that are used, table by table, then sweeps the others.
 * `alone` tells whether no other writer remembers ids of texts of this store.
 */
export function unusedTexts(
  database: DatabaseSync,
  dictionary: Dictionary,
  progress: Pick<Progress, 'get' | 'set'>,
  alone: (now: number) => boolean,
): Work {
  const readers: readonly StatementSync[] = textColumns.map(([table, columns]) =>
    prepare(database, `SELECT id, ${columns.join(', ')} FROM ${table} WHERE id > ? ORDER BY id LIMIT ?`),
  );
  const newest = prepare(database, 'SELECT MAX(id) FROM text');
  const texts = prepare(database, 'SELECT id FROM text WHERE id > ? AND id <= ? ORDER BY id LIMIT ?');
  const drop = database.prepare('DELETE FROM text WHERE id = ?');
  let round: Round | null = null;

  function begin(): Round {
    const last = firstWhole(newest) ?? 0;
    dictionary.forgetTexts();
    return { last, used: new Uint8Array(Math.floor(last / 8) + 1), table: 0, id: 0 };
  }

  function mark({ used, last }: Round, id: number): void {
    const byte = Math.floor(id / 8);
    if (id <= last) used[byte] = (used[byte] ?? 0) | (1 << (id % 8));
  }

  function markUsed(under: Round, reader: StatementSync): void {
    const rows = allRows(reader, under.id, atOnce);
    for (const [, ...cells] of rows) {
      for (const cell of cells) if (cell !== null) mark(under, whole(cell));
    }
    const full = rows.length === atOnce;
    under.id = full ? whole(rows.at(-1)?.[0]) : 0;
    if (!full) under.table += 1;
  }

  /** Gives whether there is more to sweep. */
  function sweep(under: Round): boolean {
    const rows = allRows(texts, under.id, under.last, atOnce);
    for (const row of rows) {
      const id = whole(row[0]);
      if (((under.used[Math.floor(id / 8)] ?? 0) & (1 << (id % 8))) === 0) drop.run(id);
      under.id = id;
    }
    return rows.length === atOnce;
  }

  return (_, now) => {
    if (progress.get('texts') >= dayOf(now)) return false;
    if (!alone(now)) {
      round = null;
      return false;
    }
    round ??= begin();
    const reader = readers[round.table];
    if (reader !== undefined) markUsed(round, reader);
    else if (!sweep(round)) {
      progress.set('texts', dayOf(now));
      round = null;
    }
    return true;
  };
}
