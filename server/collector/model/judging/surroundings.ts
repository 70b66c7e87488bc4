import type { Heartbeat } from '#lib/domain/heartbeat/controller-liveness.ts';
import { noLaterThan } from '#lib/domain/time/api-time.ts';
import { parseInventoryId } from '#lib/domain/observation/inventory.ts';
import type { JudgedAs } from '#lib/domain/verdict/judgement.ts';
import type { Observation } from '#lib/domain/observation/observation.ts';
import { parseRefKey, refKey, type ObjectRef, type RefKey } from '#lib/domain/observation/ref.ts';
import type { RelatedObject, Surroundings } from '#lib/domain/verdict/subject.ts';
import { deliveryOf, type Delivery } from '../remote/delivery.ts';
import type { Entry } from '../objects/entry.ts';
import { belongsTo, effectiveObservation, namedComposer, watched, type ClusterKnowledge } from './knowledge.ts';

/** Judgements that are still being made within a circle, in place of those that stand; null for none yet. */
export type Provisional = ReadonlyMap<RefKey, JudgedAs | null>;

/** It is there. */
function found(entry: Entry, key: RefKey): void {
  entry.missingSince?.delete(key);
}

/** Since when an object that another names, and that is not found, is not there (ms), or null while that cannot be said to be so. */
function missingFrom(known: ClusterKnowledge, entry: Entry, key: RefKey, ref: ObjectRef, now: number): number | null {
  // What was missing before the kind went out of sight may be so still: it is remembered, and not told.
  if (known.feeds.sees(ref) !== 'yes') return null;
  entry.missingSince ??= new Map();
  const since = entry.missingSince.get(key) ?? now;
  entry.missingSince.set(key, since);
  return since + known.feeds.lag(ref);
}

/** A related object of which nothing but its name is known. */
export const nothingKnown: Omit<RelatedObject, 'ref' | 'state'> = {
  observation: null,
  judgement: null,
  awaySince: null,
  artifactSince: null,
  lastPassAt: null,
  busySince: null,
};

function related(
  known: ClusterKnowledge,
  entry: Entry,
  ref: ObjectRef,
  now: number,
  provisional: Provisional | null,
  counts: (other: Entry) => boolean,
): RelatedObject {
  const key = refKey(ref);
  const other = known.entries.get(key);
  if (!other || !counts(other)) {
    const since = missingFrom(known, entry, key, ref, now);
    return { ...nothingKnown, ref, state: since === null ? 'unseen' : 'missing', awaySince: since };
  }
  found(entry, key);
  return {
    ref,
    state: known.feeds.sees(ref) === 'no' ? 'unseen' : 'present',
    observation: effectiveObservation(other),
    judgement: provisional?.has(key) ? (provisional.get(key) ?? null) : other.state.judgement,
    awaySince: other.state.clocks?.away?.time ?? null,
    artifactSince: other.state.track.artifactSince,
    lastPassAt: other.state.track.lastPassAt,
    busySince: other.state.track.busySince,
  };
}

/** Keys of everything that an object depends on: when one of these is judged anew, so is the object. */
export function upstreamKeys(known: ClusterKnowledge, entry: Entry): readonly RefKey[] {
  const observation = effectiveObservation(entry);
  // Parts of a kind that is not watched yet are among them: it may appear later.
  const { source, otherSources, deliveredBy, alsoNamed = null, parent, dependsOn, children } = observation;
  // Whether the composite has a namespace is known only once its kind is.
  const ofCluster = parent && { ...parent, namespace: '' };
  const refs = [source, ...otherSources, deliveredBy, alsoNamed, parent, ofCluster, ...dependsOn, ...children];
  const keys = refs.filter((ref) => ref !== null).map(refKey);
  const provider = known.providerOf(entry);
  return provider ? [...keys, provider] : keys;
}

/** Keys of the inventory's objects that are of a kind known on this cluster, whether or not it can be seen just now. */
export function inventoryOf(known: ClusterKnowledge, observation: Observation): readonly RefKey[] {
  if (observation.remote) return [];
  const keys: RefKey[] = [];
  for (const id of observation.inventory) {
    const item = parseInventoryId(id);
    if (!item) continue;
    const ref = { cluster: observation.ref.cluster, ...item };
    if (known.feeds.knows(ref)) keys.push(refKey(ref));
  }
  return keys;
}

function missing(known: ClusterKnowledge, entry: Entry, now: number): Surroundings['missing'] {
  const gone: { ref: ObjectRef; since: number }[] = [];
  for (const key of entry.inventory) {
    const ref = known.entries.has(key) ? null : parseRefKey(key);
    const since = ref ? missingFrom(known, entry, key, ref, now) : null;
    if (ref && since !== null) gone.push({ ref, since });
    else if (!ref) found(entry, key);
  }
  return gone;
}

function deliveryRelated(delivery: Delivery, stand: (ref: ObjectRef) => RelatedObject): RelatedObject | null {
  switch (delivery.type) {
    case 'here':
      return stand(delivery.ref);
    case 'over':
      return delivery.applier.related;
    case 'nobody':
    case 'unsure':
    case 'claimed':
      return null;
  }
}

/** The controller whose loop turns for an object; null where it has none of its own. */
function heartbeatOf(known: ClusterKnowledge, { controller, shard, ref }: Observation): Heartbeat | null {
  return controller === null ? null : known.controllers.heartbeat(controller, { namespace: ref.namespace, shard });
}

/** The pods of a package revision: those of what runs a managed resource, a revision's own. */
function runtimeOf(known: ClusterKnowledge, { role }: Observation, { ref }: Entry): Heartbeat | null {
  const runsPods = ref.group === 'pkg.crossplane.io' && (role === 'managed' || role === 'package');
  return runsPods ? known.controllers.runtime(ref.name) : null;
}

/** Whoever turns the loop of an object: its controller, or the pods of its provider; null where neither is known. */
export function loopOf(known: ClusterKnowledge, entry: Entry): Heartbeat | null {
  const provider = known.providerOf(entry);
  const providerEntry = provider ? known.entries.get(provider) : undefined;
  const observation = effectiveObservation(entry);
  return heartbeatOf(known, observation) ?? runtimeOf(known, observation, providerEntry ?? entry);
}

/** Since when the owner labels of an object are there, as far as we know (ms). */
function labelledSince({ relabelledAt, state: { track } }: Entry): number {
  const born = noLaterThan(track.latest.createdAt, track.firstSeenAt);
  return relabelledAt === null ? born : Math.max(born, relabelledAt);
}

/** Everything around an object that bears on its verdict, at `now` (ms). */
export function surroundingsOf(
  known: ClusterKnowledge,
  entry: Entry,
  now: number,
  provisional: Provisional | null = null,
): Surroundings {
  const observation = effectiveObservation(entry);
  const provider = known.providerOf(entry);
  const providerEntry = provider ? known.entries.get(provider) : undefined;
  const standing = (ref: ObjectRef, counts: (other: Entry) => boolean): RelatedObject =>
    related(known, entry, ref, now, provisional, counts);
  const stand = (ref: ObjectRef): RelatedObject => standing(ref, () => true);
  const delivery = deliveryOf(known, entry);
  const composer = namedComposer(known, observation);
  const parts = observation.children.filter((ref) => watched(known, ref));
  return {
    source: observation.source ? stand(observation.source) : null,
    otherSources: observation.otherSources.map(stand),
    dependencies: observation.dependsOn.map(stand),
    delivery: deliveryRelated(delivery, stand),
    couldDeliver: delivery.type === 'unsure' ? delivery.candidates : [],
    claimed:
      delivery.type === 'claimed'
        ? { by: delivery.by, since: labelledSince(entry), contested: delivery.contested }
        : null,
    // One side's word is none: what does not belong here is as if it were not there.
    composer: composer ? standing(composer, (whole) => belongsTo(entry, whole)) : null,
    children: parts.map((ref) => standing(ref, (part) => belongsTo(part, entry))),
    provider: providerEntry ? stand(providerEntry.ref) : null,
    heartbeat: heartbeatOf(known, observation),
    runtime: runtimeOf(known, observation, providerEntry ?? entry),
    sharedError: known.sharedErrorOf(entry),
    missing: missing(known, entry, now),
  };
}
