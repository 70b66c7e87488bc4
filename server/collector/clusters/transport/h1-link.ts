import http from 'node:http';
import https from 'node:https';
import type { Clock } from '#server/runtime/clock.ts';
import type { Exchange, Link, LinkEvents, LinkRequest } from './link.ts';
import { saying } from '../redact.ts';
import type { ClusterTuning } from '../tuning.ts';

export interface H1LinkDeps {
  readonly origin: URL;
  /** Options of tls.connect; unused for plain http. */
  readonly tls: https.AgentOptions;
  readonly clock: Clock;
  readonly tuning: ClusterTuning;
  readonly events: LinkEvents;
}

/**
 * HTTP/1.1 with a pool of kept-alive sockets, for servers and proxies without HTTP/2: one socket per watch, so watches are
 * capped. A request that cannot even connect, or a quiet time that a small request cannot break, is the loss of the link.
 */
export function openH1Link({ origin, tls, clock, tuning, events }: H1LinkDeps): Link {
  const secure = origin.protocol === 'https:';
  const pool = { keepAlive: true, keepAliveMsecs: 30_000, maxSockets: tuning.http1WatchesAtMost + 8 };
  const agent = secure ? new https.Agent({ ...tls, ...pool, ALPNProtocols: ['http/1.1'] }) : new http.Agent(pool);
  const running = new Set<http.ClientRequest>();
  let watches = 0;
  let lastReceived = clock.now();
  let draining = false;
  let over = false;
  let watcher = clock.after(tuning.pingAfter, look);

  function heard(): void {
    lastReceived = clock.now();
    events.heard();
  }

  function look(): void {
    const quiet = clock.now() - lastReceived;
    if (quiet < tuning.pingAfter || running.size === 0) {
      watcher = clock.after(Math.max(1, tuning.pingAfter - Math.min(quiet, tuning.pingAfter - 1)), look);
      return;
    }
    const ping = request({ path: `${origin.pathname.replace(/\/$/, '')}/version`, headers: {}, review: null });
    watcher = clock.after(tuning.pingTimeout, () => lose(`no answer within ${tuning.pingTimeout / 1_000} s`));
    ping.on('response', (response) => {
      response.resume();
      watcher.cancel();
      heard();
      watcher = clock.after(tuning.pingAfter, look);
    });
    ping.on('error', (error) => lose(saying(error)));
    ping.end();
  }

  function lose(reason: string): void {
    if (over) return;
    over = true;
    shut(reason);
    events.lost(reason);
  }

  function shut(reason: string): void {
    watcher.cancel();
    for (const each of running) each.destroy(new Error(reason));
    agent.destroy();
  }

  function request({ path, headers, review }: LinkRequest): http.ClientRequest {
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
    running.add(made);
    made.on('close', () => running.delete(made));
    return made;
  }

  function send(what: LinkRequest, use: 'watch' | 'get', exchange: Exchange): () => void {
    let listening = true;
    let headed = false;
    const made = request(what);
    if (use === 'watch') watches++;
    const finish = (lost: string | null): void => {
      if (!listening) return;
      listening = false;
      exchange.end(lost);
    };
    made.on('response', (response) => {
      headed = true;
      heard();
      if (listening) exchange.head(response.statusCode ?? 0, (name) => first(response.headers[name]));
      response.on('data', (chunk: Buffer) => {
        heard();
        if (listening) exchange.data(chunk);
      });
      response.on('end', () => finish(null));
      response.on('error', (error) => finish(saying(error)));
      response.on('close', () => finish('the connection was closed'));
    });
    made.on('error', (error) => {
      finish(saying(error));
      if (!headed && !over && 'code' in error && unreachable.has(String(error.code))) lose(saying(error));
    });
    made.on('close', () => {
      if (use === 'watch') watches--;
      finish('the connection was closed');
    });
    made.end(what.review ?? undefined);
    return () => {
      listening = false;
      made.destroy();
    };
  }

  return {
    protocol: 'http/1.1',
    room: (use) => !over && !draining && (use === 'get' || watches < tuning.http1WatchesAtMost),
    open: send,
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

const unreachable = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'ETIMEDOUT']);

/** Node wants an IPv6 host without its brackets. */
export function bareHost(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

function first(value: string | string[] | undefined): string | null {
  return value === undefined ? null : Array.isArray(value) ? (value[0] ?? null) : value;
}
