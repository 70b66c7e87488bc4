import { minute } from '#lib/domain/time/length.ts';
import type { Observation } from '#lib/domain/observation/observation.ts';
import { compareText } from '#lib/domain/observation/compare-text.ts';
import { refKey, type ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Entry } from '../objects/entry.ts';
import type { RemoteApplier } from './remote-applier-index.ts';
import { composerOf, effectiveObservation, type DeliveryKnowledge } from '../judging/knowledge.ts';

/**
 * Who delivers an object. here: an applier of its own cluster, there or not; over: one that reaches over from the cluster it
 * depends on; unsure: one of these does, or none of them, and it cannot be told which; nobody: it is not delivered, or its
 * composite makes it.
 */
export type Delivery =
  | { readonly type: 'nobody' }
  | { readonly type: 'here'; readonly ref: ObjectRef }
  | { readonly type: 'over'; readonly applier: RemoteApplier }
  | { readonly type: 'unsure'; readonly candidates: readonly ObjectRef[] };

/**
 * Owner labels name an applier without its cluster (docs/facts/flux.md): the inventory that holds the object tells which of
 * those of that name it is. Where none does, labels may have been copied: Crossplane hands those of a claim on to its composite.
 */
export function deliveryOf(known: DeliveryKnowledge, entry: Entry): Delivery {
  const observation = effectiveObservation(entry);
  const named = observation.deliveredBy;
  if (!named) return { type: 'nobody' };
  const local = known.entries.get(refKey(named));
  if (local && known.lists(local.key, entry.key)) return { type: 'here', ref: named };
  const holding = known.remotes.holding(named, entry.ref);
  const [only, ...others] = holding;
  if (only && others.length === 0) return { type: 'over', applier: only };
  if (only) return { type: 'unsure', candidates: holding.map(({ ref }) => ref).toSorted(byCluster) };
  if (composerOf(known, observation)) return { type: 'nobody' };
  // What it has applied lives elsewhere, or is known, and this is none of it.
  if (local && (effectiveObservation(local).remote || wouldList(local, observation)))
    return { type: 'unsure', candidates: [named] };
  return { type: 'here', ref: named };
}

/** True of an object that is delivered by its labels alone so far, and that who is named there may be found not to list: a pass of that tells. */
export function awaitsListing(known: DeliveryKnowledge, entry: Entry): boolean {
  const delivery = deliveryOf(known, entry);
  const by = delivery.type === 'here' ? known.entries.get(refKey(delivery.ref)) : undefined;
  if (by === undefined || by.ref.kind !== 'Kustomization') return false;
  return effectiveObservation(by).inventory.length > 0 && !known.lists(by.key, entry.key);
}

/** An inventory is written as its pass ends; times of the API are whole seconds, and its clock may be another's. */
const listedWithin = minute;

/**
 * True of an applier that would list an object if it had applied it: it lists what it applies, and a pass of it has ended well since the object is
 * there. Labels are anybody's to write who may write the object.
 */
function wouldList({ ref, state: { track } }: Entry, { createdAt }: Observation): boolean {
  const { settled, lastPassAt } = track;
  // A HelmRelease lists what its chart renders: the HelmChart that bears its labels is made by its controller.
  if (ref.kind !== 'Kustomization' || settled === null || lastPassAt === null) return false;
  const { inventory, summary } = settled.observation;
  return inventory.length > 0 && summary.said === 'good' && lastPassAt > createdAt + listedWithin;
}

function byCluster(a: ObjectRef, b: ObjectRef): number {
  return compareText(a.cluster, b.cluster);
}

/** Where the deliverer stands, whatever is known of it there; null for nobody, and where it cannot be told. */
export function delivererOf(delivery: Delivery): ObjectRef | null {
  switch (delivery.type) {
    case 'here':
      return delivery.ref;
    case 'over':
      return delivery.applier.ref;
    case 'nobody':
    case 'unsure':
      return null;
  }
}
