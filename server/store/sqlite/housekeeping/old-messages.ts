import type { DatabaseSync } from 'node:sqlite';
import { allRows, whole } from '../rows/cells.ts';
import { notKept } from '../rows/record-rows.ts';
import { prepare } from '../database.ts';
import type { Progress, Work } from './work.ts';

const atOnce = 500;

/** Empties the messages of changes of verdict that are older than `messages`, in the order in which they were written. */
export function oldMessages(database: DatabaseSync, progress: Progress): Work {
  const next = prepare(database, 'SELECT id, noticed_at FROM transition WHERE id > ? ORDER BY id LIMIT ?');
  const empty = database.prepare(`UPDATE transition SET message = ${notKept} WHERE id > ? AND id <= ?`);
  return ({ messages }, now) => {
    const position = progress.get('messages');
    const rows = allRows(next, position, atOnce);
    const newer = rows.findIndex((row) => whole(row[1]) >= now - messages);
    const last = rows[(newer < 0 ? rows.length : newer) - 1];
    if (last === undefined) return false;
    empty.run(position, whole(last[0]));
    progress.set('messages', whole(last[0]));
    return newer < 0 && rows.length === atOnce;
  };
}
