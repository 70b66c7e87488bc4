import { createHash } from 'node:crypto';
import { boundedMap } from '../../../../runtime/bounded-map.ts';

const remembered = 20_000;

/** Gives the hash of a key as it is stored: 53 bits. */
export function openKeyHash(): (key: string) => number {
  const known = boundedMap<string, number>(remembered);
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const digest = createHash('sha256').update(key).digest();
    const hash = digest.readUIntBE(0, 6) * 32 + (digest.readUInt8(6) & 31);
    known.set(key, hash);
    return hash;
  };
}
