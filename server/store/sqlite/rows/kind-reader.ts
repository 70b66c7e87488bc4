/** A kind in the words of Kubernetes. */
export interface GroupAndKind {
  readonly group: string;
  readonly kind: string;
}

/** Gives the group and kind of a name's id: always the very same value, so that all objects of a kind share its words. */
export function openKindReader(nameOf: (id: number) => string): (id: number) => GroupAndKind {
  const known = new Map<number, GroupAndKind>();
  return (id) => {
    let kind = known.get(id);
    if (kind === undefined) known.set(id, (kind = groupAndKind(nameOf(id))));
    return kind;
  };
}

/** Splits a stored group/kind. */
export function groupAndKind(stored: string): GroupAndKind {
  const slash = stored.indexOf('/');
  return { group: stored.slice(0, slash), kind: stored.slice(slash + 1) };
}
