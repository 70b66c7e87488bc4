import type { KnownMoment } from '../fleet/known-moment.ts';
import { frameRing, type FrameRing } from './frame-ring.ts';
import type { StreamClient } from './stream-client.ts';
import { topicKey, topicSource, type Topic, type TopicSource } from './topic.ts';

/** A topic that clients follow, or followed of late, with its recent frames. */
export interface OpenTopic extends TopicSource, FrameRing {
  readonly clients: Set<StreamClient>;
  /** Since when (ms) it has no clients. */
  emptySince: number;
}

/** Makes a set of no more than `most` topics: one that nobody follows makes room for another. */
export function openTopics(known: KnownMoment, most: number) {
  const topics = new Map<string, OpenTopic>();

  function closeWhere(isIdle: (topic: OpenTopic) => boolean): void {
    for (const [key, topic] of topics) if (topic.clients.size === 0 && isIdle(topic)) topics.delete(key);
  }

  return {
    /** The topic as it is open, or opened at `now` (ms) after `number` frames of the process; null where there are too many. */
    open(topic: Topic, now: number, number: number): OpenTopic | null {
      const key = topicKey(topic);
      const found = topics.get(key);
      if (found) return found;
      if (topics.size >= most) closeWhere(() => true);
      if (topics.size >= most) return null;
      const ring = frameRing({ at: now, number });
      const made = { ...topicSource(topic, known), ...ring, clients: new Set<StreamClient>(), emptySince: now };
      topics.set(key, made);
      return made;
    },
    all: (): Iterable<OpenTopic> => topics.values(),
    /** Closes those that nobody has followed for `keepFor` ms. */
    closeIdle: (now: number, keepFor: number): void => closeWhere(({ emptySince }) => now - emptySince > keepFor),
    clear: (): void => topics.clear(),
  };
}
