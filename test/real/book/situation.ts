import type { ForeignObject } from '#lib/foreign.ts';
import type { Verdict } from '#lib/domain/verdict.ts';
import type { FirstCommits } from '../fixtures/fleet.ts';
import type { Bed } from '../harness/bed.ts';
import type { Onlooker } from '../harness/onlooker.ts';
import type { Plumbline, Subject } from '../harness/plumbline.ts';
import type { Witness } from '../harness/witness.ts';
import type { ProgramName } from '../programs.ts';

/** What the book plays on. */
export interface Stage {
  readonly bed: Bed;
  readonly plumbline: Plumbline;
  readonly onlooker: Onlooker;
  /** Watches alpha as an administrator. */
  readonly witness: Witness;
  readonly first: FirstCommits;
  /** Commits and times (ms) that one situation leaves for the next, by name. */
  readonly notes: Map<string, string>;
}

/** Looks once; gives what is not as it must be, [] where everything is. */
export type Look = (stage: Stage, since: number) => Promise<readonly string[]>;

/** One situation of the book: what is done, and what Plumbline must say then. */
export interface Situation {
  readonly name: string;
  /** What must be said, for the table at the end. */
  readonly expected: string;
  /** Programs beyond the essential ones. */
  readonly needs?: readonly ProgramName[];
  readonly act?: (stage: Stage) => Promise<void>;
  /** All must be content within `within` ms of the act. */
  readonly looks: readonly Look[];
  readonly within: number;
  /** Verdicts that nobody may have seen of an object from the act until everything was as expected: not one flash. */
  readonly never?: readonly {
    readonly subject: Subject;
    readonly verdicts: 'all but converged' | readonly Verdict[];
  }[];
  /** The present verdict's onset must lie within 5 s of the first write after the act that fits, as the witness saw it. */
  readonly onset?: { readonly subject: Subject; readonly shownBy: (object: ForeignObject) => boolean };
}

/** What was written down while playing, by name; an error where a situation that should have written it did not run. */
export function noteOf(stage: Stage, name: string): string {
  const note = stage.notes.get(name);
  if (note === undefined) throw new Error(`${name} was not noted: an earlier situation did not come so far`);
  return note;
}

/** A Kustomization of flux-system. */
export function kustomizationOf(cluster: string, name: string): Subject {
  return { cluster, kind: 'Kustomization', namespace: 'flux-system', name };
}

/** A GitRepository of flux-system. */
export function gitRepositoryOf(cluster: string, name: string): Subject {
  return { cluster, kind: 'GitRepository', namespace: 'flux-system', name };
}

/** Something of namespace apps on alpha. */
export function inApps(kind: string, name: string): Subject {
  return { cluster: 'alpha', kind, namespace: 'apps', name };
}
