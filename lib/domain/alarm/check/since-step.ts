import type { CurrentObject } from '../../record/current.ts';
import { minute } from '../../time/length.ts';

/** Objects that left git within so long, by the clock, are counted together (ms). */
const step = 5 * minute;

/** Name of all steps before those that are told one by one. */
export const earlier = 'earlier';

/** Start of the step (ms) in which an object left git, or in which its present verdict began where it never was in git. */
export function stepOf({ awaySince, onset }: Pick<CurrentObject, 'awaySince' | 'onset'>): number {
  return Math.floor((awaySince ?? onset).time / step) * step;
}

/** A step as a label says it: day of the month and time, UTC: "29T11:15". After a month its name comes again: the values of a label stay bounded. */
export function stepText(start: number): string {
  return new Date(start).toISOString().slice(8, 16);
}
