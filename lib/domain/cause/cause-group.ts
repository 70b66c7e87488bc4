import type { KnownObject } from '../alarm/known-object.ts';
import { compareText } from '../observation/compare-text.ts';
import { causeKey, causeTitle } from './cause.ts';
import { causeCommits, causeText } from './cause-text.ts';
import type { Onset } from '../record/current.ts';
import { alikeTitle, likenesses } from './failing-alike.ts';
import type { Cause } from '../verdict/judgement.ts';
import { verdictRank, type Verdict } from '../verdict/verdict.ts';

type Alarm = KnownObject['alarm']['state'];

/** One cause and what it takes down with it: its blast radius. */
export interface CauseGroup {
  readonly key: string;
  /** The cause, or the one of several objects that fail alike which has done so longest. */
  readonly cause: Cause;
  /** In words, without a verb: "kustomize-controller on stg-edge", "checkout on 3 clusters". */
  readonly title: string;
  /** The verdict of the cause itself, where it is an object; else the worst beneath it. */
  readonly verdict: Verdict;
  /** Text for people, after the title: "stopped: 14 objects stale". */
  readonly text: string;
  /** Whole hashes of the commits that the text names. */
  readonly commits: readonly string[];
  /** Objects beneath the cause, itself included where it is an object. */
  readonly objects: number;
  readonly clusters: number;
  readonly since: Onset;
  readonly alarm: Alarm;
}

interface Gathering {
  readonly cause: Cause;
  selves: KnownObject[];
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

function awayOf(object: KnownObject): Onset {
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

function gatherUnderCauses(objects: Iterable<KnownObject>): Map<string, Gathering> {
  const groups = new Map<string, Gathering>();
  for (const object of objects) {
    // That a declared stack is not observed is its nature, no fault of anything.
    if (object.verdict === 'converged' || object.verdict === 'suspended' || object.role === 'declared') continue;
    const cause: Cause = object.rootCause ?? { type: 'object', ref: object.ref };
    const key = causeKey(cause);
    // A cluster or kind that is lost takes its objects down when it is lost, whatever they were before.
    const lost = cause.type === 'cluster' || cause.type === 'feed';
    const since = lost ? object.onset : awayOf(object);
    const alarm = object.alarm.state;
    const found: Gathering = groups.get(key) ?? {
      cause,
      selves: [],
      absent: false,
      worthy: false,
      beneath: new Map(),
      clusters: new Set(),
      since,
      alarm,
    };
    groups.set(key, found);
    if (object.rootCause === null) found.selves.push(object);
    else found.beneath.set(object.verdict, (found.beneath.get(object.verdict) ?? 0) + 1);
    found.absent ||= absentReasons.has(object.reason);
    found.worthy ||= worthALine[object.verdict];
    found.clusters.add(object.ref.cluster);
    found.since = earlier(found.since, since);
    found.alarm = worseAlarm(found.alarm, alarm);
  }
  return groups;
}

function pour(into: Gathering, from: Gathering): void {
  into.selves.push(...from.selves);
  into.worthy ||= from.worthy;
  for (const [verdict, n] of from.beneath) into.beneath.set(verdict, (into.beneath.get(verdict) ?? 0) + n);
  for (const cluster of from.clusters) into.clusters.add(cluster);
  into.since = earlier(into.since, from.since);
  into.alarm = worseAlarm(into.alarm, from.alarm);
}

/** Objects that fail alike are one cause: each group is poured into the first that it has a likeness with. */
function joinAlike(groups: Iterable<Gathering>): readonly Gathering[] {
  const joined = new Set<Gathering>();
  const byLikeness = new Map<string, Gathering>();
  for (const group of groups) {
    const alike = group.selves.flatMap(likenesses);
    let home = group;
    for (const other of new Set(alike.map((likeness) => byLikeness.get(likeness)))) {
      if (!other || other === home) continue;
      pour(other, home);
      joined.delete(home);
      for (const [likeness, owner] of byLikeness) if (owner === home) byLikeness.set(likeness, other);
      home = other;
    }
    joined.add(home);
    for (const likeness of alike) byLikeness.set(likeness, home);
  }
  return [...joined];
}

function longestFirst(selves: readonly KnownObject[]): readonly KnownObject[] {
  return selves.toSorted((a, b) => awayOf(a).time - awayOf(b).time || compareText(a.ref.cluster, b.ref.cluster));
}

function lineOf(found: Gathering): CauseGroup | null {
  const selves = longestFirst(found.selves);
  const self = selves[0] ?? null;
  const verdicts = [...found.selves.map(({ verdict }) => verdict), ...(self ? [] : found.beneath.keys())];
  const verdict = verdicts.toSorted((a, b) => verdictRank(a) - verdictRank(b))[0];
  if (!found.worthy || !verdict) return null;
  const cause: Cause = self ? { type: 'object', ref: self.ref } : found.cause;
  const own = self ? found.selves.map(({ alarm }) => alarm.state).reduce(worseAlarm) : null;
  return {
    key: causeKey(cause),
    cause,
    title: found.selves.length > 1 ? alikeTitle(found.selves) : causeTitle(cause),
    verdict,
    text: causeText({ ...found, selves }),
    commits: causeCommits(selves),
    objects: [...found.beneath.values()].reduce((sum, n) => sum + n, found.selves.length),
    clusters: found.clusters.size,
    since: self ? awayOf(self) : found.since,
    alarm: own ?? found.alarm,
  };
}

/** A cluster that is not seen, and of which nothing was ever seen: no object speaks for it. `since` in ms since the epoch. */
export interface BareCluster {
  readonly name: string;
  readonly since: number;
  readonly bound: 'exact' | 'at-least';
}

function bareLine({ name, since, bound }: BareCluster): CauseGroup {
  const cause: Cause = { type: 'cluster', cluster: name };
  return {
    key: causeKey(cause),
    cause,
    title: causeTitle(cause),
    verdict: 'unobserved',
    text: 'not observed: nothing of it has been seen',
    commits: [],
    objects: 0,
    clusters: 1,
    since: { time: since, bound, noticedAt: since },
    alarm: 'unknown',
  };
}

/**
 * The causes behind everything that is not in order; `orderCauses` puts them in their order. `objects` are as known now. What only
 * waits, or cannot be confirmed, counts under its cause and makes no line of its own where its cause has one; what fails alike on
 * several clusters is one line. `bare` clusters have no objects that could speak for them.
 */
export function groupCauses(objects: Iterable<KnownObject>, bare: readonly BareCluster[] = []): readonly CauseGroup[] {
  const lines = joinAlike(gatherUnderCauses(objects).values()).flatMap((found) => lineOf(found) ?? []);
  return [...lines, ...bare.map(bareLine)];
}
