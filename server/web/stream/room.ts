import type { OpenTopic } from './open-topic.ts';
import type { StreamClient } from './stream-client.ts';

/** Bounds of all streams of a process. */
export interface RoomBounds {
  readonly clients: number;
  readonly topics: number;
}

interface Seat {
  readonly topic: OpenTopic;
  readonly client: StreamClient;
  /** Takes it out of its topic. */
  readonly leave: () => void;
}

/**
 * Shares the room for streams among listeners (`by`): one never takes more than half of it, and where it is full, who has more than the
 * one who comes would have gives up what it took last. Among equals nobody makes room: pages that are open stay.
 */
export function streamRoom(most: RoomBounds) {
  const listeners = new Map<string, Set<Seat>>();
  let clients = 0;

  function seatsOf(by: string): ReadonlySet<Seat> {
    return listeners.get(by) ?? new Set();
  }

  function release(by: string, seat: Seat): void {
    const seats = listeners.get(by);
    if (!seats?.delete(seat)) return;
    if (seats.size === 0) listeners.delete(by);
    clients -= 1;
    seat.leave();
  }

  /** The seats that the heaviest listener gives up for `by`, none where nobody is heavier than it would be. */
  function given(by: string, weigh: typeof topicsIn, choose: (seats: ReadonlySet<Seat>) => readonly Seat[]): boolean {
    let heaviest = { name: by, weight: weigh(seatsOf(by)) + 1 };
    for (const [name, seats] of listeners)
      if (weigh(seats) > heaviest.weight) heaviest = { name, weight: weigh(seats) };
    if (heaviest.name === by) return false;
    const going = choose(seatsOf(heaviest.name));
    for (const seat of going) {
      release(heaviest.name, seat);
      seat.client.close();
    }
    return going.length > 0;
  }

  return {
    clients: () => clients,
    /** True if `by` may follow one topic more that nobody follows, as far as its own share goes. */
    hasTopicFor: (by: string): boolean => topicsIn(seatsOf(by)) < Math.ceil(most.topics / 2),
    /** True if there is room for one stream more of `by`, made where that is fair. */
    makeClient(by: string): boolean {
      if (seatsOf(by).size >= Math.ceil(most.clients / 2)) return false;
      return (
        clients < most.clients ||
        given(
          by,
          ({ size }) => size,
          (seats) => [...seats].slice(-1),
        )
      );
    },
    /** Leaves a topic without followers for `by`, where that is fair; false where it is not. */
    makeTopic: (by: string): boolean => given(by, topicsIn, newestAlone),
    /** Takes a seat; gives what ends it, which may be called again. */
    take(by: string, seat: Seat): () => void {
      const seats = listeners.get(by) ?? new Set();
      listeners.set(by, seats.add(seat));
      clients += 1;
      return () => release(by, seat);
    },
  };
}

function topicsIn(seats: ReadonlySet<Seat>): number {
  return new Set(Array.from(seats, ({ topic }) => topic)).size;
}

/** The seats of a listener on the topic that it came to last of those that nobody else follows. */
function newestAlone(seats: ReadonlySet<Seat>): readonly Seat[] {
  const byTopic = Map.groupBy(seats, ({ topic }) => topic);
  return [...byTopic].findLast(([topic, its]) => topic.clients.size === its.length)?.[1] ?? [];
}
