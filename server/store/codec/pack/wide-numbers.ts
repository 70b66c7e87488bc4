/** Whole numbers, each as wide as the others: read without looking at one of them. */
export type Wide = Uint32Array | Float64Array;

/** In front of the numbers stands how wide they are; eight bytes, so that they lie where the machine reads them. */
const headerLength = 8;

/** Whole numbers from 0 to 2^53 as bytes, four for each where all are below 2^32, else eight. Little-endian, as machines are. */
export function packWide(values: readonly number[]): Uint8Array {
  const wide = values.every((value) => value < 2 ** 32) ? Uint32Array.from(values) : Float64Array.from(values);
  const bytes = new Uint8Array(headerLength + wide.byteLength);
  bytes[0] = wide.BYTES_PER_ELEMENT;
  bytes.set(new Uint8Array(wide.buffer), headerLength);
  return bytes;
}

/** The numbers in packed bytes, which must not change as long as these are looked at. */
export function unpackWide(bytes: Uint8Array): Wide {
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % headerLength === 0 ? bytes : Uint8Array.from(bytes);
  const count = (byteLength - headerLength) / (bytes[0] ?? 1);
  if (bytes[0] === Float64Array.BYTES_PER_ELEMENT) return new Float64Array(buffer, byteOffset + headerLength, count);
  return new Uint32Array(buffer, byteOffset + headerLength, count);
}
