import type { Truth } from '../api/fleet.ts';

/** The plumb line in a 40 x 92 box, hanging straight; rotate the line and its bob by `lean` about (20, 3). */
export const plumbLine = {
  width: 40,
  height: 92,
  /** The ceiling from which it hangs. */
  beam: 'M5 3H35',
  /** Where it would hang. */
  true: 'M20 3V86',
  line: 'M20 3V68.6',
  bob: 'M16.5 68.6h7l-1.5 11.4L20 86l-2-6Z',
} as const;

/** Hang of the line: its angle in degrees (clockwise seen from above the page), and whether it is grey and dashed. */
export interface Hang {
  readonly lean: number;
  readonly dashed: boolean;
}

/** Straight where the sentence holds, leaning where it does not, dashed where that cannot be said or no cluster is there. */
export function hangOf(truth: Truth): Hang {
  switch (truth) {
    case 'holds':
      return { lean: 0, dashed: false };
    case 'broken':
      return { lean: -7.5, dashed: false };
    case 'unknown':
    case 'empty':
      return { lean: 0, dashed: true };
  }
}
