import type { Correction } from '#lib/domain/record/current.ts';
import { redact } from '#lib/domain/observation/redact.ts';
import { minute } from '#lib/domain/time/length.ts';
import type { ObservedEvent } from '../clusters/cluster-event.ts';

/** From so many corrections in a row on, somebody works against the reconciler (docs/facts/flux.md, docs/facts/crossplane.md). */
const contestedFrom = 3;
/** Where a reconciler does not tell its interval: the longest default poll (provider-upjet-aws, ms). */
const longestPoll = 10 * minute;
/** Ahead of the message of an Event that stands for several with other words (client-go `tools/record/events_cache.go`). */
export const combined = '(combined from similar events)';

/**
 * Number of new occurrences that an event stands for: the difference of `count` to when it was last seen. A combined event counts
 * other texts too and stands for one at least; so does a series that was not seen before. 0 for a repetition of what is known.
 */
export function occurrences(
  memory: CorrectionMemory,
  event: ObservedEvent,
  now: number,
): { readonly fresh: number; readonly memory: CorrectionMemory } {
  const known = memory.series.find((series) => series.uid === event.uid);
  const at = event.lastAt ?? now;
  const grown = known === undefined ? 1 : event.count - known.count;
  const again = known !== undefined && (grown < 0 || (grown === 0 && at > known.at));
  const fresh = again ? 1 : Math.max(0, event.message.startsWith(combined) ? Math.min(grown, 1) : grown);
  const others = memory.series.filter((series) => series.uid !== event.uid);
  return { fresh, memory: { ...memory, series: [...others, { uid: event.uid, count: event.count, at }].slice(-12) } };
}

/**
 * A correction that is sure to have been one, or probably: contested when at least three followed each other pass on pass.
 * `interval` is the object's own (ms), null where it does not tell it.
 */
export function corrected(
  memory: CorrectionMemory,
  found: {
    readonly at: number;
    readonly said: string;
    readonly count: number;
    readonly certainty: 'confirmed' | 'probable';
  },
  interval: number | null,
): { readonly memory: CorrectionMemory; readonly correction: Correction } {
  const { run } = memory;
  const reach = 2.5 * (interval ?? longestPoll) * found.count;
  const follows = run !== null && found.at >= run.at && found.at - run.at <= reach;
  const count = (follows ? run.count : 0) + found.count;
  const certainty = count >= contestedFrom ? 'contested' : found.certainty;
  const said = redact(found.said.startsWith(combined) ? found.said.slice(combined.length + 2) : found.said, 1024);
  return {
    memory: { ...memory, run: { count, at: found.at } },
    correction: { at: found.at, certainty, said, count: found.count },
  };
}

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
