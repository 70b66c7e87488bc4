import { asKnownAt, clusterAsKnownAt, expiryOf } from '#lib/domain/as-known-at.ts';
import type { ClusterAsKnown } from '#lib/domain/as-known-at.ts';
import type { CurrentCluster, CurrentObject } from '#lib/domain/current.ts';
import type { ExemptionKind } from '#lib/domain/exemption.ts';
import type { Guarantee, Policy } from '#lib/domain/guarantee.ts';
import { driftGoesUnseen } from '#lib/domain/drift.ts';
import { guaranteeOf, isAway } from '#lib/domain/guarantee.ts';
import { plannedWorkOn, type PlannedWork } from '#lib/domain/planned-work.ts';
import type { Verdict } from '#lib/domain/verdict.ts';
import { verdictRank, verdicts } from '#lib/domain/verdict.ts';
import type { Shelf } from './picture.ts';

/** One cluster as it may be spoken of now: every object through `asKnownAt`, counted. Times in ms since the epoch. */
export interface KnownCluster {
  readonly name: string;
  readonly labels: { readonly [key: string]: string };
  readonly known: ClusterAsKnown;
  readonly objects: readonly CurrentObject[];
  /** Those that are not converged. */
  readonly deviating: readonly CurrentObject[];
  readonly counts: ReadonlyMap<Verdict, number>;
  readonly guarantee: Readonly<Record<Guarantee, number>>;
  /** Objects away from git, and those that are only stale; where planned work goes on they are counted in `guarantee.planned` alone. */
  readonly away: number;
  readonly stale: number;
  /** Those of `guarantee.broken` that are stale. */
  readonly brokenStale: number;
  readonly plannedWork: PlannedWork | null;
  /** Whether an alarm source speaks for any object that is away or stale. */
  readonly alarmsHeard: boolean;
  readonly notMeasurable: number;
  /** Objects with exemptions, and how many exemptions of each kind there are. */
  readonly exempt: readonly CurrentObject[];
  readonly exemptions: ReadonlyMap<ExemptionKind, number>;
  /** Conflicts of ownership that are known of. */
  readonly conflicts: number;
  /** Stacks that are only declared. */
  readonly declared: number;
  /** What is watched, or should be, whether or not there is any of it. */
  readonly kinds: readonly { readonly group: string; readonly kind: string }[];
  /** Who owns an object here. */
  readonly reconcilers: ReadonlySet<string>;
  readonly worst: Verdict | null;
  /** Another number whenever any of this is another; never used twice in one process. */
  readonly stamp: number;
}

/** A known cluster with what decides whether it still holds. */
export interface BuiltCluster extends KnownCluster {
  readonly revision: number;
  readonly renewal: number;
  /** Something on it has outlived its proof: a renewal may bring it back. */
  readonly expired: boolean;
  /** When time alone changes it; Infinity for never. */
  readonly expiresAt: number;
}

const nobody: CurrentCluster | null = null;

/** Judges a shelf by the clock. */
export function buildKnown(shelf: Shelf, policy: Policy, now: number, stamp: number): BuiltCluster {
  const record = shelf.record ?? nobody;
  const known: ClusterAsKnown = record
    ? clusterAsKnownAt(record, now)
    : { state: 'unobserved', since: now, reason: 'Nothing is known of this cluster yet.' };
  const objects: CurrentObject[] = [];
  const deviating: CurrentObject[] = [];
  const exempt: CurrentObject[] = [];
  const exemptions = new Map<ExemptionKind, number>();
  const counted = verdicts.map(() => 0);
  const guarantee = { holds: 0, broken: 0, off: 0, unknown: 0, planned: 0 };
  let [away, stale, brokenStale, notMeasurable] = [0, 0, 0, 0];
  let alarmsHeard = false;
  const reconcilers = new Set<string>();
  let declared = 0;
  let worst: Verdict | null = null;
  let expired = record !== null && known.state !== record.state;
  let expiresAt = record && record.validUntil > now ? record.validUntil : Infinity;
  const plannedWork = plannedWorkOn(policy.maintenance, shelf.name, now);
  if (plannedWork) expiresAt = Math.min(expiresAt, plannedWork.until);
  for (const stored of shelf.objects.values()) {
    const object = asKnownAt(stored, record, now);
    objects.push(object);
    if (object.exemptions.length > 0) exempt.push(object);
    for (const { kind } of object.exemptions) exemptions.set(kind, (exemptions.get(kind) ?? 0) + 1);
    const rank = verdictRank(object.verdict);
    counted[rank] = (counted[rank] ?? 0) + 1;
    const standing = guaranteeOf(object, policy, now);
    guarantee[standing] += 1;
    if (driftGoesUnseen(object)) notMeasurable += 1;
    if (object.role === 'declared') declared += 1;
    else if (!reconcilers.has(object.reconciler)) reconcilers.add(object.reconciler);
    if (worst === null || rank < verdictRank(worst)) worst = object.verdict;
    expired ||= object !== stored;
    expiresAt = Math.min(expiresAt, expiryOf(stored, now) ?? Infinity);
    if (object.verdict === 'converged') continue;
    deviating.push(object);
    if (!isAway(object.verdict)) continue;
    if (standing !== 'planned') {
      if (object.verdict === 'stale') stale += 1;
      else away += 1;
    }
    if (standing === 'broken' && object.verdict === 'stale') brokenStale += 1;
    alarmsHeard ||= object.alarm.state !== 'unknown';
    const due = (object.awaySince ?? object.onset).time + policy.alarmWithin;
    if (due > now) expiresAt = Math.min(expiresAt, due);
  }
  return {
    name: shelf.name,
    labels: record?.labels ?? {},
    known,
    objects,
    deviating,
    counts: new Map(verdicts.flatMap((verdict, rank) => (counted[rank] ? [[verdict, counted[rank]]] : []))),
    guarantee,
    away,
    stale,
    brokenStale,
    plannedWork,
    alarmsHeard,
    notMeasurable,
    exempt,
    exemptions,
    conflicts: record?.conflictsTotal ?? 0,
    declared,
    kinds: record?.feeds ?? [],
    reconcilers,
    worst,
    stamp,
    revision: shelf.revision,
    renewal: shelf.renewal,
    expired,
    expiresAt,
  };
}
