import { createSecureServer } from 'node:http2';
import type { Http2SecureServer, ServerHttp2Session } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { gzip } from 'node:zlib';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { FleetCertificates } from '../tls/certificates.ts';
import { exchangeOf } from './exchange.ts';
import type { AnyRequest, AnyResponse, Exchange } from './exchange.ts';
import type { Gate } from './gate.ts';
import { createGates } from './gate.ts';
import { handle } from './handler.ts';
import type { ClusterApi } from './handler.ts';
import { groupResource } from './kinds.ts';
import type { GroupResource } from './kinds.ts';
import type { RequestLog } from './request-log.ts';
import type { Answer } from './status.ts';
import type { Watch, WatchManners, WatchRequest } from './watch.ts';
import { runWatch } from './watch.ts';

/** Parts that all API servers of a process share. Durations in ms. */
export interface ApiServersDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly certificates: FleetCertificates;
  readonly requests: RequestLog;
  readonly bookmarkInterval: number;
  /** True if connections run through a copying gate that can freeze them, false if straight into TLS (for very many clusters). */
  readonly freezable: boolean;
}

/** One running API server. */
export interface ApiServer {
  readonly name: string;
  readonly gate: Gate;
  readonly url: string;
  /** Sends GOAWAY on every HTTP/2 session; streams that are open may end. */
  goaway(): void;
  /** Resets the open watches, of one kind or all. */
  resetWatches(kind?: GroupResource): void;
  /** Ends the open watches cleanly. */
  endWatches(kind?: GroupResource): void;
  /** The watches that are open now never speak again and stay open. */
  muteWatches(kind?: GroupResource): void;
  /** Sends a broken line on the open watches. */
  sendMalformedLine(kind?: GroupResource): void;
  /** Sets whether new connections may speak HTTP/2; where not, ALPN offers http/1.1 only. */
  setHttp2(enabled: boolean): void;
  openWatches(kind?: GroupResource): number;
}

/** All API servers of a process. */
export interface ApiServers {
  start(name: string, api: ClusterApi): Promise<ApiServer>;
  stop(): Promise<void>;
}

const compressAbove = 128 * 1024;
const tickEvery = 500;

function sendAnswer(exchange: Exchange, answer: Answer): void {
  const headers = { 'content-type': answer.contentType, 'cache-control': 'no-cache, private', ...answer.headers };
  if (answer.body.length <= compressAbove || !exchange.header('accept-encoding').includes('gzip')) {
    exchange.send(answer.code, headers, answer.body);
    return;
  }
  gzip(answer.body, { level: 1 }, (error, compressed) => {
    if (error) exchange.send(answer.code, headers, answer.body);
    else exchange.send(answer.code, { ...headers, 'content-encoding': 'gzip', vary: 'Accept-Encoding' }, compressed);
  });
}

interface RunningServer {
  readonly name: string;
  readonly api: ClusterApi;
  readonly watches: Set<Watch>;
  readonly sessions: Set<ServerHttp2Session>;
}

/** Starts with no server; each `start` opens one on a port of its own. All of them share one TLS context. */
export function startApiServers(deps: ApiServersDeps): ApiServers {
  const { clock } = deps;
  const clusters = new Map<number, RunningServer>();
  const tls = createTls(deps, clusters);
  const gates = createGates(deps.freezable);

  function tick(): void {
    for (const running of clusters.values()) for (const watch of running.watches) watch.tick();
    timer = clock.after(tickEvery, tick);
  }
  let timer = clock.after(tickEvery, tick);

  return {
    async start(name, api) {
      const running: RunningServer = { name, api, watches: new Set(), sessions: new Set() };
      let http2 = true;
      const { gate, inner } = await gates.open((socket) => tls.accept(socket, http2));
      clusters.set(inner, running);
      return apiServer(running, gate, (enabled) => void (http2 = enabled));
    },
    async stop() {
      timer.cancel();
      await gates.close();
      for (const running of clusters.values()) for (const session of running.sessions) session.destroy();
      tls.closeConnections();
      await gates.destroy();
    },
  };
}

function apiServer(running: RunningServer, gate: Gate, setHttp2: (enabled: boolean) => void): ApiServer {
  const select = (kind?: GroupResource): Watch[] =>
    [...running.watches].filter((watch) => kind === undefined || groupResource(watch.kind.kind) === kind);
  const endWatches = (kind?: GroupResource): void => select(kind).forEach((watch) => watch.end());
  running.api.store.onKindRemoved(endWatches);
  return {
    name: running.name,
    gate,
    url: `https://127.0.0.1:${gate.port}`,
    goaway() {
      // One that was cut is here until it has closed, and can be told nothing.
      for (const session of running.sessions) if (!session.destroyed) session.goaway(0);
    },
    resetWatches: (kind) => select(kind).forEach((watch) => watch.reset()),
    endWatches,
    muteWatches: (kind) => select(kind).forEach((watch) => watch.mute()),
    sendMalformedLine: (kind) => select(kind).forEach((watch) => watch.sendRaw('{"type":"MODIFIED","object":{"kind\n')),
    setHttp2,
    openWatches: (kind) => select(kind).length,
  };
}

/** The TLS endpoint of all servers; a request is known to be of a cluster by the port that it came by. */
function createTls(
  deps: ApiServersDeps,
  clusters: ReadonlyMap<number, RunningServer>,
): { accept(socket: Socket, http2: boolean): void; closeConnections(): void } {
  const { clock, log, certificates } = deps;
  const tls = { key: certificates.key, cert: certificates.certificate };

  function onRequest(request: AnyRequest, response: AnyResponse): void {
    const port = 'stream' in request ? request.stream.session?.socket.localPort : request.socket.localPort;
    const running = clusters.get(port ?? 0);
    if (!running) {
      response.destroy();
      return;
    }
    // By the clock that its objects are dated by.
    response.setHeader('date', new Date(clock.now()).toUTCString());
    serve(deps, running, exchangeOf(request, response)).catch((error: unknown) => {
      log.error({ cluster: running.name, error: String(error) }, 'the simulated API server failed to answer');
      response.destroy();
    });
  }

  const settings = { maxConcurrentStreams: 100 };
  const h2: Http2SecureServer = createSecureServer({ ...tls, allowHTTP1: true, settings }, onRequest);
  const h1 = createHttpsServer({ ...tls, ALPNProtocols: ['http/1.1'] }, onRequest);
  for (const server of [h2, h1]) {
    server.on('tlsClientError', (error: Error) => log.debug({ error: error.message }, 'tls client error'));
    server.on('sessionError', (error: Error) => log.debug({ error: error.message }, 'http2 session error'));
  }
  h1.keepAliveTimeout = 0;
  h2.on('session', (session) => {
    const running = clusters.get(session.socket.localPort ?? 0);
    if (!running) return;
    running.sessions.add(session);
    session.on('close', () => running.sessions.delete(session));
    session.on('error', (error) => log.debug({ cluster: running.name, error: error.message }, 'http2 session error'));
  });
  return {
    accept: (socket, http2) => void (http2 ? h2 : h1).emit('connection', socket),
    closeConnections: () => h1.closeAllConnections(),
  };
}

async function serve(deps: ApiServersDeps, running: RunningServer, exchange: Exchange): Promise<void> {
  const { clock, requests } = deps;
  const at = clock.now();
  const outcome = await handle(running.api, exchange);
  const status = 'answer' in outcome ? outcome.answer.code : 200;
  const path = `${exchange.url.pathname}${exchange.url.search}`;
  requests.add({ cluster: running.name, method: exchange.method, path, status, at });
  const respond = (): void => {
    if (exchange.gone()) return;
    if ('answer' in outcome) {
      sendAnswer(exchange, outcome.answer);
      if (status === 401) exchange.sayGoodbye();
    } else {
      openWatch(deps, running, exchange, outcome.watch);
    }
  };
  if (running.api.faults.delay > 0) clock.after(running.api.faults.delay, respond);
  else respond();
}

function openWatch(deps: ApiServersDeps, running: RunningServer, exchange: Exchange, request: WatchRequest): void {
  let watch: Watch | null = null;
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-cache, private' };
  const body = exchange.open(200, headers, { drained: () => watch?.drained(), closed: () => watch?.closed() });
  const manners: WatchManners = {
    bookmarkInterval: deps.bookmarkInterval,
    now: () => deps.clock.now(),
    resourceVersion: () => running.api.store.resourceVersion,
    bookmarksDropped: () => running.api.faults.dropBookmarks,
  };
  const opened = runWatch(request, body, manners, () => void (watch && running.watches.delete(watch)));
  watch = opened;
  if (exchange.gone()) opened.closed();
  else running.watches.add(opened);
}
