import type { RefKey } from '#lib/domain/observation/ref.ts';

interface Visit {
  readonly key: RefKey;
  readonly others: readonly RefKey[];
  /** Its place in the order of visits, and the lowest that is reached from it. */
  readonly at: number;
  low: number;
  next: number;
}

/** A group of the graph, and its place among all: what lies upstream of it has a lower one. */
interface Placed {
  readonly keys: readonly RefKey[];
  readonly place: number;
}

/**
 * Puts keys in groups, upstreams first. A group of several are objects that depend on each other in a circle, all
 * of it, though only some were given: none of them can be judged without the others. (Tarjan's strongly connected components.)
 * Each object is walked by once, however often is asked: in a chain as long as a cluster is large all that lies upstream was walked again for each of it.
 */
export function createOrder(
  upstreamsOf: (key: RefKey) => readonly RefKey[],
): (keys: ReadonlySet<RefKey>) => readonly (readonly RefKey[])[] {
  const index = new Map<RefKey, number>();
  const open: RefKey[] = [];
  const isOpen = new Set<RefKey>();
  const groups = new Map<RefKey, Placed>();
  let closed = 0;

  function enter(key: RefKey, path: Visit[]): void {
    const at = index.size;
    index.set(key, at);
    open.push(key);
    isOpen.add(key);
    path.push({ key, others: upstreamsOf(key), at, low: at, next: 0 });
  }

  function close(key: RefKey): void {
    const keys: RefKey[] = [];
    const group = { keys, place: closed++ };
    for (let last = open.pop(); last !== undefined; last = open.pop()) {
      isOpen.delete(last);
      keys.push(last);
      groups.set(last, group);
      if (last === key) break;
    }
    keys.reverse();
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

  return (keys) => {
    for (const key of keys) if (!index.has(key)) visitFrom(key);
    const found = new Set([...keys].map((key) => groups.get(key)).filter((group) => group !== undefined));
    return [...found].toSorted((a, b) => a.place - b.place).map((group) => group.keys);
  };
}
