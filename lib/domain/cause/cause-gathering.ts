import type { KnownObject } from '../alarm/known-object.ts';
import { causeKey } from './cause.ts';
import type { Onset } from '../record/current.ts';
import { disjointSets } from './disjoint-sets.ts';
import { likenesses } from './failing-alike.ts';
import type { Cause } from '../verdict/judgement.ts';
import type { Verdict } from '../verdict/verdict.ts';

type Alarm = KnownObject['alarm']['state'];

/** Objects of one cause: those that are it, and those beneath it. */
export interface Gathering {
  readonly cause: Cause;
  readonly selves: KnownObject[];
  readonly below: KnownObject[];
  /** True if what lies beneath says that the cause is not there at all. */
  absent: boolean;
  /** True if anything in it deserves a line of its own. */
  worthy: boolean;
  readonly beneath: Map<Verdict, number>;
  readonly clusters: Set<string>;
  since: Onset;
  alarm: Alarm;
}

const alarmOrder: readonly Alarm[] = ['silent', 'unknown', 'pending', 'not-due', 'sounding'];

/** The alarm that is worse: silence before what is not known. */
export function worseAlarm(a: Alarm, b: Alarm): Alarm {
  return alarmOrder.indexOf(a) <= alarmOrder.indexOf(b) ? a : b;
}

function earlier(a: Onset, b: Onset): Onset {
  return a.time <= b.time ? a : b;
}

/** When an object left git, as far as that is known; else when it became what it is. */
export function awayOf(object: KnownObject): Onset {
  return object.awaySince ?? object.onset;
}

/** Reasons of what lies beneath something that is not there; a source that is gone is told by the controller's own reason. */
const absentReasons: ReadonlySet<string> = new Set([
  'SourceMissing',
  'PartMissing',
  'DeliveryNotSeen',
  'ArtifactFailed',
]);

/** True of verdicts that make a line by themselves. */
const worthALine: Readonly<Record<Verdict, boolean>> = {
  diverged: true,
  drifted: true,
  unhealthy: true,
  stale: true,
  unobserved: true,
  suspended: false,
  behind: true,
  waiting: true,
  progressing: false,
  unconfirmed: false,
  converged: false,
};

function emptyGathering(cause: Cause, since: Onset, alarm: Alarm): Gathering {
  const [beneath, clusters] = [new Map<Verdict, number>(), new Set<string>()];
  return { cause, selves: [], below: [], absent: false, worthy: false, beneath, clusters, since, alarm };
}

/** True of what makes no cause: that a declared stack is not observed is its nature, no fault of anything. */
function isInOrder({ verdict, role }: KnownObject): boolean {
  return verdict === 'converged' || verdict === 'suspended' || role === 'declared';
}

/** Groups by cause, in the order of their first object. */
function gatherUnderCauses(objects: Iterable<KnownObject>): readonly Gathering[] {
  const all = [...objects].filter((object) => !isInOrder(object));
  const byKey = new Map<string, Gathering>();
  const groups: Gathering[] = [];
  // Most that fail by themselves are nobody's cause: a key for each of a hundred thousand takes longer than all else here.
  const named = new Set(all.flatMap(({ rootCause }) => (rootCause?.type === 'object' ? rootCause.ref.name : [])));
  for (const object of all) {
    const cause: Cause = object.rootCause ?? { type: 'object', ref: object.ref };
    const key = object.rootCause === null && !named.has(object.ref.name) ? null : causeKey(cause);
    // A cluster or kind that is lost takes its objects down when it is lost, whatever they were before.
    const lost = cause.type === 'cluster' || cause.type === 'feed';
    const since = lost ? object.onset : awayOf(object);
    let found = key === null ? undefined : byKey.get(key);
    if (found === undefined) {
      found = emptyGathering(cause, since, object.alarm.state);
      groups.push(found);
      if (key !== null) byKey.set(key, found);
    }
    take(found, object, since);
  }
  return groups;
}

function take(into: Gathering, object: KnownObject, since: Onset): void {
  if (object.rootCause === null) into.selves.push(object);
  else {
    into.below.push(object);
    into.beneath.set(object.verdict, (into.beneath.get(object.verdict) ?? 0) + 1);
  }
  into.absent ||= absentReasons.has(object.reason);
  into.worthy ||= worthALine[object.verdict];
  into.clusters.add(object.ref.cluster);
  into.since = earlier(into.since, since);
  into.alarm = worseAlarm(into.alarm, object.alarm.state);
}

function pour(into: Gathering, from: Gathering): void {
  for (const object of from.selves) into.selves.push(object);
  for (const object of from.below) into.below.push(object);
  into.worthy ||= from.worthy;
  for (const [verdict, n] of from.beneath) into.beneath.set(verdict, (into.beneath.get(verdict) ?? 0) + n);
  for (const cluster of from.clusters) into.clusters.add(cluster);
  into.since = earlier(into.since, from.since);
  into.alarm = worseAlarm(into.alarm, from.alarm);
}

/** Objects that fail alike are one cause: groups that a chain of likenesses connects are poured into the first of them, each once. */
function joinAlike(groups: readonly Gathering[]): readonly Gathering[] {
  const sets = disjointSets(groups.length);
  const byLikeness = new Map<string, number>();
  for (const [index, { selves }] of groups.entries())
    for (const likeness of selves.flatMap(likenesses)) {
      const other = byLikeness.get(likeness);
      if (other === undefined) byLikeness.set(likeness, index);
      else sets.join(index, other);
    }
  return groups.filter((group, index) => {
    const first = groups[sets.firstOf(index)];
    if (first === undefined || first === group) return true;
    pour(first, group);
    return false;
  });
}

/** Everything that is not in order, by its cause; what fails alike on several clusters is one. `objects` are as known now. */
export function gatherCauses(objects: Iterable<KnownObject>): readonly Gathering[] {
  return joinAlike(gatherUnderCauses(objects));
}
