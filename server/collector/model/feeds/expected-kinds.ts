import { parseInventoryId } from '#lib/domain/observation/inventory.ts';
import type { Observation } from '#lib/domain/observation/observation.ts';
import { type GroupKind, kindKey } from '#lib/domain/observation/ref.ts';
import type { FeedTracker } from './feed-tracker.ts';

/**
 * Kinds of which an object says that there is one, or soon will be, and that are not watched: the parts of a composite, the
 * composite of a claim, what is in an inventory. Kinds that nobody serves count only where Plumbline would read them: an inventory
 * holds many that it never will.
 */
export function expectedKinds(
  { ref, children, inventory, remote }: Observation,
  feeds: Pick<FeedTracker, 'isLookedAt' | 'knows'>,
): readonly GroupKind[] {
  if (children.length === 0 && inventory.length === 0) return [];
  const found = new Map<string, GroupKind>();
  for (const child of children)
    if (child.cluster === ref.cluster && feeds.isLookedAt(child)) found.set(kindKey(child), child);
  if (remote) return [...found.values()];
  for (const id of inventory) {
    const item = parseInventoryId(id);
    if (item && feeds.knows(item) && feeds.isLookedAt(item)) found.set(kindKey(item), item);
  }
  return [...found.values()];
}
