import { listAt, textAt } from '#lib/foreign.ts';

/** The ids of status.inventory, of whatever cluster its objects live on. */
export function fluxInventory(object: unknown): string[] {
  const ids: string[] = [];
  for (const entry of listAt(object, 'status', 'inventory', 'entries')) {
    const id = textAt(entry, 'id');
    if (id !== null) ids.push(id);
  }
  return ids;
}
