import type { Period } from '../record/span.ts';
import { day } from './length.ts';

/** The beginning (ms) of the UTC day that a moment (ms) lies in. */
export function dayOf(time: number): number {
  return Math.floor(time / day) * day;
}

/** A period (ms) cut at the beginnings of UTC days, oldest first; empty where it is. */
export function cutAtDays({ from, to }: Period): readonly Period[] {
  const pieces: Period[] = [];
  for (let start = from; start < to; start = dayOf(start) + day) {
    pieces.push({ from: start, to: Math.min(to, dayOf(start) + day) });
  }
  return pieces;
}
