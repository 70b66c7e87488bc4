/** One completed pass of an object, as far as it tells of it. Times in ms since the epoch. */
export interface PassSeen {
  /** When it ended, by the reconciler's own clock (whole seconds, as its events have it). */
  readonly at: number;
  readonly applied: string | null;
  /** Of the desired content; null where the reconciler tells none (Flux before 2.7). */
  readonly digest: string | null;
  readonly generation: number;
}

/** An event that may be a correction and waits for the end of the pass in which it was made. */
export interface CorrectionClaim {
  readonly at: number;
  readonly said: string;
  readonly count: number;
  /** The revision of the pass; null where the event does not tell it for sure. */
  readonly revision: string | null;
  readonly generation: number;
  /** When the newest pass ended that was known before the event was heard; null where none was. */
  readonly passKnown: number | null;
}

/**
 * Memory of one object between events, so that a correction is told from a change of what is desired.
 * Plain JSON, bounded: at most 4 passes, 8 claims and 12 series.
 */
export interface CorrectionMemory {
  /** Oldest first. */
  readonly passes: readonly PassSeen[];
  /** Oldest first. */
  readonly claims: readonly CorrectionClaim[];
  /** Counts of event series by the event's uid; the oldest is forgotten first. */
  readonly series: readonly { readonly uid: string; readonly count: number; readonly at: number }[];
  /** Corrections that followed each other pass on pass. */
  readonly run: { readonly count: number; readonly at: number } | null;
}

/** The memory of an object of which nothing is known. */
export const noCorrections: CorrectionMemory = { passes: [], claims: [], series: [], run: null };
