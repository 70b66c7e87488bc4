import { useState } from 'react';
import { frozenPositions, movesBetween, type Place } from './order.ts';

interface FrozenPositions {
  readonly places: readonly Place[];
  /** Number of rows that would move if the order were set free. */
  readonly moves: number;
  readonly resort: () => void;
}

/** The order of rows; frozen while someone points at it or moves in it. */
export function useFrozenPositions(now: readonly Place[], frozen: boolean): FrozenPositions {
  const [shown, setShown] = useState(now);
  const [seen, setSeen] = useState(now);
  let places = shown;
  if (now !== seen || (!frozen && shown !== now)) {
    places = frozen ? frozenPositions(shown, now) : now;
    setSeen(now);
    setShown(places);
  }
  return { places, moves: frozen ? movesBetween(places, now) : 0, resort: () => setShown(now) };
}
