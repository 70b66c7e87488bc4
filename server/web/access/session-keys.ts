import { join } from 'node:path';
import { keyRing, makeFirstKey, signingKey, type KeyRing, type SigningKey } from '../embeds/key-file.ts';

/** Name of the file in the data directory that holds the keys of sessions. */
const sessionKeyFile = 'session-keys.yaml';

/** Comment above the keys in it. */
export const headOfSessionKeys = `# The keys that seal the sessions of people. Whoever reads them can be anybody: keep this file to its owner (0600).
# The first key that is not revoked seals. "revoked: true" ends every session that a key has sealed, at once.
`;

/** The file of the keys of sessions in a data directory. */
export function sessionKeyPath(dataDirectory: string): string {
  return join(dataDirectory, sessionKeyFile);
}

/** The keys of sessions of a data directory, the first of which is made at `now` (ms) where there is none. Rejects where it cannot be made. */
export async function sessionKeys(dataDirectory: string, now: number): Promise<KeyRing> {
  const path = sessionKeyPath(dataDirectory);
  await makeFirstKey(path, now, headOfSessionKeys);
  return keyRing(path);
}

/** Keys that open what is sealed, and the one that seals. */
export interface OpenKeys {
  readonly sealing: SigningKey;
  readonly opening: readonly SigningKey[];
}

/** The keys as they are now; null where there is none that seals, or where their file cannot be used. */
export async function openKeys(ring: KeyRing): Promise<OpenKeys | null> {
  const state = await ring.current();
  if (state.type !== 'keys') return null;
  const sealing = signingKey(state.keys);
  return sealing === null ? null : { sealing, opening: state.keys.filter(({ revoked }) => !revoked) };
}
