import type { RecordScope } from '../../port/record-port.ts';
import { includesObject, includesWhole } from '../recorded.ts';
import type { IncidentState, IncidentStep, MemberState } from './book.ts';
import type { IncidentRows } from './memory-book.ts';

/** Incidents as they were known when: how one stood at a moment is its last step up to it. */
export type KnownIncidents = ReturnType<typeof knownIncidents>;

/** Reads rows by when they were known. Moments in ms since the epoch. */
export function knownIncidents({ states, members, steps, subjects }: IncidentRows) {
  function stateOf(row: number): IncidentState {
    const state = states[row - 1];
    if (state === undefined) throw new Error(`there is no incident ${row}`);
    return state;
  }

  function lastStep(row: number, at: number): IncidentStep | null {
    return steps.findLast((step) => step.incident === row && step.at <= at) ?? null;
  }

  function membersOf(incident: number, at: number): readonly MemberState[] {
    return members.filter((member) => member.incident === incident && member.joinedAt <= at);
  }

  function isIn(scope: RecordScope, { subject }: MemberState): boolean {
    const { ref, cluster } = subjects.get(subject.id) ?? { ref: null, cluster: '' };
    if (ref !== null) return includesObject(scope, ref);
    return includesWhole(scope, cluster);
  }

  /** The incident that lived at `at` with all that was in another. */
  function livingAt(row: number, at: number): IncidentState {
    const into = lastStep(row, at)?.into ?? null;
    return into === null ? stateOf(row) : livingAt(into, at);
  }

  return {
    stateOf,
    /** The last step of an incident up to a moment; null where it was not known. */
    lastStep,
    /** Last steps of those that were known, no part of others, and had a member in the scope, in the order of their rows. */
    within: (scope: RecordScope, at: number): readonly IncidentStep[] =>
      states
        .flatMap(({ row }) => lastStep(row, at) ?? [])
        .filter(({ into }) => into === null)
        .filter(({ incident }) => membersOf(incident, at).some((member) => isIn(scope, member))),
    membersOf,
    isIn,
    livingAt,
  };
}
