import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import type { Bed } from '../harness/bed.ts';
import type { Onlooker } from '../harness/onlooker.ts';
import type { Plumbline, Subject } from '../harness/plumbline.ts';
import type { Witness } from '../harness/witness.ts';
import type { ProgramName } from '../programs.ts';

/** Stage that the book plays on. */
export interface Stage {
  readonly bed: Bed;
  readonly plumbline: Plumbline;
  readonly onlooker: Onlooker;
  /** Programs that watch the same clusters beside it, by name: chapters that start one end it too. */
  readonly others: Map<string, Beside>;
  /** Watches both clusters as an administrator. */
  readonly witness: Witness;
  /** Commits and times (ms) that one situation leaves for the next, by name. */
  readonly notes: Map<string, string>;
}

/** Another Plumbline, and who checks it. */
export interface Beside {
  readonly plumbline: Plumbline;
  readonly onlooker: Onlooker;
}

/** Finding of a check, in the words of what it expects; `fits` where it is what is expected. */
export interface Finding {
  readonly fits: boolean;
  readonly got: string;
}

/** One thing that must be so. */
export interface Check {
  /** In words, for the book and the table at the end. */
  readonly expects: string;
  /** Checks once; `since` is when the situation was played (ms). */
  find(stage: Stage, since: number): Promise<Finding>;
}

/** Verdicts that nobody may have seen of an object from the act until everything was as expected: not one flash. */
export interface Never {
  readonly subject: Subject;
  readonly verdicts: 'all but converged' | readonly Verdict[];
}

/** One situation of the book: what is done, and what Plumbline must say then. */
export interface Situation {
  readonly name: string;
  /** Programs beyond the essential ones. */
  readonly needs?: readonly ProgramName[];
  readonly act?: (stage: Stage) => Promise<void>;
  /** All must fit at once, and still do a moment later, within `within` ms of the act. */
  readonly checks: readonly Check[];
  readonly within: number;
  readonly never?: readonly Never[];
}

/**
 * Situations that are played one after the other. A chapter has objects of its own, and a repository of its own where it
 * commits: it can be played alone, and beside others.
 */
export interface Chapter {
  /** Short, for PLUMBLINE_REAL_ONLY. */
  readonly name: string;
  readonly title: string;
  /** Chapters that it builds on, by name; most build on the fleet alone. */
  readonly after?: readonly string[];
  readonly situations: readonly Situation[];
}

/** Chapters that are played at the same time; the next act begins when all of them are through. */
export interface Act {
  readonly title: string;
  readonly chapters: readonly Chapter[];
}

/** Note written down while playing, by name; an error where a situation that should have written it did not run. */
export function noteOf(stage: Stage, name: string): string {
  const note = stage.notes.get(name);
  if (note === undefined) throw new Error(`"${name}" was not noted: an earlier situation did not come so far`);
  return note;
}
