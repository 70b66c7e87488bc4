import type { KnownMoment } from '../fleet/known-moment.ts';
import { frameRing, type FrameRing } from './frame-ring.ts';
import type { StreamClient } from './stream-client.ts';
import { topicKey, topicSource, type Topic, type TopicSource } from './topic.ts';

/** A topic that clients follow, or followed of late, with its recent frames. */
export interface OpenTopic extends TopicSource, FrameRing {
  readonly clients: Set<Follower>;
  /** Since when (ms) it has no clients. */
  emptySince: number;
  /** When its changes were asked for last (ms). */
  madeAt: number;
}

/** A client with its listener (`askerOf`). */
export interface Follower extends StreamClient {
  readonly by: string;
}

/** Bytes of the frames that all topics keep, and that one keeps at most. */
const mostOfRings = 64 * 1024 * 1024;
const mostOfRing = 8 * 1024 * 1024;

/** Makes a set of no more than `most` topics: one that nobody follows makes room for another. */
export function openTopics(known: KnownMoment, most: number) {
  const topics = new Map<string, OpenTopic>();

  function closeWhere(isIdle: (topic: OpenTopic) => boolean): void {
    for (const [key, topic] of topics) if (topic.clients.size === 0 && isIdle(topic)) topics.delete(key);
  }

  return {
    has: (topic: Topic): boolean => topics.has(topicKey(topic)),
    /** The topic as it is open, or opened at `now` (ms) after `number` frames of the process; null where there are too many. */
    open(topic: Topic, now: number, number: number): OpenTopic | null {
      const key = topicKey(topic);
      const found = topics.get(key);
      if (found) return found;
      if (topics.size >= most) closeWhere(() => true);
      if (topics.size >= most) return null;
      // All rings share this: a ring alone may hold 8 MB, five hundred may not hold 4 GB.
      const ring = frameRing({ at: now, number }, () => ({
        frames: 512,
        bytes: Math.min(mostOfRing, mostOfRings / topics.size),
      }));
      const made = {
        ...topicSource(topic, known),
        ...ring,
        clients: new Set<Follower>(),
        emptySince: now,
        madeAt: now,
      };
      topics.set(key, made);
      return made;
    },
    all: (): Iterable<OpenTopic> => topics.values(),
    /** Closes those that nobody has followed for `keepFor` ms. */
    closeIdle: (now: number, keepFor: number): void => closeWhere(({ emptySince }) => now - emptySince > keepFor),
    clear: (): void => topics.clear(),
  };
}
