/** Order of two texts by UTF-16 units: below 0, 0 or above 0, as `toSorted` takes it. */
export function compareText(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}
