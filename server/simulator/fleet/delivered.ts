import { inventoryId } from '#lib/domain/observation/inventory.ts';
import { isForeignObject, listAt, parseForeign, textAt, type ForeignObject } from '#lib/foreign.ts';
import { groupResource } from '../api/kinds.ts';
import type { ObjectStore } from '../api/object-store.ts';
import type { KustomizationHandle } from '../controllers/kustomization-item.ts';

/** The Kustomization that has applied an object, by its owner labels; null for none, and for what another object makes. */
function appliedBy(object: ForeignObject | null): string | null {
  const isOwned = listAt(object, 'metadata', 'ownerReferences').some(
    (owner) => isForeignObject(owner) && owner['controller'] === true,
  );
  return isOwned ? null : textAt(object, 'metadata', 'labels', 'kustomize.toolkit.fluxcd.io/name');
}

/** Ids of everything in a store that bears the owner labels of a Kustomization, by the name of that. */
function deliveredIn(store: ObjectStore): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const kind of store.kinds())
    for (const stored of store.store(groupResource(kind))?.sorted() ?? []) {
      const by = appliedBy(parseForeign(stored.json().toString()));
      if (by === null) continue;
      const { namespace, name } = stored;
      const id = inventoryId({ namespace, name, group: kind.group, kind: kind.kind });
      found.set(by, [...(found.get(by) ?? []), id]);
    }
  return found;
}

/** Completes the inventories of Kustomizations: kustomize-controller lists everything that it has applied. */
export function listDelivered(store: ObjectStore, kustomizations: ReadonlyMap<string, KustomizationHandle>): void {
  for (const [name, ids] of deliveredIn(store)) {
    const handle = kustomizations.get(name);
    const entries = handle?.object.status.inventory?.entries;
    if (!handle || !entries) continue;
    const listed = new Set(entries.map(({ id }) => id));
    for (const id of ids) if (!listed.has(id)) entries.push({ id, v: 'v1' });
    handle.write(Date.parse(handle.object.status.history?.[0]?.lastReconciled ?? ''));
  }
}
