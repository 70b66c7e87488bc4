/** A larger file is not shown (bytes). */
export const largestShown = 512 * 1024;
/** Bytes at the beginning of a file that are looked at, as git does. */
const looked = 8_000;

/** True for text as git sees it: none of its first bytes is 0. */
export function isText(bytes: Buffer): boolean {
  const zero = bytes.indexOf(0);
  return zero < 0 || zero >= looked;
}
