/** Keys by the time at which they fall due, as a binary heap. A key may stand in it several times; a look too many does no harm. */
export interface TimeQueue {
  add(key: string, at: number): void;
  /** Takes out every key that is due at `now` (ms). */
  due(now: number): readonly string[];
  /** The next time at which a key falls due, null where none waits. */
  next(): number | null;
}

interface Slot {
  readonly key: string;
  readonly at: number;
}

/** Makes an empty queue. */
export function createTimeQueue(): TimeQueue {
  const heap: Slot[] = [];

  function up(start: number): void {
    let index = start;
    const slot = heap[index];
    if (!slot) return;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent];
      if (!above || above.at <= slot.at) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = slot;
  }

  function down(slot: Slot): void {
    let index = 0;
    for (;;) {
      const left = heap[2 * index + 1];
      const right = heap[2 * index + 2];
      const child = left && right && right.at < left.at ? 2 * index + 2 : 2 * index + 1;
      const smaller = heap[child];
      if (!smaller || smaller.at >= slot.at) break;
      heap[index] = smaller;
      index = child;
    }
    heap[index] = slot;
  }

  function take(): Slot | undefined {
    const first = heap[0];
    const last = heap.pop();
    if (first && last && heap.length > 0) down(last);
    return first;
  }

  return {
    add(key, at) {
      heap.push({ key, at });
      up(heap.length - 1);
    },
    due(now) {
      const keys = new Set<string>();
      for (let first = heap[0]; first && first.at <= now; first = heap[0]) {
        take();
        keys.add(first.key);
      }
      return [...keys];
    },
    next: () => heap[0]?.at ?? null,
  };
}
