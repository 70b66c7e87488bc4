import { correctedResources, type ConflictResource } from '#lib/domain/observation/conflict.ts';
import { parseInventoryId } from '#lib/domain/observation/inventory.ts';
import type { RefKey } from '#lib/domain/observation/ref.ts';
import type { InventoryClaims, InventoryOf } from './inventory-claims.ts';

/** Makes the question whether others hold everything, too, that a correction of an owner names: then nothing drifted, they fight. */
export function openExplanations(inventories: InventoryClaims, inventoryOf: InventoryOf) {
  return (owner: RefKey, said: string): boolean => {
    if (!inventories.any()) return false;
    const left = new Set(correctedResources(said).map(nameOf));
    if (left.size === 0) return false;
    for (const id of inventoryOf(owner)) {
      const resource = parseInventoryId(id);
      if (resource === null || !left.has(nameOf(resource))) continue;
      if (inventories.isShared(owner, id, inventoryOf)) left.delete(nameOf(resource));
      if (left.size === 0) return true;
    }
    return false;
  };
}

/** One text for what `namesResource` takes for the same. */
function nameOf({ kind, namespace, name }: ConflictResource): string {
  return `${kind}/${namespace}/${name}`;
}
