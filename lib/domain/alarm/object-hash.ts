/**
 * A number of 53 bits for an object of a cluster and kind, by namespace and name: a scope holds the numbers of all its objects, of which there are
 * hundreds of thousands. Two of a million objects have the same number with a chance of 1 in 18,000.
 */
export function objectHash(namespace: string, name: string): number {
  return textHash(`${namespace}/${name}`);
}

/** A number of 53 bits for a text. */
export function textHash(text: string): number {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
}
