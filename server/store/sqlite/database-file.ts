import { closeSync, constants, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '#server/runtime/make-folder.ts';

/** Makes the folder of a file where it is missing, for its owner alone. Throws where it cannot be made. */
export function makeFolderOf(path: string): void {
  const unmade = makeFolder(dirname(path));
  if (unmade !== null) throw new Error(`${dirname(path)} ${unmade}`);
}

/** Makes the file of a database where it is missing, for its owner alone. Throws where it cannot be made. */
export function makeDatabaseFile(path: string): void {
  // Not one that is there: who closes a file loses the locks that its process has on it.
  if (statSync(path, { throwIfNoEntry: false }) === undefined)
    closeSync(
      openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o600),
    );
}

/**
 * Throws where the file of a database, or one that the engine keeps beside it, is a pipe, a device or a folder: the engine would wait on it
 * for ever. One that is missing is fine.
 */
export function requireRegularFiles(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`])
    if (statSync(file, { throwIfNoEntry: false })?.isFile() === false) throw new Error(`${file} is no regular file`);
}
