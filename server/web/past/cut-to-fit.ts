/** The newest of what happened, whole moments of it. */
export interface Fitted<T> {
  readonly items: readonly T[];
  /** The newest moment (ms) of which something is missing; null where nothing is. */
  readonly back: number | null;
}

/**
 * Of a list (newest first) that may go on, what is complete: the last moment may be cut through and is left out, for what follows
 * is asked by its time. A list of nothing but that one moment stays as it is.
 */
export function cutToFit<T>(items: readonly T[], goesOn: boolean, timeOf: (item: T) => number): Fitted<T> {
  const last = items.at(-1);
  if (!goesOn || last === undefined) return { items, back: null };
  const back = timeOf(last);
  const whole = items.filter((item) => timeOf(item) > back);
  return { items: whole.length === 0 ? items : whole, back };
}
