// What happened in the past of a fleet, as its author knows it. Records and expectations are both made from it, neither from the other.
import type { AlarmCall } from '#lib/domain/alarm/call.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { NotedChange } from '#lib/domain/record/change.ts';
import type { Correction } from '#lib/domain/record/current.ts';
import type { Cause } from '#lib/domain/verdict/judgement.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import type { PastObject } from './inventory.ts';

/** One word of an object while it was not well. Times in ms since the epoch. */
export interface Stage {
  readonly verdict: Verdict;
  /** When it began on the cluster, and whether that is known. */
  readonly at: number;
  readonly bound: 'exact' | 'at-least';
  /** When it was known. */
  readonly noticedAt: number;
  readonly reason: string;
  readonly message: string;
  /** The revision that was tried; null where that is no matter of revisions. */
  readonly attempted: string | null;
  /** The commit that ran. */
  readonly commit: string | null;
  readonly rootCause: Cause | null;
  /** The true cause, as only the script knows it: all that has one is one incident. null of an object that does not fail. */
  readonly cause: string | null;
  /** True if it looks as if the object failed by itself, and its cause is known only with a later word. */
  readonly seemsAlone: boolean;
}

/** One time of an object in which it was not well, from its first word to its being well again for good. */
export interface Episode {
  readonly stages: readonly [Stage, ...Stage[]];
  /** Well again; null where it lasted until the object was gone, or still lasts. */
  readonly home: Stage | null;
}

/** One span of an object under one uid. Times in ms since the epoch. */
export interface Span {
  readonly uid: string;
  /** When it was made, as far as that is known, and when it was first seen. */
  readonly at: number;
  readonly bound: 'exact' | 'at-least';
  readonly noticedAt: number;
  /** When it was gone; null where it is still there. */
  readonly goneAt: number | null;
}

/** A commit at which an applier was converged, since `at` (ms). */
export interface Landing {
  readonly commit: string;
  readonly at: number;
}

/** Everything that happened to one object; each list in the order of time. */
export interface ObjectPast {
  readonly object: PastObject;
  readonly spans: readonly Span[];
  /** They do not overlap. Between them it was well. */
  readonly episodes: readonly Episode[];
  readonly corrections: readonly Correction[];
  /** The commits that an applier came to. */
  readonly landings: readonly Landing[];
  /** Commits that ran of it, or were offered by it, from when on: its own landings, or those of what delivers it. */
  readonly runs: readonly Landing[];
}

/** A time (ms since the epoch) in which a cluster, or one kind on it, was not seen. */
export interface Blindness {
  readonly cluster: string;
  readonly kind: { readonly group: string; readonly kind: string } | null;
  readonly from: number;
  readonly to: number;
  readonly state: string;
  readonly reason: string;
  /** Clusters that were lost by one cause have the same. */
  readonly cause: string;
}

/** Planned work on a cluster (ms since the epoch). */
export interface PlannedTime {
  readonly cluster: string;
  readonly from: number;
  readonly to: number;
  readonly reason: string;
}

/** A call, and the object that its labels name; null where they name none, so that it may be for any of its cluster. */
export interface CallPast {
  readonly names: ObjectRef | null;
  /** As it was known: what began or ended while its source was not read was known later, or never. */
  readonly call: AlarmCall;
}

/** An alarm source over time (ms since the epoch). */
export interface SourcePast {
  readonly name: string;
  /** Clusters that it speaks for. */
  readonly clusters: readonly string[];
  /** Since when there is any word of it. */
  readonly since: number;
  /** When it could not be read: in the order of time, apart from each other. */
  readonly unread: readonly { readonly from: number; readonly to: number }[];
  readonly calls: readonly CallPast[];
}

/** A whole past, from one moment to another (ms since the epoch): all was being watched all the time but for the blindness. */
export interface Script {
  readonly from: number;
  readonly to: number;
  readonly clusters: readonly string[];
  readonly objects: readonly ObjectPast[];
  /** Those of one cluster and kind do not touch each other. */
  readonly blindness: readonly Blindness[];
  /** Those of one cluster are far from each other, and in none of them it is lost. */
  readonly planned: readonly PlannedTime[];
  readonly changes: readonly NotedChange[];
  readonly alarms: readonly SourcePast[];
}
