import { parseInventoryId } from '#lib/domain/inventory.ts';
import type { Judgement } from '#lib/domain/judgement.ts';
import type { Observation } from '#lib/domain/observation.ts';
import { refKey, type ObjectRef, type RefKey } from '#lib/domain/ref.ts';
import type { Standing, Surroundings } from '#lib/domain/subject.ts';
import type { Entry } from './entry.ts';
import type { FeedBook } from './feed-book.ts';
import type { LeaseBook } from './lease-book.ts';

/** What the surroundings of an object are read from: everything known of its cluster. */
export interface ClusterKnowledge {
  readonly entries: ReadonlyMap<RefKey, Entry>;
  readonly feeds: FeedBook;
  readonly leases: LeaseBook;
  /** The active package revision that runs a kind, by "plural.group". */
  providerOf(entry: Entry): RefKey | null;
  sharedErrorOf(entry: Entry): string | null;
}

/** The observation that counts: the settled one, else the newest. */
export function restingObservation(entry: Entry): Observation {
  return entry.track.settled?.observation ?? entry.track.latest;
}

/** Judgements that are still being made within a circle, in place of those that stand; null for none yet. */
export type Provisional = ReadonlyMap<RefKey, Judgement | null>;

function standing(known: ClusterKnowledge, ref: ObjectRef, provisional: Provisional | null): Standing {
  const key = refKey(ref);
  const entry = known.entries.get(key);
  if (entry) {
    return {
      ref,
      state: known.feeds.sees(ref) === 'no' ? 'unseen' : 'present',
      observation: restingObservation(entry),
      judgement: provisional?.has(key) ? (provisional.get(key) ?? null) : entry.judgement,
      awaySince: entry.clocks?.away?.time ?? null,
      artifactSince: entry.track.artifactSince,
    };
  }
  const state = known.feeds.sees(ref) === 'yes' ? 'missing' : 'unseen';
  return { ref, state, observation: null, judgement: null, awaySince: null, artifactSince: null };
}

function watched(known: ClusterKnowledge, ref: ObjectRef): boolean {
  return known.feeds.sees(ref) !== 'unwatched';
}

/** Keys of everything that an object stands on: when one of these is judged anew, so is the object. */
export function standsOn(known: ClusterKnowledge, entry: Entry): readonly RefKey[] {
  const observation = restingObservation(entry);
  const refs = [observation.source, observation.deliveredBy, ...observation.dependsOn, ...observation.children.filter((ref) => watched(known, ref))];
  const keys = refs.filter((ref) => ref !== null).map(refKey);
  const provider = known.providerOf(entry);
  return provider ? [...keys, provider] : keys;
}

/** Keys of the inventory's objects that are of a watched kind on this cluster. */
export function inventoryOf(known: ClusterKnowledge, observation: Observation): readonly RefKey[] {
  if (observation.remote) return [];
  const keys: RefKey[] = [];
  for (const id of observation.inventory) {
    const item = parseInventoryId(id);
    if (!item) continue;
    const ref = { cluster: observation.ref.cluster, ...item };
    if (known.feeds.sees(ref) === 'yes') keys.push(refKey(ref));
  }
  return keys;
}

function missing(known: ClusterKnowledge, entry: Entry, now: number): Surroundings['missing'] {
  const found: { ref: ObjectRef; since: number }[] = [];
  for (const key of entry.inventory) {
    const [cluster = '', group = '', kind = '', namespace = '', name = ''] = key.split('/');
    const ref = { cluster, group, kind, namespace, name };
    if (known.entries.has(key) || known.feeds.sees(ref) !== 'yes') {
      entry.missingSince?.delete(key);
      continue;
    }
    entry.missingSince ??= new Map();
    const since = entry.missingSince.get(key) ?? now;
    entry.missingSince.set(key, since);
    found.push({ ref, since });
  }
  return found;
}

/** Everything around an object that bears on its verdict, at `now` (ms). */
export function surroundingsOf(known: ClusterKnowledge, entry: Entry, now: number, provisional: Provisional | null = null): Surroundings {
  const observation = restingObservation(entry);
  const provider = known.providerOf(entry);
  const providerEntry = provider ? known.entries.get(provider) : undefined;
  return {
    source: observation.source ? standing(known, observation.source, provisional) : null,
    dependencies: observation.dependsOn.map((ref) => standing(known, ref, provisional)),
    delivery: observation.deliveredBy ? standing(known, observation.deliveredBy, provisional) : null,
    children: observation.children.filter((ref) => watched(known, ref)).map((ref) => standing(known, ref, provisional)),
    provider: providerEntry ? standing(known, providerEntry.ref, provisional) : null,
    heartbeat: observation.controller === null || observation.shard !== null ? null : known.leases.heartbeat(observation.controller),
    sharedError: known.sharedErrorOf(entry),
    missing: missing(known, entry, now),
  };
}
