import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { requireRegularFiles } from './database-file.ts';
import { messageOf } from './failure.ts';
import { hasForeignPrograms } from './database.ts';

/** Outcome of a copy. `missing`: there is nothing to copy. `exists`: something has the name already; it is left as it is. */
export type StoreCopy =
  | { readonly type: 'copied' }
  | { readonly type: 'missing' }
  | { readonly type: 'exists' }
  | { readonly type: 'failed'; readonly message: string };

/**
 * Copies a database file, with what its write-ahead log holds, as it stands at one moment, into a new file for its owner alone, and reads every
 * page of the copy. Whoever writes it meanwhile is not held up. `origin`: whether it may come from anywhere, as a backup.
 */
export function copyStore(from: string, to: string, origin: 'own' | 'elsewhere'): StoreCopy {
  if (!existsSync(from)) return { type: 'missing' };
  if (existsSync(to)) return { type: 'exists' };
  let database: DatabaseSync | null = null;
  try {
    requireRegularFiles(from);
    closeSync(openSync(to, 'wx', 0o600));
    // A write of ours that was killed is taken back first, which is a write; what comes from elsewhere is never written.
    const isLeft = origin === 'own' && existsSync(`${from}-journal`);
    database = new DatabaseSync(from, { readOnly: !isLeft, timeout: 5_000 });
    const program = programIn(database, origin);
    if (program !== null) return { type: 'failed', message: program };
    database.prepare('VACUUM INTO ?').run(to);
    chmodSync(to, 0o600);
    const damage = damageOf(to);
    return damage === null ? { type: 'copied' } : { type: 'failed', message: `the copy is damaged: ${damage}` };
  } catch (error) {
    return { type: 'failed', message: messageOf(error) };
  } finally {
    database?.close();
  }
}

/**
 * Why a file is none of ours: it brings what runs when it is read or written, which no version of this program makes, and a copy from elsewhere
 * would have us run; null where it does not.
 */
function programIn(database: DatabaseSync, origin: 'own' | 'elsewhere'): string | null {
  return hasForeignPrograms(database, origin)
    ? 'it has a trigger, a view, an index or a rule that Plumbline never makes'
    : null;
}

/** The first fault of the pages and indexes of a database; null where there is none. */
function damageOf(path: string): string | null {
  const copy = new DatabaseSync(path, { readOnly: true });
  try {
    const found = textOf(copy.prepare('PRAGMA integrity_check(1)').get());
    return found === 'ok' ? null : found.slice(0, 200);
  } finally {
    copy.close();
  }
}

/** The one text of a row; '' where it has none. */
function textOf(row: object | undefined): string {
  const [value]: unknown[] = Object.values(row ?? {});
  return typeof value === 'string' ? value : '';
}
