import { DatabaseSync } from 'node:sqlite';

/** A lock that this process has, or that another one has. */
export type SystemLock = { readonly type: 'taken'; release(): void } | { readonly type: 'held' };

/** https://www.sqlite.org/rescode.html */
const busy = 5;

/**
 * Takes a lock of the system on a file that is there, by way of the engine of SQLite: it ends with the process, however that ends. Throws
 * where the file cannot be locked.
 */
export function takeSystemLock(file: string): SystemLock {
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(file, { timeout: 0 });
    // Nothing is ever written into it: no journal has to lie beside it.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE');
  } catch (error) {
    if (database?.isOpen) database.close();
    if (isBusy(error)) return { type: 'held' };
    throw error;
  }
  const taken = database;
  held.add(taken);
  return {
    type: 'taken',
    release() {
      held.delete(taken);
      taken.close();
    },
  };
}

/** Locks of this process: a handle that nobody refers to any more is collected and closed, and its lock would be free. */
const held = new Set<DatabaseSync>();

function isBusy(error: unknown): boolean {
  return (
    error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === busy
  );
}
