/** The earliest of some times; null, for one or for all, means never. */
export function earliest(...times: readonly (number | null)[]): number | null {
  let found: number | null = null;
  for (const time of times) if (time !== null && (found === null || time < found)) found = time;
  return found;
}
