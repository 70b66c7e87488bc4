import type { Alarming } from '#lib/domain/alarm/alarming/fact.ts';
import { knownAlarming } from '#lib/domain/alarm/alarming/known-alarming.ts';
import { knownAt, type KnownObject } from '#lib/domain/alarm/known-object.ts';
import type { KnownAlarms } from '#lib/domain/alarm/chain.ts';
import type { AlarmsUnknown } from '#lib/domain/alarm/link.ts';
import { clusterAsKnownAt, expiryOf, isOutOfSight } from '#lib/domain/verdict/as-known-at.ts';
import type { ClusterAsKnown } from '#lib/domain/verdict/as-known-at.ts';
import type { Scope } from '#lib/api/scope.ts';
import type { Conflict } from '#lib/domain/observation/conflict.ts';
import type { CurrentFeed } from '#lib/domain/record/current.ts';
import type { ExemptionKind } from '#lib/domain/exemption/exemption.ts';
import type { Guarantee, Policy } from '#lib/domain/guarantee/guarantee.ts';
import { driftGoesUnseen } from '#lib/domain/observation/drift.ts';
import { guaranteeOf, isAway } from '#lib/domain/guarantee/guarantee.ts';
import { observedCounts } from '#lib/domain/guarantee/guarantee-sentence.ts';
import { plannedWorkOn, type PlannedWork } from '#lib/domain/exemption/planned-work.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import { countInto, emptyTally, guaranteeCounts, verdictCounts, type Tally } from '#lib/domain/guarantee/tally.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { feedsIn, mayHide } from './hidden-kinds.ts';
import type { ClusterCache } from './fleet-cache.ts';

/** One cluster as it may be spoken of now: every object through `asKnownAt`, counted. Times in ms since the epoch. */
export interface KnownCluster {
  readonly name: string;
  readonly labels: { readonly [key: string]: string };
  readonly known: ClusterAsKnown;
  readonly objects: readonly KnownObject[];
  /** All that its objects say of who is called; null where that is not known. */
  readonly alarming: Alarming | null;
  /** Those that are not converged. */
  readonly deviating: readonly KnownObject[];
  /** The objects by verdict and guarantee, and its sums by either. */
  readonly tally: Tally;
  readonly counts: ReadonlyMap<Verdict, number>;
  readonly guarantee: Readonly<Record<Guarantee, number>>;
  readonly plannedWork: PlannedWork | null;
  /** True if an alarm source speaks for any object that is away or stale. */
  readonly alarmsReceived: boolean;
  /** Why nothing is known of the alarms of those that are away or stale, but for planned work. */
  readonly alarmsUnknown: ReadonlySet<AlarmsUnknown>;
  readonly notMeasurable: number;
  /** Objects with exemptions, and how many exemptions of each kind there are. */
  readonly exempt: readonly KnownObject[];
  readonly exemptions: ReadonlyMap<ExemptionKind, number>;
  /** Conflicts of ownership that are known of, and those of them that are told one by one. */
  readonly conflicts: number;
  /** Feeds that are watched, or should be, whether or not there is any of it; of a scope, those it may keep. */
  readonly feeds: readonly CurrentFeed[];
  readonly listedConflicts: readonly Conflict[];
  /** Who owns an object here. */
  readonly reconcilers: ReadonlySet<string>;
  /** The worst verdict of what can be observed. */
  readonly worst: Verdict | null;
  /** Another number whenever any of this is another; never used twice in one process. */
  readonly stamp: number;
}

/** A known cluster with what decides whether it still holds. */
export interface BuiltCluster extends KnownCluster {
  readonly revision: number;
  readonly renewal: number;
  /** Of the alarms that were joined. */
  readonly alarmStamp: number;
  /** Something on it has outlived its proof: a renewal may bring it back. */
  readonly expired: boolean;
  /** When time alone changes it; Infinity for never. */
  readonly expiresAt: number;
}

/** Counts objects, all of a cluster or some of them, that are as known at `now`. */
export function counted(objects: readonly KnownObject[], policy: Policy, now: number) {
  const deviating: KnownObject[] = [];
  const exempt: KnownObject[] = [];
  const exemptions = new Map<ExemptionKind, number>();
  const tally = emptyTally();
  const reconcilers = new Set<string>();
  let notMeasurable = 0;
  let alarmsReceived = false;
  const alarmsUnknown = new Set<AlarmsUnknown>();
  for (const object of objects) {
    if (object.exemptions.length > 0) exempt.push(object);
    for (const { kind } of object.exemptions) exemptions.set(kind, (exemptions.get(kind) ?? 0) + 1);
    const guarantee = guaranteeOf(object, policy, now);
    countInto(tally, object.verdict, guarantee);
    if (driftGoesUnseen(object)) notMeasurable += 1;
    if (object.role !== 'declared') reconcilers.add(object.reconciler);
    if (object.verdict === 'converged') continue;
    deviating.push(object);
    if (!isAway(object.verdict)) continue;
    if (object.alarm.state !== 'unknown') alarmsReceived = true;
    else if (guarantee === 'unknown') alarmsUnknown.add(object.alarm.why);
  }
  const [worst = null] = observedCounts(tally).keys();
  const sums = { tally, counts: verdictCounts(tally), guarantee: guaranteeCounts(tally), worst };
  return { objects, deviating, ...sums, alarmsReceived, alarmsUnknown, notMeasurable, exempt, exemptions, reconcilers };
}

/** Lost, and nothing of it was ever seen: no object would tell of it. */
export function isBare({ known, objects }: Pick<KnownCluster, 'known' | 'objects'>): boolean {
  return objects.length === 0 && isOutOfSight(known.state);
}

/**
 * A known cluster as if what a scope keeps of it were all that it has; null where none of what is known there is kept, and nothing
 * that would be can be hidden there. `keeps`: whether the scope keeps an object.
 */
export function narrowed(
  cluster: KnownCluster,
  scope: Scope,
  keeps: (object: KnownObject) => boolean,
  policy: Policy,
  now: number,
): KnownCluster | null {
  const kept = cluster.objects.filter(keeps);
  const feeds = feedsIn(scope, cluster.feeds);
  if (kept.length === 0 && !mayHide(cluster.known.state, cluster.objects.length, feeds)) return null;
  return { ...cluster, feeds, ...counted(kept, policy, now), ...conflictsAmong(cluster, kept) };
}

/** The conflicts whose resource, or one of its owners, is among some objects. */
function conflictsAmong(
  { name, listedConflicts }: KnownCluster,
  objects: readonly KnownObject[],
): Pick<KnownCluster, 'conflicts' | 'listedConflicts'> {
  if (listedConflicts.length === 0) return { conflicts: 0, listedConflicts };
  const keys = new Set(objects.map(({ ref }) => refKey(ref)));
  const visible = listedConflicts.filter(({ resource, owners }) =>
    [{ cluster: name, ...resource }, ...owners.flatMap(({ ref }) => ref ?? [])].some((ref) => keys.has(refKey(ref))),
  );
  return { conflicts: visible.length, listedConflicts: visible };
}

/** A cached cluster as it may be told at `now` (ms). */
export function buildKnown(
  clusterCache: ClusterCache,
  { alarms, policy }: { readonly alarms: KnownAlarms; readonly policy: Policy },
  now: number,
  stamp: number,
): BuiltCluster {
  const { record } = clusterCache;
  const known: ClusterAsKnown = record
    ? clusterAsKnownAt(record, now)
    : {
        state: 'unobserved',
        since: now,
        bound: 'at-least',
        reason: 'Nothing is known of this cluster yet.',
        cautions: [],
      };
  const objects: KnownObject[] = [];
  let expired = record !== null && known.state !== record.state;
  let expiresAt = record && record.validUntil > now ? record.validUntil : Infinity;
  const joined = { cluster: record, alarms, policy };
  const plannedWork = plannedWorkOn(policy.maintenance, clusterCache.name, now);
  if (plannedWork) expiresAt = Math.min(expiresAt, plannedWork.until);
  for (const stored of clusterCache.objects.values()) {
    const object = knownAt(stored, joined, now);
    objects.push(object);
    expired ||= object.verdict !== stored.verdict;
    expiresAt = Math.min(expiresAt, expiryOf(stored, now) ?? Infinity);
    if (!isAway(object.verdict)) continue;
    const due = (object.awaySince ?? object.onset).time + policy.alarmWithin;
    if (due > now) expiresAt = Math.min(expiresAt, due);
  }
  return {
    name: clusterCache.name,
    labels: record?.labels ?? {},
    known,
    ...counted(objects, policy, now),
    alarming: knownAlarming(record, known),
    plannedWork,
    conflicts: record?.conflictsTotal ?? 0,
    feeds: record?.feeds ?? [],
    listedConflicts: record?.conflicts ?? [],
    stamp,
    revision: clusterCache.revision,
    renewal: clusterCache.renewal,
    alarmStamp: alarms.stamp(clusterCache.name, now),
    expired,
    expiresAt,
  };
}
