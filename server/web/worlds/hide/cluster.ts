import type { Alarming } from '#lib/domain/alarm/alarming/fact.ts';
import { alarmingKinds } from '#lib/domain/alarm/alarming/kinds.ts';
import { holdsNamespace } from '#lib/domain/access/scope.ts';
import { ownerLimit, type Conflict } from '#lib/domain/observation/conflict.ts';
import { kindKey, type ObjectRef } from '#lib/domain/observation/ref.ts';
import type { CurrentCluster, CurrentFeed } from '#lib/domain/record/current.ts';
import type { Sight } from '../sight.ts';

/** Weaknesses of how a cluster is reached and named may name others. */
const someCautions = ['How it is reached or named has a weakness: who sees the whole fleet is told which.'];

/** Cautions of a cluster as who sees a part of the fleet is told them. */
export function cautionsWithin(cautions: readonly string[]): readonly string[] {
  return cautions.length === 0 ? cautions : someCautions;
}

/** The record of a cluster that is seen, as a sight tells it; `refs`: its objects that are seen. */
export function recordWithin(record: CurrentCluster, refs: () => Iterable<ObjectRef>, sight: Sight): CurrentCluster {
  const { name, conflicts, conflictsTotal } = record;
  const told = conflictsWithin(name, conflicts, sight);
  const cautions = cautionsWithin(record.cautions);
  if (sight.granted(name) === 'all')
    return { ...record, cautions, conflicts: told, conflictsTotal: conflictsTotal - conflicts.length + told.length };
  return {
    ...record,
    cautions,
    conflicts: told,
    conflictsTotal: told.length,
    feeds: feedsWithin(record.feeds, refs()),
    probes: null,
    controllers: record.controllers.map((controller) => ({ ...controller, objects: null })),
    alarming: alarmingWithin(name, record.alarming, sight),
  };
}

/**
 * Feeds with as many objects as are seen. When a kind was heard of last, and that there is none of it (`idle`), would tell of those that are not:
 * what is written in other namespaces, and when.
 */
export function feedsWithin(feeds: readonly CurrentFeed[], refs: Iterable<ObjectRef>): readonly CurrentFeed[] {
  const counts = new Map<string, number>();
  for (const ref of refs) counts.set(kindKey(ref), (counts.get(kindKey(ref)) ?? 0) + 1);
  return feeds.map((feed) => ({
    ...feed,
    ...(feed.state === 'idle' && { state: 'live', reason: null }),
    lastWordAt: null,
    objects: counts.get(kindKey(feed)) ?? 0,
  }));
}

/** Objects that say who is called, of the namespaces that are seen. That others may say more is told, so that nobody is told to be called by none. */
export function alarmingWithin(cluster: string, alarming: Alarming | null, { granted }: Sight): Alarming | null {
  const part = granted(cluster);
  if (alarming === null || part === 'all') return alarming;
  return {
    facts: alarming.facts.filter(({ namespace }) => holdsNamespace(part, namespace)),
    cut: [...new Set(alarmingKinds.map(({ type }) => type))],
  };
}

/** Conflicts about a resource that is seen, or of whose place nothing is told, with an owner that is: the others have no name. */
export function conflictsWithin(cluster: string, conflicts: readonly Conflict[], sight: Sight): readonly Conflict[] {
  const kept = conflicts.flatMap((conflict) => conflictWithin(cluster, conflict, sight) ?? []);
  return kept.length === conflicts.length && kept.every((one, at) => one === conflicts[at]) ? conflicts : kept;
}

function conflictWithin(cluster: string, conflict: Conflict, sight: Sight): Conflict | null {
  const { kind, resource, owners } = conflict;
  const isWhole = sight.granted(cluster) === 'all';
  const named = owners.flatMap(({ ref }) => ref ?? []);
  const seen = named.filter(sight.sees);
  // What lies in a cloud bears the name of one who manages it, who may be on any cluster.
  if (kind === 'external-resource') return externalWithin(conflict, seen, sight);
  const isPlaced = resource.namespace !== '' && sight.sees({ cluster, ...resource });
  // What Argo CD shares has no namespace, nor have those who share it.
  const isSeen = isWhole || isPlaced || (resource.namespace === '' && named.length > 0 && seen.length === named.length);
  if (!isSeen) return null;
  // Of those beyond the limit neither a name nor their number is told.
  const isAll = seen.length === named.length && (isWhole || named.length < ownerLimit);
  if (isAll && (isWhole || kind !== 'shared-resource')) return conflict;
  const told = ownersWithin(conflict, sight);
  return { ...conflict, owners: told, why: whyWithin(told) };
}

function externalWithin(conflict: Conflict, seen: readonly ObjectRef[], sight: Sight): Conflict | null {
  const [first] = seen;
  if (first === undefined) return null;
  const { owners } = conflict;
  if (seen.length === owners.length && owners.length < ownerLimit) return conflict;
  const { cluster: _cluster, ...resource } = first;
  const told = ownersWithin(conflict, sight);
  return { ...conflict, resource, owners: told, why: whyWithin(told) };
}

function ownersWithin({ kind, owners }: Conflict, { sees }: Sight): Conflict['owners'] {
  return owners.map(({ ref, name }) =>
    ref === null ? (kind === 'shared-resource' ? outside : { ref, name }) : sees(ref) ? { ref, name } : outside,
  );
}

function whyWithin(told: Conflict['owners']): string {
  return told.includes(outside)
    ? 'somebody outside your view manages it too'
    : 'somebody outside your view may manage it too';
}

const outside = { ref: null, name: 'outside your view' };
