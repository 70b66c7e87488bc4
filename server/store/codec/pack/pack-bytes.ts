/** A position in packed bytes that moves on as they are read. */
export interface Reading {
  readonly packed: string;
  at: number;
}

/** Bytes that grow as they are written; `end` is behind the last one. */
export interface Writing {
  bytes: Buffer;
  end: number;
}

const twoTo28 = 2 ** 28;

/** Begins with nothing written. */
export function noBytes(): Writing {
  return { bytes: Buffer.alloc(1 << 16), end: 0 };
}

/** The bytes from a position on, each as a character. */
export function writtenSince(writing: Writing, start: number): string {
  return writing.bytes.toString('latin1', start, writing.end);
}

/** Makes room for what follows: whoever writes asks for as much as it may need. */
export function makeRoom(writing: Writing, size: number): void {
  const { bytes, end } = writing;
  if (end + size <= bytes.length) return;
  writing.bytes = Buffer.alloc(Math.max(bytes.length * 2, end + size));
  bytes.copy(writing.bytes, 0, 0, end);
}

/** Writes a whole number of seven bits a byte, the last byte below 128: 8 bytes at most. */
export function putNatural(writing: Writing, value: number): void {
  const { bytes } = writing;
  let remaining = value;
  for (; remaining >= twoTo28; remaining = Math.floor(remaining / 128)) bytes[writing.end++] = (remaining % 128) | 128;
  for (; remaining >= 128; remaining >>>= 7) bytes[writing.end++] = (remaining & 127) | 128;
  bytes[writing.end++] = remaining;
}

/** Reads such a number. */
export function takeNatural(reading: Reading): number {
  let value = 0;
  for (let factor = 1; ; factor *= 128) {
    const byte = reading.packed.charCodeAt(reading.at++);
    if (byte < 128) return value + byte * factor;
    if (Number.isNaN(byte)) throw new Error('a packed value is cut short');
    value += (byte - 128) * factor;
  }
}
