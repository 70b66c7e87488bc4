import { hour, minute } from '../domain/time/length.ts';

/** Of what a figure is: a share from 0 to 1, a count, a sum of time (ms), or the length of one of many (ms). */
export type FigureUnit = 'share' | 'count' | 'time' | 'length';

/** The least change: a tenth of what it was, and beside that so much. */
const tenth = 0.1;
const leastShare = 0.001;
const leastTime = hour;
const leastLength = minute;

/** A median of fewer says nothing of the others. */
export const leastMeasured = 5;

/**
 * Tells whether a figure changed by more than chance may. Counts of what happens by chance vary by their square root, so two of them must
 * lie further apart than twice the root of their sum. A share is compared by what it lacks of 0 or 1, whichever is nearer.
 */
export function isBeyondNoise(unit: FigureUnit, now: number, before: number): boolean {
  const change = Math.abs(now - before);
  switch (unit) {
    case 'share':
      return change >= leastShare && change >= tenth * Math.min(before, 1 - before);
    case 'count':
      return change > 2 * Math.sqrt(now + before) && change >= tenth * before;
    case 'time':
      return change >= leastTime && change >= tenth * before;
    case 'length':
      return change >= leastLength && change >= tenth * before;
  }
}

/** The same rule in words, for whoever reads a report. */
export const noiseText =
  'Better or worse is said only of a change of at least a tenth that is also at least 0.1 percentage points, 1 h of time, 1 min of a median (of 5 or more), or twice the square root of both counts together; anything less is "about the same".';

/** Which way a figure should go: more is better, less is better, or neither. */
export type Better = 'higher' | 'lower' | 'neither';

/** A figure beside that of the period before. */
export interface Compared {
  readonly now: string;
  /** null where nothing of the period before is recorded. */
  readonly before: string | null;
  /** null where a direction would say more than is known, or means nothing. */
  readonly direction: 'better' | 'worse' | 'about the same' | null;
}

/**
 * Compares two figures; one that changed by no more than noise is about the same. `undefined` before: no record; null on either side: it
 * cannot be said, and neither can a direction. `fair`: what they were counted of is alike enough to be compared.
 */
export function compare(
  now: number | null,
  before: number | null | undefined,
  how: {
    readonly write: (value: number | null) => string;
    readonly unit: FigureUnit;
    readonly better: Better;
    readonly fair: boolean;
  },
): Compared {
  const text = how.write(now);
  if (before === undefined) return { now: text, before: null, direction: null };
  const was = how.write(before);
  if (now === null || before === null || !how.fair || how.better === 'neither')
    return { now: text, before: was, direction: null };
  if (!isBeyondNoise(how.unit, now, before)) return { now: text, before: was, direction: 'about the same' };
  return { now: text, before: was, direction: now > before === (how.better === 'higher') ? 'better' : 'worse' };
}

/** "was 98.7 %, better"; '' where nothing is known of before. */
export function wasText({ before, direction }: Compared): string {
  if (before === null) return '';
  return direction === null ? `was ${before}` : `was ${before}, ${direction}`;
}
