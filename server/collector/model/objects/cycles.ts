import type { RefKey } from '#lib/domain/observation/ref.ts';

interface Visit {
  readonly key: RefKey;
  readonly others: readonly RefKey[];
  next: number;
}

/**
 * The given keys in groups, upstreams first. A group of several are objects that depend on each other in a circle, all
 * of it, though only some were given: none of them can be judged without the others. (Tarjan's strongly connected components.)
 */
export function cyclesOf(
  keys: ReadonlySet<RefKey>,
  upstreamsOf: (key: RefKey) => readonly RefKey[],
): readonly (readonly RefKey[])[] {
  const index = new Map<RefKey, number>();
  const low = new Map<RefKey, number>();
  const open: RefKey[] = [];
  const isOpen = new Set<RefKey>();
  const found: RefKey[][] = [];

  function enter(key: RefKey, path: Visit[]): void {
    index.set(key, index.size);
    low.set(key, index.size - 1);
    open.push(key);
    isOpen.add(key);
    path.push({ key, others: upstreamsOf(key), next: 0 });
  }

  function lower(key: RefKey, to: number): void {
    low.set(key, Math.min(low.get(key) ?? to, to));
  }

  function close(key: RefKey): void {
    const group: RefKey[] = [];
    let wanted = false;
    for (let last = open.pop(); last !== undefined; last = open.pop()) {
      isOpen.delete(last);
      group.push(last);
      wanted ||= keys.has(last);
      if (last === key) break;
    }
    if (wanted) found.push(group.reverse());
  }

  function visitFrom(start: RefKey): void {
    const path: Visit[] = [];
    enter(start, path);
    for (let here = path.at(-1); here; here = path.at(-1)) {
      const other = here.others[here.next];
      if (other === undefined) {
        path.pop();
        const at = low.get(here.key) ?? 0;
        if (at === index.get(here.key)) close(here.key);
        const above = path.at(-1);
        if (above) lower(above.key, at);
        continue;
      }
      here.next += 1;
      const seenAt = index.get(other);
      if (seenAt === undefined) enter(other, path);
      else if (isOpen.has(other)) lower(here.key, seenAt);
    }
  }

  for (const key of keys) if (!index.has(key)) visitFrom(key);
  return found;
}
