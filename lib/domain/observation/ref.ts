/**
 * The name of one object in the fleet: cluster, group, kind, namespace, name; never the version.
 * `group` is '' for the core group, `namespace` is '' for a cluster-scoped object.
 */
export interface ObjectRef {
  readonly cluster: string;
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** A kind of object, without its version; `group` is '' for the core group. */
export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

/** A kind as a map key: group/kind. */
export function kindKey({ group, kind }: GroupKind): string {
  return `${group}/${kind}`;
}

/** The kind behind such a key; a text without a slash is a kind of the core group. */
export function kindOfKey(key: string): GroupKind {
  const cut = key.lastIndexOf('/');
  return { group: key.slice(0, Math.max(0, cut)), kind: key.slice(cut + 1) };
}

/** An `ObjectRef` as one string, usable as a map key: cluster/group/kind/namespace/name (no part may hold a slash). */
export type RefKey = string;

/** The key of a reference. */
export function refKey(ref: ObjectRef): RefKey {
  return `${ref.cluster}/${ref.group}/${ref.kind}/${ref.namespace}/${ref.name}`;
}

/** The reference behind a key, or null where the text is none. */
export function parseRefKey(key: RefKey): ObjectRef | null {
  const parts = key.split('/');
  const [cluster, group, kind, namespace, name] = parts;
  if (parts.length !== 5 || !cluster || group === undefined || !kind || namespace === undefined || !name) return null;
  return { cluster, group, kind, namespace, name };
}

/** True if both name the same object. */
export function sameRef(a: ObjectRef | null, b: ObjectRef | null): boolean {
  if (a === null || b === null) return a === b;
  return (
    a.name === b.name &&
    a.kind === b.kind &&
    a.namespace === b.namespace &&
    a.cluster === b.cluster &&
    a.group === b.group
  );
}
