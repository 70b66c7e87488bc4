/** Minutes in ms. */
export function minutes(count: number): number {
  return count * 60_000;
}

/** Hours in ms. */
export function hours(count: number): number {
  return count * 3_600_000;
}

/** Seconds in ms. */
export function seconds(count: number): number {
  return count * 1000;
}
