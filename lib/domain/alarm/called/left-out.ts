import { compareText } from '../../observation/compare-text.ts';
import type { Period } from '../../record/span.ts';

/** A source and the number of its calls in a time. */
export interface CallsOfSource {
  readonly source: string;
  readonly calls: number;
}

/**
 * Sources whose calls are not read, so that those of all others are no more than `most` together: the loudest. Who has the fewest is read first, so each
 * is sure of its share, `most` by the number of sources, however loud others are.
 */
export function loudestOf<S extends CallsOfSource>(sources: readonly S[], most: number): readonly S[] {
  const quietFirst = sources.toSorted((a, b) => a.calls - b.calls || compareText(a.source, b.source));
  let sum = 0;
  return quietFirst.filter(({ calls }) => {
    sum += calls;
    return sum > most;
  });
}

/**
 * Sources of which no call is read in a time. Each is as one that cannot be read: whom another called for is known, and that nobody was is not.
 */
export interface LeftOut {
  readonly sources: readonly CallsOfSource[];
  /** From the first to the last of their calls for a cluster: a source that speaks for other clusters now may have called for it. */
  readonly heard: readonly HeardOn[];
}

/** When calls of a source were made for a cluster. */
export interface HeardOn extends Period {
  readonly source: string;
  readonly cluster: string;
}

/** Every call is read. */
export const noneLeftOut: LeftOut = { sources: [], heard: [] };
