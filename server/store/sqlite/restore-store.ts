import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Instance } from '../port/instance.ts';
import type { OpenRefusal } from '../port/open-refusal.ts';
import { storeVersion } from '../migrations/index.ts';
import { copyStore } from './copy-store.ts';
import { emptyLog, numberOf, refusalOfVersion } from './database.ts';
import { isCorrupt, messageOf } from './failure.ts';
import { takeWriterLock } from './writing/writer-lock.ts';

/**
 * Outcome of putting a backup in place of a store. `older`: the version that it has, which the collector brings to that of today; null where
 * it is of today. `exists`: a store is there, and is not to be replaced. `held`: a collector writes there. `read`: somebody reads it and does not
 * end. Where nothing was restored, nothing was changed.
 */
export type StoreRestore =
  | { readonly type: 'restored'; readonly older: number | null }
  | { readonly type: 'exists' }
  | { readonly type: 'held'; readonly by: Instance | null }
  | { readonly type: 'read' }
  | { readonly type: 'failed'; readonly message: string }
  | OpenRefusal;

/**
 * Puts the store in the file `from` in place of that at `to`: whole, after every page of the copy was checked, or not at all, wherever it is
 * broken off. It gets an identity of its own, so that nobody who had the other one open takes the one for the other.
 */
export function restoreStore(from: string, to: string, replace: boolean, self: Instance): StoreRestore {
  const refusal = refusalOfCopy(from);
  if (refusal !== null) return refusal;
  const lock = takeWriterLock(to, self);
  if (lock.type !== 'taken') return lock;
  const part = `${to}.restoring`;
  try {
    if (existsSync(to) && !replace) return { type: 'exists' };
    removeFiles(part);
    const copy = copyStore(from, part, 'elsewhere');
    if (copy.type !== 'copied') return { type: 'failed', message: copy.type === 'failed' ? copy.message : copy.type };
    const version = makeItsOwn(part);
    if (existsSync(to) && !closeOld(to)) return { type: 'read' };
    // With the log of the one before beside it, the new one would be read wrongly.
    for (const end of ['-wal', '-shm']) rmSync(`${to}${end}`, { force: true });
    renameSync(part, to);
    syncFolder(dirname(to));
    return { type: 'restored', older: version < storeVersion ? version : null };
  } catch (error) {
    return { type: 'failed', message: messageOf(error) };
  } finally {
    removeFiles(part);
    lock.release();
  }
}

/** Why a backup cannot be restored by this program: it is not there, of a newer version, or damaged; null where it can be. */
function refusalOfCopy(path: string): OpenRefusal | null {
  if (!existsSync(path)) return { type: 'missing', path };
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
    const refusal = refusalOfVersion(path, numberOf(database, 'PRAGMA user_version'));
    return refusal?.type === 'older' ? null : refusal;
  } catch (error) {
    return { type: isCorrupt(error) ? 'corrupt' : 'unusable', path, message: messageOf(error) };
  } finally {
    database?.close();
  }
}

/** Gives a copy an identity of its own and has all of it on the disk. Gives its version. */
function makeItsOwn(path: string): number {
  const database = new DatabaseSync(path);
  try {
    database.prepare('UPDATE store SET id = ?').run(randomUUID());
    return numberOf(database, 'PRAGMA user_version');
  } finally {
    database.close();
    syncFile(path);
  }
}

/** Has the old store need no log, so that it is whole until the very moment at which it is replaced. False where somebody reads it. */
function closeOld(path: string): boolean {
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(path, { timeout: 5_000 });
    return emptyLog(database);
  } catch {
    // Whatever it is, it cannot be opened, and is to be replaced.
    return true;
  } finally {
    if (database?.isOpen === true) database.close();
  }
}

function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  fsyncSync(file);
  closeSync(file);
}

/** A file's new name is kept through a loss of power once its folder is. Windows knows no such thing. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  fsyncSync(folder);
  closeSync(folder);
}

function removeFiles(path: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${path}${end}`, { force: true });
}
