import type { CommitRange } from '../record/commit-range.ts';
import type { ObjectRef } from '../observation/ref.ts';
import type { Cause } from '../verdict/judgement.ts';
import type { Verdict } from '../verdict/verdict.ts';

/** Number of objects and of clusters. Of a cluster that is lost its objects count, as many as were known of it. */
export interface Reach {
  readonly objects: number;
  readonly clusters: number;
}

/**
 * Ends of a member's time in an incident, and of an incident: as its last member that did not move out. `seen`: a lost cluster is seen again. `suspended`: the
 * object was switched off on purpose. `removed`: it is gone. `forgotten`: its cluster is not configured any more. `moved`: its fault turned out
 * to be another one.
 */
export const incidentEnds = ['converged', 'seen', 'suspended', 'removed', 'forgotten', 'moved'] as const;
export type IncidentEnd = (typeof incidentEnds)[number];

/** A cause that an incident was taken for until its own was recognised, at `until` (ms). */
export interface TakenFor {
  readonly cause: Cause;
  readonly until: number;
}

/** Objects and clusters of an incident that fail themselves: several where they fail alike. */
export interface Roots {
  /** Names of objects or clusters, in order, at most three. */
  readonly names: readonly string[];
  /** Number of different names; `clusters`: on how many clusters they are. */
  readonly count: number;
  readonly clusters: number;
}

/**
 * All that failed by one cause, from the first object away to the last one back: docs/design/incidents.md. Everything is as it was known at
 * the moment that was asked for. Times in ms since the epoch.
 */
export interface Incident {
  /** Stable for ever: 12 characters of a-z and 0-9. */
  readonly id: string;
  /** The cause; of several objects that fail alike that of the first. */
  readonly cause: Cause;
  readonly roots: Roots;
  /** When the first member was away, and how well that is known. */
  readonly openedAt: number;
  readonly bound: 'exact' | 'at-least';
  /** When Plumbline knew. */
  readonly noticedAt: number;
  /** When the last member was back for good; null while it lasts. */
  readonly closedAt: number | null;
  readonly ended: IncidentEnd | null;
  /** The worst verdict of a member that fails by itself, or of any; with its reason. */
  readonly worst: Verdict;
  readonly reason: string;
  readonly range: CommitRange | null;
  readonly now: Reach;
  /** The most objects, and the most clusters, at one time. */
  readonly most: Reach;
  /** Number of times that it was over and came back within the quiet time. */
  readonly returns: number;
  readonly takenFor: readonly TakenFor[];
  /** Object-ms up to the moment: reach times time. */
  readonly objectTime: number;
  /** Clusters that were ever in it, by name, at most 1,000; `clusterCount` of all. */
  readonly clusters: readonly string[];
  readonly clusterCount: number;
  /** Number of members that it ever had. */
  readonly members: number;
}

/** One object, or one lost cluster, in an incident. Times in ms since the epoch. */
export interface Member {
  readonly incident: string;
  /** null for a cluster as a whole. */
  readonly ref: ObjectRef | null;
  readonly cluster: string;
  /** 1, or as many as were known of a cluster when it was lost. */
  readonly objects: number;
  readonly from: number;
  readonly bound: 'exact' | 'at-least';
  readonly noticedAt: number;
  /** When it was back, or left for another incident; null while it is in it. */
  readonly to: number | null;
  readonly ended: IncidentEnd | null;
  /** Its fault as it was last recorded in it. */
  readonly verdict: Verdict;
  readonly reason: string;
  readonly cause: Cause;
  readonly own: boolean;
}

/**
 * Types of the steps of an incident. `recognised`: its cause is another than it was taken for. `changed`: its worst verdict, reason or range is.
 * `merged`: it turned out to be one with another.
 */
export const incidentNewsTypes = [
  'opened',
  'recognised',
  'grown',
  'shrunk',
  'changed',
  'closed',
  'reopened',
  'merged',
] as const;
export type IncidentNewsType = (typeof incidentNewsTypes)[number];

/** One step of an incident, in the order in which it was recorded. `at` in ms since the epoch. */
export interface IncidentNews {
  /** Ascending over all incidents. */
  readonly position: number;
  readonly incident: string;
  readonly type: IncidentNewsType;
  readonly at: number;
  /** Reach after it. */
  readonly now: Reach;
  /** The cause, and the worst verdict with its reason, from then on. */
  readonly cause: Cause;
  readonly worst: Verdict;
  readonly reason: string;
  /** End of its last member; null while it lasts. */
  readonly ended: IncidentEnd | null;
  /** The incident that it is part of from then on; of `merged` only. */
  readonly into: string | null;
}

/** Policy that says whether a fault goes on with an incident that is over. Times in ms. */
export interface IncidentPolicy {
  /** A cause that comes back within this time of its end goes on as the same incident. */
  readonly quiet: number;
}

/** 10 min. */
export const defaultIncidentPolicy: IncidentPolicy = { quiet: 600_000 };

/** Clusters that are lost in the same way within this time of one another (ms) are one incident. */
export const lostTogether = 60_000;
