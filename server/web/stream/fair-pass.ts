import type { OpenTopic } from './open-topic.ts';

type Heard = Pick<OpenTopic, 'clients' | 'madeAt'>;

/** Bounds of a pass. */
export interface PassBounds {
  /** Time (ms) after which what is left waits for the next pass. */
  readonly passFor: number;
  /** A clock for lengths of time (ms) that nobody sets. */
  readonly elapsed: () => number;
}

/**
 * Goes over the topics in a fair order, as far as the time of a pass reaches: one of each listener in turn, those first on whom the least
 * time was spent. So who follows two hundred views that are dear to make delays no request, and nobody else's view by more than one of his.
 */
export function fairPass({ passFor, elapsed }: PassBounds) {
  let spent = new Map<string, number>();

  /** Who a topic is made for: the follower on whom least was spent; '' where nobody follows it. */
  function ownerOf({ clients }: Heard): string {
    let owner = { by: '', time: Infinity };
    for (const { by } of clients) {
      const time = spent.get(by) ?? 0;
      if (time < owner.time) owner = { by, time };
    }
    return owner.by;
  }

  function inOrder<Topic extends Heard>(topics: Iterable<Topic>): readonly (readonly [string, Topic])[] {
    const byOwner = Map.groupBy(topics, ownerOf);
    // Who comes anew has no credit for the time before; who has left has no debt.
    const least = Math.min(...[...byOwner.keys()].flatMap((by) => spent.get(by) ?? []));
    const floor = Number.isFinite(least) ? least : 0;
    spent = new Map([...byOwner.keys()].map((by) => [by, (spent.get(by) ?? floor) - floor]));
    const queues = [...byOwner]
      .toSorted(([a], [b]) => (spent.get(a) ?? 0) - (spent.get(b) ?? 0))
      .map(([by, own]) => own.toSorted((a, b) => a.madeAt - b.madeAt).map((topic) => [by, topic] as const));
    const longest = Math.max(0, ...queues.map(({ length }) => length));
    return Array.from({ length: longest }, (_, turn) => queues.flatMap((own) => own.slice(turn, turn + 1))).flat();
  }

  return {
    /** Calls `tell` for topics at `now` (ms), for each at most once. */
    over<Topic extends Heard>(topics: Iterable<Topic>, now: number, tell: (topic: Topic) => void): void {
      const began = elapsed();
      for (const [by, topic] of inOrder(topics)) {
        const before = elapsed();
        if (before - began >= passFor) return;
        topic.madeAt = now;
        tell(topic);
        spent.set(by, (spent.get(by) ?? 0) + elapsed() - before);
      }
    },
  };
}
