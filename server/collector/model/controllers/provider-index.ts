import type { Observation } from '#lib/domain/observation/observation.ts';
import { type GroupKind, kindKey, type RefKey } from '#lib/domain/observation/ref.ts';

const none: readonly string[] = [];

/** Whoever names one kind. Starts with nobody. */
function createOwners() {
  const all = new Set<RefKey>();
  /** In the order in which they came; those that are gone leave once they are the last, or are most of it. */
  let order: RefKey[] = [];

  return {
    add(key: RefKey): void {
      all.delete(key);
      all.add(key);
      order.push(key);
      if (order.length > 2 * all.size + 8) order = [...all];
    },
    delete(key: RefKey): void {
      all.delete(key);
      for (let last = order.at(-1); last !== undefined && !all.has(last); last = order.at(-1)) order.pop();
    },
    isEmpty: (): boolean => all.size === 0,
    /** The one that came last of those that are left; null for none. */
    last: (): RefKey | null => order.at(-1) ?? null,
  };
}

/** Which package revision runs which kind of managed resource on one cluster. Starts with no package known. */
export function createProviderIndex() {
  const provided = new Map<RefKey, readonly string[]>();
  /** Whoever names a kind: the last runs it. */
  const owners = new Map<string, ReturnType<typeof createOwners>>();
  /** The plurals of kinds, as discovery names them. */
  let resources: ReadonlyMap<string, string> = new Map();

  function own(key: RefKey, name: string): void {
    const found = owners.get(name) ?? createOwners();
    found.add(key);
    owners.set(name, found);
  }

  function disown(key: RefKey, name: string): void {
    const found = owners.get(name);
    found?.delete(key);
    if (found?.isEmpty()) owners.delete(name);
  }

  /** Replaces what a package provides; gives the names that it came to provide, and those that it does not any more. */
  function replace(key: RefKey, after: readonly string[]): readonly string[] {
    const [was, is] = [new Set(provided.get(key)), new Set(after)];
    const changed = [...was.symmetricDifference(is)];
    if (changed.length === 0) return none;
    if (after.length === 0) provided.delete(key);
    else provided.set(key, after);
    for (const name of changed)
      if (is.has(name)) own(key, name);
      else disown(key, name);
    return changed;
  }

  function nameOf(kind: GroupKind): string {
    return `${resources.get(kindKey(kind)) ?? ''}.${kind.group}`;
  }

  return {
    /** Notes a package revision; gives the kinds, as "plural.group", of which another may be the provider now. Of other objects none. */
    note: (key: RefKey, { role, provides }: Observation): readonly string[] =>
      role === 'package' ? replace(key, provides) : none,
    /** Forgets a package that is gone; gives the kinds that it provided. */
    forget: (key: RefKey): readonly string[] => replace(key, none),
    /** Takes the kinds that are served, with their plurals, in the place of those of before. */
    nameResources(kinds: Iterable<GroupKind & { readonly resource: string }>): void {
      resources = new Map(Array.from(kinds, (kind) => [kindKey(kind), kind.resource]));
    },
    /** The name of a kind as packages provide it, "plural.group". */
    nameOf,
    /** The revision that runs the kind of a managed resource; null where none is known to. */
    providerOf: ({ role, ref }: Observation): RefKey | null =>
      role === 'managed' ? (owners.get(nameOf(ref))?.last() ?? null) : null,
  };
}
