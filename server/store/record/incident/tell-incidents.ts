import { causeKey } from '#lib/domain/cause/cause.ts';
import type { Fault } from '#lib/domain/incident/fault.ts';
import type { Incident, IncidentNews, Member, Roots, TakenFor } from '#lib/domain/incident/incident.ts';
import type { Cause } from '#lib/domain/verdict/judgement.ts';
import { objectTimeBy } from './asked.ts';
import type { IncidentStep, MemberState } from './book.ts';
import type { KnownIncidents } from './known-incidents.ts';
import type { IncidentRows } from './memory-book.ts';

/** Clusters that an incident names. */
export const clustersNamed = 1_000;
/** Names of those that fail themselves that an incident tells. */
export const rootsNamed = 3;
/** Causes that an incident was taken for, the last ones. */
export const takenForNamed = 20;

/** Makes answers of rows, as they were known at a moment (ms). */
export function tellIncidents({ steps, faults, subjects }: IncidentRows, { stateOf, membersOf }: KnownIncidents) {
  function clusterOf({ subject }: MemberState): string {
    return subjects.get(subject.id)?.cluster ?? '';
  }

  /** The fault of a member; where it was recorded later, the one that the log has of the time before. */
  function faultAt({ subject, fault, faultAt: recordedAt }: MemberState, at: number): Fault {
    if (recordedAt <= at) return fault;
    const logged = faults.flatMap((note) =>
      note.type === 'away' && note.subject.id === subject.id && note.at <= at ? note.fault : [],
    );
    return logged.findLast(({ opens }) => opens) ?? logged.at(-1) ?? fault;
  }

  function rootsOf(its: readonly MemberState[], at: number): Roots {
    const own = its.filter((member) => faultAt(member, at).own);
    const named = own.map((member) => subjects.get(member.subject.id)?.ref?.name ?? clusterOf(member));
    const names = [...new Set(named)].toSorted();
    return { names: names.slice(0, rootsNamed), count: names.length, clusters: new Set(own.map(clusterOf)).size };
  }

  function idOrNull(row: number | null): string | null {
    return row === null ? null : stateOf(row).id;
  }

  return {
    incidentOf(step: IncidentStep, at: number): Incident {
      const { incident, openedAt, bound, noticedAt, closedAt, ended, worst, reason, range, cause, returns } = step;
      const its = membersOf(incident, at);
      const clusters = [...new Set(its.map(clusterOf))].toSorted();
      return {
        ...{ id: stateOf(incident).id, cause, roots: rootsOf(its, at) },
        ...{ openedAt, bound, noticedAt, closedAt, ended, worst, reason, range },
        now: { objects: step.objects, clusters: step.clusters },
        most: { objects: step.mostObjects, clusters: step.mostClusters },
        returns,
        takenFor: takenFor(steps.filter((other) => other.incident === incident && other.at <= at)),
        objectTime: objectTimeBy(step, at),
        clusters: clusters.slice(0, clustersNamed),
        clusterCount: clusters.length,
        members: step.members,
      };
    },
    memberOf(member: MemberState, at: number): Member {
      const { subject, from, to, ended, incident } = member;
      const { verdict, reason, cause, own } = faultAt(member, at);
      const left = to !== null && to <= at;
      return {
        incident: stateOf(incident).id,
        ref: subjects.get(subject.id)?.ref ?? null,
        cluster: clusterOf(member),
        ...{ objects: subject.objects, from, bound: subject.bound, noticedAt: subject.noticedAt },
        to: left ? to : null,
        ended: left ? ended : null,
        ...{ verdict, reason, cause, own },
      };
    },
    /** News of a step, by its place among all. */
    newsOf(step: IncidentStep, place: number): IncidentNews {
      const { type, at, objects, clusters, cause, worst, reason, ended, incident, into } = step;
      const stands = { now: { objects, clusters }, cause, worst, reason, ended };
      return { position: place + 1, incident: stateOf(incident).id, type, at, ...stands, into: idOrNull(into) };
    },
  };
}

/** The last causes of an incident that turned out to be others, from its steps. */
function takenFor(own: readonly IncidentStep[]): readonly TakenFor[] {
  const taken: TakenFor[] = [];
  let before: Cause | null = null;
  for (const { type, at, cause } of own) {
    if (type === 'recognised' && before !== null && causeKey(before) !== causeKey(cause))
      taken.push({ cause: before, until: at });
    before = cause;
  }
  return taken.slice(-takenForNamed);
}
