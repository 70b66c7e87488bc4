import type { AlarmCall } from '#lib/domain/alarm/call.ts';
import type { AlarmFact } from '#lib/domain/alarm/fact.ts';
import type { ProgramStanding } from '#lib/domain/alarm/source.ts';
import type { AlarmEntry } from '#server/config/alarms-schema.ts';
import type { Clock } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import type { Ask } from '../asking/ask.ts';

/** A reading of one program that comes again. */
export interface Task {
  /** When it is due (ms since the epoch); Infinity while it is not. */
  dueAt(): number;
  /** Reads once; never rejects. */
  run(): Promise<void>;
}

/** One program of a source as it is read. */
export interface Program {
  /** The one that is due and stands first goes first; never two at once. */
  readonly tasks: readonly Task[];
  standing(): ProgramStanding;
  /** All that is known of what it told, in parts. */
  facts(): readonly (readonly AlarmFact[])[];
  /** Sentences on what bounds left out. */
  cut(): readonly string[];
  /** Sentence on alerts of which it does not tell whether they call; null where there are none. */
  untold(): string | null;
}

/** Parameters of a program. */
export interface ProgramDeps {
  readonly entry: AlarmEntry;
  readonly address: string;
  readonly ask: Ask;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: () => number;
  /** Ends the readings: an answer that comes after it says nothing. */
  readonly signal: AbortSignal;
  /** Lets others of the thread have their turn. */
  readonly turn: () => Promise<void>;
  /** Facts of the source as they are stored. */
  readonly stored: readonly AlarmFact[];
  readonly openCalls: readonly AlarmCall[];
  /** True if a rule of this name reads objects of reconcilers, as far as the source has told; null where that is not known. */
  readonly readsObjects: (alert: string) => boolean | null;
  /** A task has ended that began at `from` (ms); calls that began or ended by it. */
  readonly onRead: (from: number, calls: readonly AlarmCall[]) => void;
}

/** Time between two readings of what changes all the time, and of what changes rarely (ms). */
export const often = 15_000;
export const seldom = 60_000;

/** Gives what `read` gives, or where it throws, which is a fault of ours, a failure like any other. */
export async function orFailed<T>(
  log: Log,
  read: () => Promise<T>,
): Promise<T | { readonly type: 'failed'; readonly reason: string }> {
  try {
    return await read();
  } catch (error) {
    log.error({ err: error }, 'an answer of an alarm source could not be read');
    return { type: 'failed', reason: 'What it answered could not be read.' };
  }
}

/** The time after `from` at which a reading comes again: a tenth around `every`, so that not all come at once. */
export function nextDue(from: number, every: number, random: () => number): number {
  return from + every * (0.9 + 0.2 * random());
}
