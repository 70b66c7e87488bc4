import type { Fault } from '#lib/domain/incident/fault.ts';
import type { IncidentEnd, IncidentNewsType } from '#lib/domain/incident/incident.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { CommitRange } from '#lib/domain/record/commit-range.ts';
import type { Cause } from '#lib/domain/verdict/judgement.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';

/** An absence of an object, or the loss of a cluster, by the ids that an engine gives: either can be in an incident. */
export interface SubjectIds {
  /** Of an absence above 0, of a loss below. */
  readonly id: number;
  readonly cluster: number;
  /** 0 for a cluster as a whole. */
  readonly object: number;
}

/** An absence or a loss. Times in ms since the epoch. */
export interface FaultSubject extends SubjectIds {
  /** 1, or as many as are known of the cluster. */
  readonly objects: number;
  readonly bound: 'exact' | 'at-least';
  readonly noticedAt: number;
}

/** A subject as it is noted. */
export interface NotedSubject extends FaultSubject {
  readonly openedAt: number;
  /** The key of the object itself as a cause; null of a cluster. */
  readonly self: string | null;
  /** The same for ever of this subject and of no other, as text. */
  readonly identity: string;
}

/** One note of faults, which are written in the order in which they are noticed. `at` in ms since the epoch. */
export type FaultNote =
  /**
   * A subject is away for this reason, or still is for another. `since`: when its present verdict began. `planned`: its cluster is under
   * planned work.
   */
  | {
      readonly type: 'away';
      readonly at: number;
      readonly since: number;
      readonly subject: NotedSubject;
      readonly fault: Fault;
      readonly planned: boolean;
    }
  /** A subject is back for good, or gone: since `at`. */
  | { readonly type: 'over'; readonly at: number; readonly subject: SubjectIds; readonly ended: IncidentEnd };

/** An incident as it stands. Times in ms since the epoch. */
export interface IncidentState {
  readonly row: number;
  readonly id: string;
  readonly cause: Cause;
  readonly openedAt: number;
  readonly bound: 'exact' | 'at-least';
  readonly noticedAt: number;
  readonly closedAt: number | null;
  readonly ended: IncidentEnd | null;
  /** The row of the incident that it turned out to be one with, and when. */
  readonly mergedInto: number | null;
  readonly mergedAt: number | null;
  readonly worst: Verdict;
  readonly reason: string;
  readonly range: CommitRange | null;
  readonly returns: number;
  /** Members that are in it now, with their objects and clusters. */
  readonly open: number;
  readonly objects: number;
  readonly clusters: number;
  readonly mostObjects: number;
  readonly mostClusters: number;
  /** Number of members that it ever had. */
  readonly members: number;
  /** Object-ms up to `changedAt`, the time of its last step. */
  readonly objectTime: number;
  readonly changedAt: number;
  /** When a member came last (not one again that had left while others stayed, of clusters), and since when the last of those that left was back. */
  readonly grownAt: number;
  readonly leftAt: number;
}

/** The time of one subject in one incident. */
export interface MemberState {
  readonly row: number;
  readonly incident: number;
  readonly subject: FaultSubject;
  readonly from: number;
  /** When it came in. */
  readonly joinedAt: number;
  readonly to: number | null;
  readonly ended: IncidentEnd | null;
  /** Its fault in this incident, and when that was noticed. */
  readonly fault: Fault;
  readonly faultAt: number;
}

/** One step of an incident: how it stood from `at` on. */
export interface IncidentStep extends Pick<
  IncidentState,
  | 'cause'
  | 'openedAt'
  | 'bound'
  | 'noticedAt'
  | 'closedAt'
  | 'ended'
  | 'worst'
  | 'reason'
  | 'range'
  | 'returns'
  | 'objects'
  | 'clusters'
  | 'mostObjects'
  | 'mostClusters'
  | 'members'
  | 'objectTime'
> {
  readonly incident: number;
  readonly type: IncidentNewsType;
  readonly at: number;
  /** The incident that it is part of from then on; of `merged` only. */
  readonly into: number | null;
}

/** A subject that is away and makes no incident: it waits, has not settled yet, or is away by plan. */
export interface Pending {
  readonly subject: FaultSubject;
  readonly fault: Fault;
  readonly planned: boolean;
  /** When that was noticed, since when it is so, and the earliest time from which it may be in an incident (ms). */
  readonly at: number;
  readonly since: number;
  readonly from: number;
}

/** The members of incidents. */
export interface MemberBook {
  /** The present time of a subject in an incident, or else the last that ended; null where it was in none. */
  timeOf(subject: number): MemberState | null;
  /** True if the subject is in the incident, or was. */
  wasMember(incident: number, subject: number): boolean;
  /** True if an object is in the incident now. */
  isMember(incident: number, ref: ObjectRef): boolean;
  /** Members that are in it now and whose cause has this key, by the id of their subject. */
  membersBeneath(incident: number, key: string): readonly MemberState[];
  /** The end of the last member that left and did not move; null where all moved. */
  lastEnd(incident: number): IncidentEnd | null;
  addMember(member: Omit<MemberState, 'row'>): void;
  putMember(member: MemberState): void;
  /** One more, or one less, member on a cluster since `at` (ms); gives how many there are then. */
  shift(incident: number, cluster: number, by: 1 | -1, at: number): number;
}

/** All that is away and makes no incident. */
export interface PendingBook {
  putPending(pending: Pending): void;
  /** Gives what was pending of a subject; null where nothing was. */
  dropPending(subject: number): Pending | null;
  /** Those that are pending beneath a cause and not by plan, by the id of their subject. */
  pendingBeneath(key: string): readonly Pending[];
}

/**
 * Where incidents are kept while the rule goes over them: every engine has one. All of it belongs to the transaction in which the faults
 * are written.
 */
export interface IncidentBook extends MemberBook, PendingBook {
  incident(row: number): IncidentState;
  /** True if an incident has this id. */
  hasId(id: string): boolean;
  addIncident(state: Omit<IncidentState, 'row'>): IncidentState;
  putIncident(state: IncidentState): void;
  /** The last incidents that hold a key and are not merged into others, the newest first, at most four. */
  holders(key: string): readonly IncidentState[];
  /** Number of members of an incident that have a key, or had it when they left. */
  holds(incident: number, key: string): number;
  /** One more, or one less, of the members of an incident has this key: it is held while one has. */
  hold(incident: number, key: string): void;
  release(incident: number, key: string): void;
  /**
   * Takes keys, clusters and members of one incident into another, where they are from `at` (ms) on; those that are in the one now leave
   * it. Gives how many members came, and how many clusters the other has members on now.
   */
  handOver(from: number, into: number, at: number): { readonly members: number; readonly clusters: number };
  /** Puts a step down. All that grows, or shrinks, at one moment is one step: the last of them stands. */
  addStep(step: IncidentStep): void;
}

/** The last word on a subject: its fault as text, or that it is over. */
export type LastWord = { readonly fault: string; readonly planned: boolean } | 'over';

/** Every note that was folded, in its order: incidents follow from it alone. */
export interface FaultLog {
  /** The last word on a subject; null where there is none. */
  last(subject: number): LastWord | null;
  add(note: FaultNote): void;
}
