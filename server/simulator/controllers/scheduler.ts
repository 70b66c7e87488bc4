import type { Clock, Timer } from '../../runtime/clock.ts';

/** Runs many tasks at their times on a single timer. Equal times run in the order in which they were asked for. */
export interface Scheduler {
  /** ms since the epoch. */
  now(): number;
  at(time: number, task: () => void): void;
  after(ms: number, task: () => void): void;
  stop(): void;
}

interface Entry {
  readonly time: number;
  readonly order: number;
  readonly task: () => void;
}

function before(a: Entry, b: Entry): boolean {
  return a.time < b.time || (a.time === b.time && a.order < b.order);
}

/** A binary heap of entries, the earliest first. */
function createHeap(): { push(entry: Entry): void; first(): Entry | undefined; pop(): void } {
  const heap: Entry[] = [];

  function swap(i: number, j: number): void {
    const a = heap[i];
    const b = heap[j];
    if (a && b) {
      heap[i] = b;
      heap[j] = a;
    }
  }

  function isBefore(i: number, j: number): boolean {
    const a = heap[i];
    const b = heap[j];
    return a !== undefined && b !== undefined && before(a, b);
  }

  return {
    push(entry) {
      heap.push(entry);
      for (let i = heap.length - 1; i > 0 && isBefore(i, (i - 1) >> 1); i = (i - 1) >> 1) swap(i, (i - 1) >> 1);
    },
    first: () => heap[0],
    pop() {
      swap(0, heap.length - 1);
      heap.pop();
      for (let i = 0; ;) {
        const left = 2 * i + 1;
        const least = isBefore(left + 1, left) ? left + 1 : left;
        if (!isBefore(least, i)) return;
        swap(i, least);
        i = least;
      }
    },
  };
}

/** Starts a scheduler on a clock. */
export function startScheduler(clock: Clock): Scheduler {
  const heap = createHeap();
  let order = 0;
  let timer: Timer | null = null;
  let armedFor = Infinity;
  let stopped = false;

  function arm(): void {
    const next = heap.first();
    if (stopped || !next || next.time >= armedFor) return;
    timer?.cancel();
    armedFor = next.time;
    timer = clock.after(Math.max(0, next.time - clock.now()), run);
  }

  function run(): void {
    armedFor = Infinity;
    timer = null;
    const now = clock.now();
    for (let entry = heap.first(); entry && entry.time <= now && !stopped; entry = heap.first()) {
      heap.pop();
      entry.task();
    }
    arm();
  }

  function at(time: number, task: () => void): void {
    heap.push({ time, order: order++, task });
    arm();
  }

  return {
    now: () => clock.now(),
    at,
    after: (ms, task) => at(clock.now() + ms, task),
    stop() {
      stopped = true;
      timer?.cancel();
    },
  };
}
