import { chmodSync, lstatSync } from 'node:fs';
import { takeSystemLock } from '#server/runtime/system-lock.ts';
import type { OpenRefusal } from '../../port/open-refusal.ts';
import { readWriter, sayWriter, type Instance } from '../../port/instance.ts';
import { makeDatabaseFile, makeFolderOf, requireRegularFiles } from '../database-file.ts';
import { messageOf } from '../failure.ts';

/** The right of one process to write a store, or the process that has it (null where that is not known), or why it cannot be asked for. */
export type WriterLock =
  | { readonly type: 'taken'; release(): void }
  | { readonly type: 'held'; readonly by: Instance | null }
  | OpenRefusal;

/**
 * Takes the right to write the store at `path` for this process, `self`. It is a lock of the system on the file `<path>.writer`, by way
 * of the engine: it ends with the process, however that ends, and no process number that comes again can be taken for its holder.
 */
export function takeWriterLock(path: string, self: Instance): WriterLock {
  try {
    const file = `${path}.writer`;
    makeFolderOf(file);
    makeDatabaseFile(file);
    requireRegularFiles(file);
    keepToOwner(file);
    const lock = takeSystemLock(file);
    if (lock.type === 'held') return { type: 'held', by: readWriter(path) };
    sayWriter(path, self);
    return lock;
  } catch (error) {
    return { type: 'unusable', path, message: messageOf(error) };
  }
}

/** Whoever may read the file may lock it and keep everybody from writing: it is for its owner alone, as far as that is this process's to say. */
function keepToOwner(file: string): void {
  const found = lstatSync(file);
  if (!found.isFile()) throw new Error(`${file} is no regular file`);
  if (found.uid !== process.getuid?.() || (found.mode & 0o077) === 0) return;
  try {
    chmodSync(file, 0o600);
  } catch {
    // The disk knows no rights, or does not let them be changed.
  }
}
