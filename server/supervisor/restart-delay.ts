const firstMs = 500;
const longestMs = 30_000;
/** A child that has lived this long has recovered: its next crash counts as the first again. */
export const recoveredAfterMs = 60_000;

/** Time to wait in ms before the start that follows the nth crash in a row (from 1). */
export function restartDelay(crashes: number): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(crashes - 1, 10));
}
