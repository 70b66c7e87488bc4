import { listAt, textAt } from '#lib/foreign.ts';

/** The ids of status.inventory; none where the objects live on another cluster, so that they are not sought on this one. */
export function fluxInventory(object: unknown, remote: boolean): string[] {
  if (remote) return [];
  const ids: string[] = [];
  for (const entry of listAt(object, 'status', 'inventory', 'entries')) {
    const id = textAt(entry, 'id');
    if (id !== null) ids.push(id);
  }
  return ids;
}
