import type { RefKey } from '#lib/domain/observation/ref.ts';

interface Visit {
  readonly key: RefKey;
  readonly others: readonly RefKey[];
  /** Its place in the order of visits, and the lowest that is reached from it. */
  readonly at: number;
  low: number;
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
  const open: RefKey[] = [];
  const isOpen = new Set<RefKey>();
  const found: RefKey[][] = [];

  function enter(key: RefKey, path: Visit[]): void {
    const at = index.size;
    index.set(key, at);
    open.push(key);
    isOpen.add(key);
    path.push({ key, others: upstreamsOf(key), at, low: at, next: 0 });
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
        if (here.low === here.at) close(here.key);
        const above = path.at(-1);
        if (above) above.low = Math.min(above.low, here.low);
        continue;
      }
      here.next += 1;
      const seenAt = index.get(other);
      if (seenAt === undefined) enter(other, path);
      else if (isOpen.has(other)) here.low = Math.min(here.low, seenAt);
    }
  }

  for (const key of keys) if (!index.has(key)) visitFrom(key);
  return found;
}
