import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { StreamFrame } from '#lib/api/stream.ts';
import type { Clock, Timer } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import type { FleetQueries } from '../fleet/fleet-queries.ts';
import { wireTime } from '../wire/wire-time.ts';
import type { FrameRing } from './frame-ring.ts';
import { frameRing } from './frame-ring.ts';
import type { StreamClient } from './stream-client.ts';
import { streamClient } from './stream-client.ts';
import type { Topic, TopicSource } from './topic.ts';
import { topicKey, topicSource } from './topic.ts';

/** How a client came: with the id of its last frame, with the time its page was made (ms), or with neither. */
export interface Arrival {
  readonly lastEventId: string | null;
  readonly after: number | null;
}

/** All open streams of this process. */
export interface StreamHub {
  /** Takes over a response (its headers are already sent); false where there is no room for one more. */
  connect(topic: Topic, arrival: Arrival, response: ServerResponse): boolean;
  /** Says that something has changed: looked at now, or 250 ms after the last word. */
  nudge(): void;
  clients(): number;
  framesSent(): number;
  stop(): Promise<void>;
}

/** What `startStreamHub` needs. Durations in ms. */
export interface StreamHubDeps {
  readonly queries: FleetQueries;
  readonly clock: Clock;
  readonly log: Log;
  readonly coalesce?: number;
  readonly tickEvery?: number;
  /** A topic without clients is kept this long, so that a browser that reconnects finds what it missed. */
  readonly keepFor?: number;
  readonly mostClients?: number;
  readonly mostTopics?: number;
}

interface OpenTopic {
  readonly source: TopicSource;
  readonly ring: FrameRing;
  readonly clients: Set<StreamClient>;
  /** Since when (ms) every change is in the ring. */
  readonly since: number;
  /** Times (ms) of the frames, to answer `after`. */
  readonly times: { readonly at: number; readonly number: number }[];
  emptySince: number;
}

/**
 * Serves every topic with one encoder: a change is serialised once for all its clients, at most each 250 ms.
 * Ids are this process's epoch and a number; an unknown epoch or a number that has left the ring gets `reset`.
 */
export function startStreamHub(deps: StreamHubDeps): StreamHub {
  const {
    queries,
    clock,
    log,
    coalesce = 250,
    tickEvery = 10_000,
    keepFor = 60_000,
    mostClients = 2_000,
    mostTopics = 500,
  } = deps;
  const epoch = randomBytes(6).toString('base64url');
  const topics = new Map<string, OpenTopic>();
  let number = 0;
  let clients = 0;
  let sent = 0;
  let nextTick = clock.now() + tickEvery;
  /** The last look that found something to say, or was asked for: a quiet one delays nobody. */
  let lastWord = 0;
  let stopped = false;
  let timer: Timer | null = null;

  function encode(frame: StreamFrame, id: number | null): Buffer {
    return Buffer.from(
      `${id === null ? '' : `id: ${epoch}:${id}\n`}event: ${frame.type}\ndata: ${JSON.stringify(frame)}\n\n`,
    );
  }

  function restart({ source }: OpenTopic): Buffer {
    const frames: readonly StreamFrame[] = [{ type: 'reset', at: wireTime(clock.now()) }, ...source.whole()];
    return Buffer.concat(frames.map((frame) => encode(frame, number)));
  }

  function tick(): Buffer {
    return encode({ type: 'tick', at: wireTime(clock.now()), lastWordAt: queries.head().lastWordAt }, null);
  }

  function flush(): void {
    const now = clock.now();
    for (const [key, topic] of topics) {
      if (topic.clients.size === 0 && now - topic.emptySince > keepFor) {
        topics.delete(key);
        continue;
      }
      for (const frame of topic.source.changes()) broadcast(topic, frame, now);
    }
    if (now < nextTick) return;
    nextTick = now + tickEvery;
    const bytes = tick();
    for (const topic of topics.values()) for (const client of topic.clients) client.send(bytes);
  }

  function broadcast(topic: OpenTopic, frame: StreamFrame, now: number): void {
    number += 1;
    const bytes = encode(frame, number);
    topic.ring.push({ number, bytes });
    topic.times.push({ at: now, number });
    if (topic.times.length > 512) topic.times.shift();
    for (const client of topic.clients) client.send(bytes);
    sent += topic.clients.size;
  }

  function turn(): void {
    const before = number;
    try {
      flush();
    } catch (error) {
      log.error({ err: error }, 'a turn of the stream failed');
    }
    if (number !== before) lastWord = clock.now();
    timer?.cancel();
    timer = clock.after(coalesce, turn);
  }

  function nudge(): void {
    if (stopped || clock.now() - lastWord < coalesce) return;
    lastWord = clock.now();
    turn();
  }

  function open(topic: Topic): OpenTopic | null {
    const key = topicKey(topic);
    const found = topics.get(key);
    if (found) return found;
    if (topics.size >= mostTopics) {
      for (const [other, { clients: listening }] of topics) if (listening.size === 0) topics.delete(other);
      if (topics.size >= mostTopics) return null;
    }
    const now = clock.now();
    const made = {
      source: topicSource(topic, queries),
      ring: frameRing(number),
      clients: new Set<StreamClient>(),
      since: now,
      times: [],
      emptySince: now,
    };
    topics.set(key, made);
    return made;
  }

  /** What a client must get before the present goes on; null where it must start again. */
  function missed(topic: OpenTopic, { lastEventId, after }: Arrival): readonly Buffer[] | null {
    if (lastEventId !== null) {
      const [theirs, text] = lastEventId.split(':');
      if (theirs !== epoch || text === undefined || !/^\d{1,15}$/.test(text)) return null;
      return topic.ring.since(Number(text))?.map((frame) => frame.bytes) ?? null;
    }
    if (after === null || after < topic.since) return null;
    const first = topic.times.find((time) => time.at > after);
    if (!first) return [];
    return topic.ring.since(first.number - 1)?.map((frame) => frame.bytes) ?? null;
  }

  turn();
  return {
    connect(topic, arrival, response) {
      const found = clients < mostClients ? open(topic) : null;
      if (!found) return false;
      // What changed since the last turn comes with the next one, to this client too: looking now, at every arrival, would
      // cost the whole matrix each time that a wall of browsers comes back at once.
      const client = streamClient({ response, restart: () => restart(found) });
      const past = missed(found, arrival);
      client.send(Buffer.concat([Buffer.from('retry: 2000\n\n'), ...(past ?? [restart(found)]), tick()]));
      found.clients.add(client);
      clients += 1;
      response.on('close', () => {
        if (!found.clients.delete(client)) return;
        clients -= 1;
        if (found.clients.size === 0) found.emptySince = clock.now();
      });
      return true;
    },
    nudge,
    clients: () => clients,
    framesSent: () => sent,
    stop() {
      stopped = true;
      timer?.cancel();
      for (const topic of topics.values()) for (const client of topic.clients) client.close();
      topics.clear();
      return Promise.resolve();
    },
  };
}
