import { createHash } from 'node:crypto';

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';

/**
 * The name of an incident for ever, 12 characters of a-z and 0-9: the same wherever the same history is read, and another in another
 * store, so that an old link never leads to another incident. `at` in ms since the epoch.
 */
export function incidentId(founder: string, key: string, at: number): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([founder, key, at]))
    .digest();
  return Array.from(digest.subarray(0, 12), (byte) => letters[byte % letters.length]).join('');
}
