import { closeSync, constants, lstatSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { takeSystemLock } from '#server/runtime/system-lock.ts';

/** The right of one process to mirror into a folder, or that another one has it, or why it cannot be asked for (a clause). */
export type MirrorLock =
  | { readonly type: 'taken'; release(): void }
  | { readonly type: 'held' }
  | { readonly type: 'unusable'; readonly reason: string };

/** Takes the right to mirror into a folder that is there. The system ends it with the process. */
export function takeMirrorLock(folder: string): MirrorLock {
  const file = join(folder, 'mirrors.lock');
  try {
    // Not one that is there: who closes a file loses the locks that its process has on it.
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined)
      closeSync(openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW, 0o600));
    if (!lstatSync(file).isFile()) return { type: 'unusable', reason: `${file} is no regular file` };
    return takeSystemLock(file);
  } catch (error) {
    return { type: 'unusable', reason: error instanceof Error ? error.message : `${file} cannot be locked` };
  }
}
