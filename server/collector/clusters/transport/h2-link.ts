import http2 from 'node:http2';
import type { Clock, Timer } from '#server/runtime/clock.ts';
import type { Socket } from 'node:net';
import type { Exchange, Link, LinkDeps, LinkEvents, LinkRequest } from './link.ts';
import { watchQuiet } from './quiet-watch.ts';
import { inCrumbs, refuseCrumbs } from '#server/runtime/bytes/crumbs.ts';
import { saying } from '../redact.ts';
import type { Pace } from './pace/pace.ts';
import type { ClusterTuning } from '../tuning.ts';

/** Node's default window of 64 KB is shared by all streams and starves thirty lists. */
const sessionWindow = 2 * 1024 * 1024;
const streamWindow = 256 * 1024;

export interface H2LinkDeps extends Omit<LinkDeps, 'access'> {
  /** Shared by all links of the cluster. */
  readonly pace: Pace;
  readonly socket: Socket;
  readonly origin: string;
  readonly events: LinkEvents;
}

/**
 * One HTTP/2 session over an open TLS socket: pinged when nothing was received for `pingAfter`, drained on GOAWAY,
 * its streams cancelled one by one.
 */
export function openH2Link({ socket, origin, clock, tuning, pace, events }: H2LinkDeps): Link {
  const session = openSession(socket, origin);
  const cancels = createCancels(clock, tuning);
  let open = 0;
  let watches = 0;
  let draining = false;
  let over = false;
  let reason = 'the connection was closed';

  session.on('error', (error) => {
    reason = saying(error);
  });
  session.on('goaway', () => drain());
  session.on('close', () => {
    quiet.stop();
    cancels.stop();
    if (over) return;
    over = true;
    events.lost(reason);
  });
  const quiet = watchQuiet({
    clock,
    tuning,
    onReceived: events.received,
    lose: fail,
    ping: (onAnswer) => ping(session, onAnswer),
  });

  function fail(why: string): void {
    reason = why;
    session.destroy(new Error(why));
    // A blackholed socket never finishes closing by itself.
    socket.destroy();
  }

  function drain(): void {
    if (draining) return;
    draining = true;
    events.drained();
    if (!session.destroyed && !session.closed) session.close();
  }

  return {
    protocol: 'h2',
    room(use) {
      if (draining || over || session.destroyed || session.closed) return false;
      const most = Math.min(100, session.remoteSettings?.maxConcurrentStreams ?? 100);
      return use === 'get'
        ? open < most
        : watches < Math.min(tuning.streamsPerSession, Math.max(1, most - 10)) && open < most;
    },
    open: (request, use, exchange) => {
      open++;
      if (use === 'watch') watches++;
      return send(session, request, exchange, {
        received: quiet.received,
        closed() {
          open--;
          if (use === 'watch') watches--;
        },
        cancel: cancels.add,
        pace,
      });
    },
    drain,
    close() {
      over = true;
      quiet.stop();
      cancels.stop();
      session.destroy();
      socket.destroy();
    },
  };
}

function openSession(socket: Socket, origin: string): http2.ClientHttp2Session {
  const session = http2.connect(origin, {
    createConnection: () => socket,
    settings: { initialWindowSize: streamWindow, enablePush: false },
    maxSessionMemory: 64,
  });
  session.once('connect', () => {
    // It may have been destroyed before this is emitted.
    if (!session.destroyed) session.setLocalWindowSize(sessionWindow);
  });
  return session;
}

function ping(session: http2.ClientHttp2Session, onAnswer: () => void): boolean {
  return !session.destroyed && session.ping((error) => error ?? onAnswer());
}

/** Streams to cancel, one each `cancelEvery`: rapid resets make servers close the session. */
function createCancels(clock: Clock, { cancelEvery }: ClusterTuning) {
  const streams: http2.ClientHttp2Stream[] = [];
  let timer: Timer | null = null;

  function cancelNext(): void {
    timer = null;
    streams.shift()?.close(http2.constants.NGHTTP2_CANCEL);
    if (streams.length > 0) timer = clock.after(cancelEvery, cancelNext);
  }

  return {
    add(stream: http2.ClientHttp2Stream): void {
      streams.push(stream);
      timer ??= clock.after(0, cancelNext);
    },
    stop: (): void => timer?.cancel(),
  };
}

interface StreamOwner {
  received(): void;
  closed(): void;
  cancel(stream: http2.ClientHttp2Stream): void;
  readonly pace: Pace;
}

function send(
  session: http2.ClientHttp2Session,
  { path, headers, review }: LinkRequest,
  exchange: Exchange,
  owner: StreamOwner,
): () => void {
  let listening = true;
  let ended = false;
  let problem: string | null = null;
  let stream: http2.ClientHttp2Stream;
  try {
    const fields: http2.OutgoingHttpHeaders = { ':method': review === null ? 'GET' : 'POST', ':path': path };
    for (const [name, value] of Object.entries(headers)) fields[name] = typeof value === 'string' ? value : [...value];
    stream = session.request(fields, { endStream: review === null });
  } catch (error) {
    owner.closed();
    queueMicrotask(() => listening && exchange.end(saying(error)));
    return () => {
      listening = false;
    };
  }
  stream.on('response', (fields) => {
    owner.received();
    if (listening) exchange.head(fields[':status'] ?? 0, (name) => textOf(fields[name]));
  });
  refuseCrumbs(stream, () => {
    problem ??= inCrumbs;
    stream.close(http2.constants.NGHTTP2_CANCEL);
  });
  stream.on('data', (chunk: Buffer) => {
    owner.received();
    if (listening) owner.pace.run(stream, () => exchange.data(chunk));
  });
  stream.on('end', () => {
    ended = true;
  });
  stream.on('error', (error) => {
    problem = saying(error);
  });
  stream.on('close', () => {
    owner.closed();
    if (!listening) return;
    listening = false;
    const whole = ended && problem === null && stream.rstCode === http2.constants.NGHTTP2_NO_ERROR;
    exchange.end(whole ? null : (problem ?? `the stream was reset (code ${stream.rstCode ?? 0})`));
  });
  if (review !== null) stream.end(review);
  return () => {
    if (!listening) return;
    listening = false;
    owner.cancel(stream);
  };
}

function textOf(value: string | string[] | number | undefined): string | null {
  if (value === undefined) return null;
  return Array.isArray(value) ? (value[0] ?? null) : String(value);
}
