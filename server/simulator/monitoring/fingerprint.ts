import type { Labels } from '#lib/domain/alarm/fact.ts';

/** Low part of FNV's prime for 64 bits, which is 2^40 + 0x1b3. */
const prime = 0x1b3;
const word = 2 ** 32;
const separator = 0xff;

/**
 * The fingerprint of an alert as Alertmanager computes it (prometheus/common model/signature.go): FNV-1a of 64 bits over the sorted
 * labels, name and value each followed by 0xFF; 16 hexadecimal digits.
 */
export function fingerprintOf(labels: Labels): string {
  let high = 0xcbf29ce4;
  let low = 0x84222325;

  function add(byte: number): void {
    low = (low ^ byte) >>> 0;
    const product = low * prime;
    high = (high * prime + Math.floor(product / word) + ((low << 8) >>> 0)) % word;
    low = product % word;
  }

  for (const name of Object.keys(labels).sort())
    for (const text of [name, labels[name] ?? '']) {
      for (const byte of Buffer.from(text)) add(byte);
      add(separator);
    }
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
}
