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
  // What it has applied lives elsewhere, and this is none of it.
  if (local && effectiveObservation(local).remote) return { type: 'unsure', candidates: [named] };
  return { type: 'here', ref: named };
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
