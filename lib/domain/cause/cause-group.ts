import type { KnownObject } from '../alarm/known-object.ts';
import { compareText } from '../observation/compare-text.ts';
import { type BrokenLink, brokenOf } from './broken-link.ts';
import type { AlarmLink } from '../alarm/link.ts';
import { causeKey, causeTitle } from './cause.ts';
import { awayOf, gatherCauses, type Gathering, worseAlarm } from './cause-gathering.ts';
import { causeCommits, causeText } from './cause-text.ts';
import type { Onset } from '../record/current.ts';
import { alikeTitle } from './failing-alike.ts';
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
  /** The link that is broken of most of those of which the alarm is told, where nobody is being called; null where it is another alarm. */
  readonly broken: BrokenLink | null;
}

/** The same objects, the one first that has been away longest. */
function longestFirst(selves: readonly KnownObject[]): readonly KnownObject[] {
  const [any, ...others] = selves;
  if (any === undefined || others.length === 0) return selves;
  const byTime = (a: KnownObject, b: KnownObject): number =>
    awayOf(a).time - awayOf(b).time || compareText(a.ref.cluster, b.ref.cluster);
  const first = others.reduce((longest, other) => (byTime(other, longest) < 0 ? other : longest), any);
  return [first, ...selves.filter((other) => other !== first)];
}

function silentLinks(objects: readonly KnownObject[]): readonly AlarmLink[] {
  return objects.flatMap(({ alarm }) => (alarm.state === 'silent' ? alarm.broken : []));
}

function lineOf(found: Gathering): CauseGroup | null {
  return found.worthy ? groupOf(found) : null;
}

function groupOf(found: Gathering): CauseGroup | null {
  const selves = longestFirst(found.selves);
  const self = selves[0] ?? null;
  const verdicts = [...found.selves.map(({ verdict }) => verdict), ...(self ? [] : found.beneath.keys())];
  const verdict = verdicts.toSorted((a, b) => verdictRank(a) - verdictRank(b))[0];
  if (!verdict) return null;
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
    broken: brokenOf(silentLinks(self ? found.selves : found.below)),
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
    broken: null,
  };
}

/**
 * The causes behind everything that is not in order; `orderCauses` puts them in their order. `objects` are as known now. What only
 * waits, or cannot be confirmed, counts under its cause and makes no line of its own where its cause has one; what fails alike on
 * several clusters is one line. `bare` clusters have no objects that could speak for them.
 */
export function groupCauses(objects: Iterable<KnownObject>, bare: readonly BareCluster[] = []): readonly CauseGroup[] {
  const lines = gatherCauses(objects).flatMap((found) => lineOf(found) ?? []);
  return [...lines, ...bare.map(bareLine)];
}

/** A cause with all of its objects. */
export interface CauseWithObjects {
  readonly group: CauseGroup;
  readonly objects: readonly KnownObject[];
}

/** The causes behind objects, each with these objects: every one that is not in order, whether it makes a line by itself or not. In no order. */
export function causesWithObjects(objects: Iterable<KnownObject>): readonly CauseWithObjects[] {
  return gatherCauses(objects).flatMap((found) => {
    const group = groupOf(found);
    return group === null ? [] : { group, objects: [...found.selves, ...found.below] };
  });
}
