import type { KnownMoment } from '../fleet/known-moment.ts';
import { frameRing, type SentFrame } from './frame-ring.ts';
import type { StreamClient } from './stream-client.ts';
import { topicKey, topicSource, type Topic, type TopicSource } from './topic.ts';

/** A topic that clients follow, or followed of late. */
export interface OpenTopic extends TopicSource {
  readonly clients: Set<StreamClient>;
  /** Since when (ms) it has no clients. */
  emptySince: number;
  /** Remembers a frame of it, sent at `at` (ms). */
  keep(frame: SentFrame, at: number): void;
  /** The frames after that number; null where some of them are not remembered. */
  after(number: number): readonly Buffer[] | null;
  /** The frames sent after that time (ms); null where some of them are not remembered. */
  later(time: number): readonly Buffer[] | null;
}

/** So many frames of a topic are known by their time. */
const timesKept = 512;

function openTopic(
  topic: Topic,
  known: KnownMoment,
  began: { readonly at: number; readonly number: number },
): OpenTopic {
  const ring = frameRing(began.number);
  const times: { readonly at: number; readonly number: number }[] = [];

  function after(number: number): readonly Buffer[] | null {
    return ring.since(number)?.map((frame) => frame.bytes) ?? null;
  }

  return {
    ...topicSource(topic, known),
    clients: new Set(),
    emptySince: began.at,
    keep(frame, at) {
      ring.push(frame);
      times.push({ at, number: frame.number });
      if (times.length > timesKept) times.shift();
    },
    after,
    later(time) {
      if (time < began.at) return null;
      const first = times.find(({ at }) => at > time);
      return first ? after(first.number - 1) : [];
    },
  };
}

/** The topics of a process. */
export interface OpenTopics {
  /** The topic as it is open, or opened now; null where there are too many. */
  open(topic: Topic, now: number, number: number): OpenTopic | null;
  all(): Iterable<OpenTopic>;
  /** Closes those that nobody has followed for `keepFor` ms. */
  closeIdle(now: number, keepFor: number): void;
  clear(): void;
}

/** Makes a set of no more than `most` topics: one that nobody follows makes room for another. */
export function openTopics(known: KnownMoment, most: number): OpenTopics {
  const topics = new Map<string, OpenTopic>();

  function closeWhere(isIdle: (topic: OpenTopic) => boolean): void {
    for (const [key, topic] of topics) if (topic.clients.size === 0 && isIdle(topic)) topics.delete(key);
  }

  return {
    open(topic, now, number) {
      const key = topicKey(topic);
      const found = topics.get(key);
      if (found) return found;
      if (topics.size >= most) closeWhere(() => true);
      if (topics.size >= most) return null;
      const made = openTopic(topic, known, { at: now, number });
      topics.set(key, made);
      return made;
    },
    all: () => topics.values(),
    closeIdle: (now, keepFor) => closeWhere(({ emptySince }) => now - emptySince > keepFor),
    clear: () => topics.clear(),
  };
}
