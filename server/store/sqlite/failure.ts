import type { WriteRefusal } from '../port.ts';

// https://www.sqlite.org/rescode.html, primary codes
const readOnly = 8;
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

/** What an error means for a write. */
export function refusalOf(error: unknown): WriteRefusal {
  const message = messageOf(error);
  switch (primaryCode(error)) {
    case full:
      return { type: 'full', message };
    case readOnly:
      return { type: 'read-only', message };
    default:
      return isOfTheStore(error) ? { type: 'failed', message } : { type: 'failed', message, permanent: true };
  }
}

/** Whether the error is of the file or the disk, and so of every write, not of one batch. */
export function isOfTheStore(error: unknown): boolean {
  const code = primaryCode(error);
  // 1 SQLITE_ERROR, 19 SQLITE_CONSTRAINT, 20 SQLITE_MISMATCH are of a statement and its values.
  return code !== null && code !== 1 && code !== 19 && code !== 20;
}

/** Whether the file is damaged or no database at all. */
export function isCorrupt(error: unknown): boolean {
  const code = primaryCode(error);
  return code === corrupt || code === notADatabase;
}
