import http from 'node:http';
import https from 'node:https';
import type { Exchange, Link, LinkDeps, LinkEvents, LinkRequest } from './link.ts';
import { watchQuiet } from './quiet-watch.ts';
import { onlyAnnounced, refuseAnnounced } from '#server/runtime/bytes/announced.ts';
import { inCrumbs, refuseCrumbs } from '#server/runtime/bytes/crumbs.ts';
import { saying } from '../redact.ts';
import type { Pace } from './pace/pace.ts';
import type { ClusterTuning } from '../tuning.ts';

export interface H1LinkDeps extends Omit<LinkDeps, 'access'> {
  /** Shared by all links of the cluster. */
  readonly pace: Pace;
  readonly origin: URL;
  /** Options of tls.connect; unused for plain http. */
  readonly tls: https.AgentOptions;
  readonly events: LinkEvents;
}

/**
 * HTTP/1.1 with a pool of kept-alive sockets, for servers and proxies without HTTP/2: one socket per watch, so watches are
 * capped. A request that cannot even connect, or a quiet time that a small request cannot break, is the loss of the link.
 */
export function openH1Link({ origin, tls, clock, tuning, pace, events }: H1LinkDeps): Link {
  const agent = agentOf(origin, tls, tuning);
  const running = new Set<http.ClientRequest>();
  let watches = 0;
  let draining = false;
  let over = false;
  const quiet = watchQuiet({
    clock,
    tuning,
    isIdle: () => running.size === 0,
    onReceived: events.received,
    ping,
    lose,
  });

  function ping(onAnswer: () => void): boolean {
    const made = tryRequest({ path: `${origin.pathname.replace(/\/$/, '')}/version`, headers: {}, review: null });
    if (typeof made === 'string') return false;
    made.on('response', (response) => {
      response.resume();
      onAnswer();
    });
    made.on('error', (error) => lose(saying(error)));
    made.end();
    return true;
  }

  function lose(reason: string): void {
    if (over) return;
    over = true;
    shut(reason);
    events.lost(reason);
  }

  function shut(reason: string): void {
    quiet.stop();
    for (const each of running) each.destroy(new Error(reason));
    agent.destroy();
  }

  /** Gives why where it cannot be made: Node refuses a blank in a path, and some headers. */
  function tryRequest(what: LinkRequest): http.ClientRequest | string {
    try {
      const made = makeRequest(origin, agent, what);
      running.add(made);
      made.on('close', () => running.delete(made));
      return made;
    } catch (error) {
      return saying(error);
    }
  }

  return {
    protocol: 'http/1.1',
    room: (use) => !over && !draining && (use === 'get' || watches < tuning.http1WatchesAtMost),
    open(what, use, exchange) {
      const made = tryRequest(what);
      if (typeof made === 'string') return refuse(made, exchange);
      if (use === 'watch') watches++;
      return send(made, what, exchange, {
        ...{ pace, received: quiet.received },
        closed() {
          if (use === 'watch') watches--;
        },
        unreachable(reason) {
          if (!over) lose(reason);
        },
      });
    },
    drain() {
      if (draining) return;
      draining = true;
      events.drained();
    },
    close() {
      over = true;
      shut('closed');
    },
  };
}

function agentOf(origin: URL, tls: https.AgentOptions, { http1WatchesAtMost }: ClusterTuning): http.Agent {
  const pool = { keepAlive: true, keepAliveMsecs: 30_000, maxSockets: http1WatchesAtMost + 8 };
  return origin.protocol === 'https:'
    ? new https.Agent({ ...tls, ...pool, ALPNProtocols: ['http/1.1'] })
    : new http.Agent(pool);
}

function makeRequest(origin: URL, agent: http.Agent, { path, headers, review }: LinkRequest): http.ClientRequest {
  const secure = origin.protocol === 'https:';
  const fields: http.OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(headers)) fields[name] = typeof value === 'string' ? value : [...value];
  if (review !== null) fields['content-length'] = Buffer.byteLength(review);
  const options = {
    agent,
    method: review === null ? 'GET' : 'POST',
    host: bareHost(origin.hostname),
    port: origin.port || (secure ? 443 : 80),
    path,
    headers: fields,
  };
  const made = secure ? https.request(options) : http.request(options);
  refuseAnnounced(made, () => made.destroy(new Error(onlyAnnounced)));
  return made;
}

/** Ends an exchange that was never begun. */
function refuse(why: string, exchange: Exchange): () => void {
  let listening = true;
  queueMicrotask(() => listening && exchange.end(why));
  return () => {
    listening = false;
  };
}

interface RequestOwner {
  readonly pace: Pace;
  received(): void;
  closed(): void;
  /** It failed before any answer, for the server cannot be reached. */
  unreachable(reason: string): void;
}

function send(made: http.ClientRequest, what: LinkRequest, exchange: Exchange, owner: RequestOwner): () => void {
  let listening = true;
  let headed = false;
  const finish = (lost: string | null): void => {
    if (!listening) return;
    listening = false;
    exchange.end(lost);
  };
  made.on('response', (response) => {
    headed = true;
    owner.received();
    if (listening) exchange.head(response.statusCode ?? 0, (name) => first(response.headers[name]));
    refuseCrumbs(response, () => {
      finish(inCrumbs);
      made.destroy();
    });
    response.on('data', (chunk: Buffer) => {
      owner.received();
      if (listening) owner.pace.run(response, () => exchange.data(chunk));
    });
    response.on('end', () => finish(null));
    response.on('error', (error) => finish(saying(error)));
    response.on('close', () => finish('the connection was closed'));
  });
  made.on('error', (error) => {
    finish(saying(error));
    if (!headed && 'code' in error && unreachable.has(String(error.code))) owner.unreachable(saying(error));
  });
  made.on('close', () => {
    owner.closed();
    finish('the connection was closed');
  });
  made.end(what.review ?? undefined);
  return () => {
    listening = false;
    made.destroy();
  };
}

const unreachable = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'ETIMEDOUT']);

/** Node wants an IPv6 host without its brackets. */
export function bareHost(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

function first(value: string | string[] | undefined): string | null {
  return value === undefined ? null : Array.isArray(value) ? (value[0] ?? null) : value;
}
