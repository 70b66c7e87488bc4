/**
 * Keys by the time at which they fall due, as a binary heap. Only the earliest time of a key is kept: whoever looks at it
 * then says when to look again, so that a key that is added often does not grow the heap.
 */
export type TimeQueue = ReturnType<typeof createTimeQueue>;

interface HeapItem {
  readonly key: string;
  readonly at: number;
}

/** Makes an empty queue. */
export function createTimeQueue() {
  const heap: HeapItem[] = [];
  const earliest = new Map<string, number>();

  function up(start: number): void {
    let index = start;
    const item = heap[index];
    if (!item) return;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent];
      if (!above || above.at <= item.at) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = item;
  }

  function down(item: HeapItem): void {
    let index = 0;
    for (;;) {
      const left = heap[2 * index + 1];
      const right = heap[2 * index + 2];
      const child = left && right && right.at < left.at ? 2 * index + 2 : 2 * index + 1;
      const smaller = heap[child];
      if (!smaller || smaller.at >= item.at) break;
      heap[index] = smaller;
      index = child;
    }
    heap[index] = item;
  }

  function take(): HeapItem | undefined {
    const first = heap[0];
    const last = heap.pop();
    if (first && last && heap.length > 0) down(last);
    return first;
  }

  return {
    add(key: string, at: number): void {
      const known = earliest.get(key);
      if (known !== undefined && known <= at) return;
      earliest.set(key, at);
      heap.push({ key, at });
      up(heap.length - 1);
    },
    /** Takes out every key that is due at `now` (ms). */
    due(now: number): readonly string[] {
      const keys = new Set<string>();
      for (let first = heap[0]; first && first.at <= now; first = heap[0]) {
        take();
        // A time that an earlier one has overtaken is passed over.
        if (earliest.get(first.key) !== first.at) continue;
        earliest.delete(first.key);
        keys.add(first.key);
      }
      return [...keys];
    },
    /** The next time at which a key falls due, null where none waits. */
    next: (): number | null => heap[0]?.at ?? null,
    /** Every key that waits. */
    keys: (): readonly string[] => [...earliest.keys()],
    size: (): number => heap.length,
  };
}
