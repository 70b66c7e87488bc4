import { createHash } from 'node:crypto';

/** Name of the mirror of a repository on disk, by its key: 16 hex digits. */
export function mirrorId(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 16);
}
