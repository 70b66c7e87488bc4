import { compareText } from '#lib/domain/observation/compare-text.ts';
import { refKey, sameRef, type ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Entry } from '../objects/entry.ts';
import type { RemoteApplier } from './remote-applier-index.ts';
import { effectiveObservation, type DeliveryKnowledge } from '../judging/knowledge.ts';

/**
 * Who delivers an object. here: an applier of its own cluster, that has applied it; over: one that reaches over from the cluster it
 * depends on; unsure: one of these does, and it cannot be told which; claimed: its labels name one, and nothing shows that it has applied it
 * (`contested`: one lists it, or one that is called alike elsewhere);
 * nobody: it is not delivered, or another object makes it.
 */
export type Delivery =
  | { readonly type: 'nobody' }
  | { readonly type: 'here'; readonly ref: ObjectRef }
  | { readonly type: 'over'; readonly applier: RemoteApplier }
  | { readonly type: 'unsure'; readonly candidates: readonly ObjectRef[] }
  | { readonly type: 'claimed'; readonly by: ObjectRef; readonly contested: boolean };

/**
 * Owner labels name an applier without its cluster (docs/facts/flux.md): the inventory that holds the object tells which of
 * those of that name it is. Where none does, whether there is an applier of that name, and how it is, bears on nothing: who writes an object may
 * write any labels, and Crossplane hands those of a claim on to its composite.
 */
export function deliveryOf(known: DeliveryKnowledge, entry: Entry): Delivery {
  const { deliveredBy: named, alsoNamed, parent, owned } = effectiveObservation(entry);
  if (!named) return { type: 'nobody' };
  const all = alsoNamed ? [named, alsoNamed] : [named];
  let contested = false;
  for (const ref of all) {
    const found = borneOut(known, entry, ref);
    if (found !== 'contested' && found !== null) return found;
    contested ||= found === 'contested';
  }
  // Who owns it may have copied its own labels, also where it is of a kind that nobody reads.
  if (parent || owned === true) return { type: 'nobody' };
  const released = all.find((ref) => mayHaveReleased(known.entries.get(refKey(ref)), entry.ref));
  return released ? { type: 'here', ref: released } : { type: 'claimed', by: named, contested };
}

/** The delivery by an applier that labels name, as inventories tell it; null where none lists the object, and where it could mean another by that `contested`. */
function borneOut(
  known: DeliveryKnowledge,
  { key, ref, state }: Entry,
  named: ObjectRef,
): Delivery | 'contested' | null {
  const local = known.entries.get(refKey(named));
  if (local && known.lists(local.key, key)) return { type: 'here', ref: named };
  const { appliers, contested } = known.remotes.holding(named, ref, state.track.latest.uid);
  const [only, ...others] = appliers;
  if (only === undefined) return contested ? 'contested' : null;
  if (others.length === 0) return { type: 'over', applier: only };
  return { type: 'unsure', candidates: appliers.map((one) => one.ref).toSorted(byCluster) };
}

/**
 * True of a HelmRelease that may have made an object which it does not list: its HelmChart; in its own namespace, where whoever sees the one sees the
 * other; and anything where it lists nothing, as helm-controller did before 1.5.
 */
function mayHaveReleased(applier: Entry | undefined, object: ObjectRef): boolean {
  if (applier?.ref.kind !== 'HelmRelease') return false;
  const { source, remote, inventory, revisions } = effectiveObservation(applier);
  if (sameRef(source, object)) return true;
  if (remote) return false;
  return applier.ref.namespace === object.namespace || (inventory.length === 0 && revisions.applied !== null);
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
    case 'claimed':
      return null;
  }
}
