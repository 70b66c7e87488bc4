/** Which way a figure should go: more is better, less is better, or neither. */
export type Better = 'higher' | 'lower' | 'neither';

/** A figure beside that of the period before. */
export interface Compared {
  readonly now: string;
  /** null where nothing of the period before is recorded. */
  readonly before: string | null;
  /** null where a direction would say more than is known, or means nothing. */
  readonly direction: 'better' | 'worse' | 'unchanged' | null;
}

/**
 * Compares two figures as they are written: what reads the same is unchanged, whatever the digits behind it. `undefined` before: no
 * record; null on either side: it cannot be said, and neither can a direction. `fair`: both periods are recorded from end to end; amounts
 * (not shares) of unlike lengths have no direction.
 */
export function compare(
  now: number | null,
  before: number | null | undefined,
  how: { readonly write: (value: number | null) => string; readonly better: Better; readonly fair: boolean },
): Compared {
  const text = how.write(now);
  if (before === undefined) return { now: text, before: null, direction: null };
  const was = how.write(before);
  if (now === null || before === null || !how.fair) return { now: text, before: was, direction: null };
  if (text === was) return { now: text, before: was, direction: 'unchanged' };
  if (how.better === 'neither') return { now: text, before: was, direction: null };
  return { now: text, before: was, direction: now > before === (how.better === 'higher') ? 'better' : 'worse' };
}

/** "was 98.7 %, better"; '' where nothing is known of before. */
export function wasText({ before, direction }: Compared): string {
  if (before === null) return '';
  return direction === null ? `was ${before}` : `was ${before}, ${direction}`;
}
