import { statfsSync } from 'node:fs';
import { mayBeWritten } from '../port/condition.ts';
import type { WriteRefusal } from '../port/port.ts';

// https://www.sqlite.org/rescode.html, primary codes
const readOnly = 8;
const inputOutput = 10;
const corrupt = 11;
const full = 13;
const notADatabase = 26;

/** The primary result code of an error of node:sqlite, null where it is something else. */
function primaryCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null;
  return error.errcode & 0xff;
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Trouble of the disk under the file, where the engine only knows that it failed (a disk that went read-only gives EROFS). */
function troubleOfDisk(path: string): 'full' | 'read-only' | null {
  if (!mayBeWritten(path)) return 'read-only';
  try {
    return statfsSync(path).bavail === 0 ? 'full' : null;
  } catch {
    return null;
  }
}

/** Meaning of an error for a write to the file at `path`. */
export function refusalOf(error: unknown, path: string): WriteRefusal {
  const message = messageOf(error);
  switch (primaryCode(error)) {
    case full:
      return { type: 'full', message };
    case readOnly:
      return { type: 'read-only', message };
    default:
      if (!isOfTheStore(error)) return { type: 'failed', message, permanent: true };
      return { type: primaryCode(error) === inputOutput ? (troubleOfDisk(path) ?? 'failed') : 'failed', message };
  }
}

/** True if the error is of the file or the disk, and so of every write, not of one batch. */
export function isOfTheStore(error: unknown): boolean {
  const code = primaryCode(error);
  // 1 SQLITE_ERROR, 19 SQLITE_CONSTRAINT, 20 SQLITE_MISMATCH are of a statement and its values.
  return code !== null && code !== 1 && code !== 19 && code !== 20;
}

/** True if the file is damaged or no database at all. */
export function isCorrupt(error: unknown): boolean {
  const code = primaryCode(error);
  return code === corrupt || code === notADatabase;
}
