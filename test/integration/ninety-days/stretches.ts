// Stretches of time, counted by taking away: shares no code with segments or gaps.

/** Half-open, in ms since the epoch. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Rest of a stretch within another; null where nothing is. */
export function within(stretch: Stretch, bounds: Stretch): Stretch | null {
  const from = Math.max(stretch.from, bounds.from);
  const to = Math.min(stretch.to, bounds.to);
  return from < to ? { from, to } : null;
}

/** Rest of stretches after others were taken out of them. */
export function without(stretches: readonly Stretch[], holes: readonly Stretch[]): readonly Stretch[] {
  let left = stretches;
  for (const hole of holes)
    left = left.flatMap(({ from, to }) =>
      hole.to <= from || hole.from >= to
        ? [{ from, to }]
        : [
            { from, to: Math.max(from, hole.from) },
            { from: Math.min(to, hole.to), to },
          ].filter((piece) => piece.from < piece.to),
    );
  return left;
}

/** Length of them together (ms). */
export function lengthOf(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, { from, to }) => sum + to - from, 0);
}

/** Time for which at least one of them lasted (ms): no moment counts twice. They may not reach beyond the bounds. */
export function lengthOfAny(stretches: readonly Stretch[], bounds: Stretch): number {
  return lengthOf([bounds]) - lengthOf(without([bounds], stretches));
}
