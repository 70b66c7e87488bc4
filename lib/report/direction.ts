import { isBeyondNoise, type FigureUnit } from './noise.ts';

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
