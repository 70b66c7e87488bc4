import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { StreamFrame } from '#lib/api/stream.ts';
import type { Clock, Timer } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { wireTime } from '../wire/wire-time.ts';
import { openTopics, type Follower, type OpenTopic } from './open-topic.ts';
import { fairPass, type PassBounds } from './fair-pass.ts';
import type { PassTurns } from './pass-turns.ts';
import { streamRoom } from './room.ts';
import { streamClient } from './stream-client.ts';
import type { Topic } from './topic.ts';

/** Arrival of a client, of the listener `by` (`listenerOf`): with the id of its last frame, with the time its page was made (ms), or with neither. */
export interface Arrival {
  readonly lastEventId: string | null;
  readonly after: number | null;
  readonly by: string;
}

/** All open streams of this process. */
export interface StreamHub {
  /** Takes over a response (its headers are already sent); false where there is no room for one more of its listener. */
  connect(topic: Topic, arrival: Arrival, response: ServerResponse): boolean;
  /** Says that something has changed: read now, or 250 ms after the last change. */
  nudge(): void;
  clients(): number;
  framesSent(): number;
  stop(): Promise<void>;
}

/** Parameters of `startStreamHub`. Durations in ms. */
export interface StreamHubDeps extends Partial<PassBounds> {
  readonly known: KnownMoment;
  readonly clock: Clock;
  readonly log: Log;
  readonly coalesce?: number;
  readonly tickEvery?: number;
  /** A topic without clients is kept this long, so that a browser that reconnects finds what it missed. */
  readonly keepFor?: number;
  readonly mostClients?: number;
  readonly mostTopics?: number;
  /** Those that it shares with the hubs of other views; absent: it has all to itself. */
  readonly turns?: PassTurns;
}

const ownTurns: PassTurns = { ask: (_hub, pass) => pass(), leave: () => undefined };

/**
 * Serves every topic with one encoder: a change is serialised once for all its clients, at most each 250 ms.
 * Ids are this process's epoch and a number; an unknown epoch or a number that has left the ring gets `reset`.
 */
export function startStreamHub(deps: StreamHubDeps): StreamHub {
  const { known, clock, log, turns = ownTurns, coalesce = 250, tickEvery = 10_000, keepFor = 60_000 } = deps;
  const { mostClients = 2_000, mostTopics = 500, passFor = 100, elapsed = () => performance.now() } = deps;
  const epoch = randomBytes(6).toString('base64url');
  const topics = openTopics(known, mostTopics);
  const pass = fairPass({ passFor, elapsed });
  const room = streamRoom({ clients: mostClients, topics: mostTopics });
  let number = 0;
  let sent = 0;
  let nextTick = clock.now() + tickEvery;

  function restart(topic: OpenTopic): Buffer {
    const frames: readonly StreamFrame[] = [{ type: 'reset', at: wireTime(clock.now()) }, ...topic.whole()];
    return Buffer.concat(frames.map((frame) => encoded(frame, `${epoch}:${number}`)));
  }

  function tick(): Buffer {
    return encoded({ type: 'tick', at: wireTime(clock.now()), lastWordAt: known.summary().lastWordAt }, null);
  }

  function broadcast(topic: OpenTopic, frame: StreamFrame, now: number): void {
    number += 1;
    const bytes = encoded(frame, `${epoch}:${number}`);
    topic.push({ number, at: now, bytes });
    for (const client of topic.clients) client.send(bytes);
    sent += topic.clients.size;
  }

  function flush(): void {
    const now = clock.now();
    topics.closeIdle(now, keepFor);
    pass.over(topics.all(), now, (topic) => {
      for (const frame of topic.changes()) broadcast(topic, frame, now);
    });
    if (now < nextTick) return;
    nextTick = now + tickEvery;
    const bytes = tick();
    for (const topic of topics.all()) for (const client of topic.clients) client.send(bytes);
  }

  const polling = startPolling(clock, turns, coalesce, () => {
    const before = number;
    try {
      flush();
    } catch (error) {
      log.error({ err: error }, 'a pass of the stream failed');
    }
    return number !== before;
  });

  return {
    connect(topic, arrival, response) {
      const found = openWithin(room, topics, topic, arrival.by, { at: clock.now(), number });
      if (!found) return false;
      // What changed since the last pass comes with the next one, to this client too: a pass at every arrival would
      // cost the whole matrix each time that a wall of browsers comes back at once.
      const client: Follower = { ...streamClient(response, () => restart(found)), by: arrival.by };
      const past = missed(found, arrival, epoch);
      client.send(Buffer.concat([Buffer.from('retry: 2000\n\n'), ...(past ?? [restart(found)]), tick()]));
      found.clients.add(client);
      const leave = (): void => {
        found.clients.delete(client);
        if (found.clients.size === 0) found.emptySince = clock.now();
      };
      response.on('close', room.take(arrival.by, { topic: found, client, leave }));
      return true;
    },
    nudge: polling.nudge,
    clients: room.clients,
    framesSent: () => sent,
    stop() {
      polling.stop();
      for (const topic of topics.all()) for (const client of topic.clients) client.close();
      topics.clear();
      return Promise.resolve();
    },
  };
}

/** The open topic for one client more of `by`; null where there is no room. */
function openWithin(
  room: ReturnType<typeof streamRoom>,
  topics: ReturnType<typeof openTopics>,
  topic: Topic,
  by: string,
  { at, number }: { readonly at: number; readonly number: number },
): OpenTopic | null {
  if (!topics.has(topic) && !room.hasTopicFor(by)) return null;
  if (!room.makeClient(by)) return null;
  const open = (): OpenTopic | null => topics.open(topic, at, number);
  return open() ?? (room.makeTopic(by) ? open() : null);
}

function encoded(frame: StreamFrame, id: string | null): Buffer {
  return Buffer.from(`${id === null ? '' : `id: ${id}\n`}event: ${frame.type}\ndata: ${JSON.stringify(frame)}\n\n`);
}

/** Bytes of what a client missed that it is told: they wait for each client apart. */
const mostMissed = 256 * 1024;

/** Frames that a client must get before the present goes on; null where it must start again. */
function missed(
  topic: OpenTopic,
  arrival: Pick<Arrival, 'lastEventId' | 'after'>,
  epoch: string,
): readonly Buffer[] | null {
  const frames = keptFor(topic, arrival, epoch);
  const bytes = frames?.reduce((sum, { length }) => sum + length, 0) ?? 0;
  return bytes > mostMissed ? null : frames;
}

function keptFor(
  topic: OpenTopic,
  { lastEventId, after }: Pick<Arrival, 'lastEventId' | 'after'>,
  epoch: string,
): readonly Buffer[] | null {
  if (lastEventId === null) return after === null ? null : topic.later(after);
  const [theirs, text] = lastEventId.split(':');
  return theirs === epoch && text !== undefined && /^\d{1,15}$/.test(text) ? topic.after(Number(text)) : null;
}

/**
 * Calls `poll` now, and again `every` ms after each call. `nudge` calls it at once, unless it found something or was nudged within
 * that time: a pass that finds nothing delays nobody. `poll` returns true if it found something, and never throws.
 */
function startPolling(clock: Clock, turns: PassTurns, every: number, poll: () => boolean) {
  let lastFound = 0;
  let stopped = false;
  let timer: Timer | null = null;
  const hub = {};

  function pass(): void {
    turns.ask(hub, () => {
      if (poll()) lastFound = clock.now();
      timer?.cancel();
      timer = clock.after(every, pass);
    });
  }

  pass();
  return {
    nudge(): void {
      if (stopped || clock.now() - lastFound < every) return;
      lastFound = clock.now();
      pass();
    },
    stop(): void {
      stopped = true;
      timer?.cancel();
      turns.leave(hub);
    },
  };
}
