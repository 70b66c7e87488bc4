import type { Period } from '../record/span.ts';

/** A UTC day in ms: UTC has no other. */
export const dayLength = 86_400_000;

/** The beginning (ms) of the UTC day that a moment (ms) lies in. */
export function dayOf(time: number): number {
  return Math.floor(time / dayLength) * dayLength;
}

/** A period (ms) cut at the beginnings of UTC days, oldest first; empty where it is. */
export function cutAtDays({ from, to }: Period): readonly Period[] {
  const pieces: Period[] = [];
  for (let start = from; start < to; start = dayOf(start) + dayLength) {
    pieces.push({ from: start, to: Math.min(to, dayOf(start) + dayLength) });
  }
  return pieces;
}
