/** Where a row stands: in which section, and whether it is folded away with what is in order. */
export interface Place {
  readonly id: string;
  readonly section: string;
  readonly folded: boolean;
}

/**
 * Positions while the order is frozen: rows stay where they were, new ones come last, gone ones go.
 * A folded row that now deviates is shown at once: nothing wrong may hide.
 */
export function frozenPositions(before: readonly Place[], now: readonly Place[]): readonly Place[] {
  const next = new Map(now.map((place) => [place.id, place]));
  const kept = before.flatMap((place) => {
    const fresh = next.get(place.id);
    next.delete(place.id);
    return fresh === undefined ? [] : [{ ...place, folded: place.folded && fresh.folded }];
  });
  return [...kept, ...next.values()];
}

/** Least number of rows to move to come from the one to the other (both hold the same rows): all but the longest run in order. */
export function movesBetween(shown: readonly Place[], now: readonly Place[]): number {
  const target = new Map(now.map((place, index) => [place.id, { place, index }]));
  const tails: number[] = [];
  for (const place of shown) {
    const to = target.get(place.id);
    if (to === undefined || to.place.section !== place.section || to.place.folded !== place.folded) continue;
    const spot = tails.findIndex((tail) => tail > to.index);
    tails[spot === -1 ? tails.length : spot] = to.index;
  }
  return shown.length - tails.length;
}
