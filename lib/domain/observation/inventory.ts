/** One object of a Flux inventory, without a cluster: the inventory says which one only by where it stands. */
export interface InventoryItem {
  readonly namespace: string;
  readonly name: string;
  readonly group: string;
  readonly kind: string;
}

/**
 * Reads an inventory id `<namespace>_<name>_<group>_<kind>` (fluxcd/cli-utils pkg/object/objmetadata.go): the namespace is
 * empty for a cluster-scoped object, the group for the core group, and ":" in a name (RBAC) is written "__".
 * Null where the text is none.
 */
export function parseInventoryId(id: string): InventoryItem | null {
  const afterNamespace = id.indexOf('_');
  const beforeKind = id.lastIndexOf('_');
  const beforeGroup = beforeKind > 0 ? id.lastIndexOf('_', beforeKind - 1) : -1;
  if (afterNamespace < 0 || beforeGroup <= afterNamespace) return null;
  const name = id.slice(afterNamespace + 1, beforeGroup).replaceAll('__', ':');
  const kind = id.slice(beforeKind + 1);
  if (name === '' || kind === '') return null;
  return { namespace: id.slice(0, afterNamespace), name, group: id.slice(beforeGroup + 1, beforeKind), kind };
}

/** Writes an inventory id. */
export function inventoryId(item: InventoryItem): string {
  return `${item.namespace}_${item.name.replaceAll(':', '__')}_${item.group}_${item.kind}`;
}
