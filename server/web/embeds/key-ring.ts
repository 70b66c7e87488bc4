import { stat } from 'node:fs/promises';
import type { ReadKeys, SigningKey } from './key-file.ts';
import { readKeyFile } from './key-file.ts';

/** The keys that links are signed with, as their file has them now. */
export interface KeyRing {
  /** Never rejects: a file that cannot be used opens no link. */
  current(): Promise<RingState>;
}

/** The keys of the ring, or why there are none. */
export type RingState = ReadKeys | { readonly type: 'not-configured' };

/** Opens the file of keys; null where none is configured. It is read anew whenever it was changed or replaced. */
export function keyRing(path: string | null): KeyRing {
  if (path === null) return { current: () => Promise.resolve({ type: 'not-configured' }) };
  let kept: { readonly identity: string; readonly state: ReadKeys } | null = null;

  async function identityOf(file: string): Promise<string | null> {
    try {
      const { dev, ino, mode, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true });
      return [dev, ino, mode, size, mtimeNs, ctimeNs].join(':');
    } catch {
      return null;
    }
  }

  return {
    async current() {
      const identity = await identityOf(path);
      if (identity !== null && kept?.identity === identity) return kept.state;
      const state = await readKeyFile(path);
      kept = identity === null ? null : { identity, state };
      return state;
    },
  };
}

/** The key of this id; null where there is none. */
export function keyOf(state: RingState, id: string): SigningKey | null {
  return state.type === 'keys' ? (state.keys.find((key) => key.id === id) ?? null) : null;
}
