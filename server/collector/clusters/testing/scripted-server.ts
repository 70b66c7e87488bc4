import type http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import net from 'node:net';
import { gzipSync } from 'node:zlib';
import type { ClusterAccess } from '../access.ts';
import { selfSigned } from './self-signed.ts';

/** One request, and the ways to answer it. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly protocol: string;
  header(name: string): string | null;
  json(status: number, body: unknown, headers?: { readonly [name: string]: string }): void;
  /** Answers 200 and keeps the stream open. */
  stream(): Stream;
}

/** An open watch on the server's side. */
export interface Stream {
  send(event: unknown): void;
  raw(text: string): void;
  end(): void;
  break(): void;
  closed(): boolean;
}

export interface ScriptedServer {
  readonly access: ClusterAccess;
  readonly url: string;
  readonly ca: string;
  readonly asked: readonly Asked[];
  /** Tells every session to go away; streams that run go on. */
  goAway(): void;
  /** No byte passes in either direction from now on, and no connection is closed. */
  blackhole(): void;
  /** Lets bytes of new connections pass again. */
  heal(): void;
  /** Cuts every connection. */
  cut(): void;
  connections(): number;
  stop(): Promise<void>;
}

/** The part of a response that both protocols type alike. */
interface Response {
  head(status: number, headers: { readonly [name: string]: string }): void;
  write(text: string): void;
  end(text?: string | Buffer): void;
  destroy(): void;
  onClose(listener: () => void): void;
}
type Request = http.IncomingMessage | http2.Http2ServerRequest;

const { cert, key } = selfSigned();

/** Starts a server on loopback that answers by `answer`; /version and whatever `answer` leaves (false) get a default. */
export async function startScriptedServer(
  answer: (asked: Asked) => boolean | void,
  options: { readonly http1?: boolean; readonly maxStreams?: number; readonly ready?: () => boolean } = {},
): Promise<ScriptedServer> {
  const asked: Asked[] = [];
  const sessions = new Set<http2.ServerHttp2Session>();

  function handle(request: Request, response: Response): void {
    const one = askedOf(request, response);
    if (one.path === '/readyz') return one.json(options.ready?.() === false ? 500 : 200, {});
    asked.push(one);
    if (answer(one) !== false) return;
    if (one.path === '/version') one.json(200, { gitVersion: 'v1.34.0', major: '1', minor: '34' });
    else one.json(404, { kind: 'Status', code: 404, message: 'not found' });
  }

  const settings = { maxConcurrentStreams: options.maxStreams ?? 100 };
  const server = options.http1
    ? https.createServer({ cert, key, ALPNProtocols: ['http/1.1'] }, (request, response) =>
        handle(request, http1Response(response)),
      )
    : http2.createSecureServer({ cert, key, settings }, (request, response) =>
        handle(request, http2Response(response)),
      );
  server.on('session', (session: http2.ServerHttp2Session) => {
    sessions.add(session);
    session.on('error', () => undefined);
    session.on('close', () => sessions.delete(session));
  });
  const inside = new Set<net.Socket>();
  server.on('connection', (socket: net.Socket) => {
    inside.add(socket);
    socket.on('close', () => inside.delete(socket));
  });
  server.on('tlsClientError', () => undefined);
  const gate = await openGate(await listen(server));
  const url = `https://127.0.0.1:${gate.port}`;
  return {
    url,
    ca: cert,
    asked,
    access: fixedAccess(url),
    goAway() {
      for (const session of sessions) session.goaway(0);
    },
    blackhole: gate.blackhole,
    heal: gate.heal,
    cut: gate.cut,
    connections: gate.connections,
    async stop() {
      gate.cut();
      for (const session of sessions) session.destroy();
      for (const socket of inside) socket.destroy();
      await Promise.all([gate.closed(), closed(server)]);
    },
  };
}

type Gate = Pick<ScriptedServer, 'blackhole' | 'heal' | 'cut' | 'connections'> & {
  readonly port: number;
  closed(): Promise<void>;
};

/** A port that passes bytes on to another, or not. */
async function openGate(inner: number): Promise<Gate> {
  const sockets = new Set<net.Socket>();
  let open = true;
  const gate = net.createServer((client) => {
    const target = net.connect(inner, '127.0.0.1');
    for (const socket of [client, target]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        target.destroy();
      });
    }
    if (!open) return;
    client.pipe(target);
    target.pipe(client);
  });
  return {
    port: await listen(gate),
    blackhole() {
      open = false;
      for (const socket of sockets) socket.unpipe().pause();
    },
    heal() {
      open = true;
    },
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    connections: () => sockets.size / 2,
    closed: () => closed(gate),
  };
}

/** An access to a URL with the test's certificate; `headers` may be changed between calls. */
export function fixedAccess(server: string, headers: { readonly [name: string]: string } = {}): ClusterAccess {
  return {
    server,
    tls: () =>
      Promise.resolve({ type: 'ok', tls: { ca: cert, cert: null, key: null, serverName: null, insecure: false } }),
    headers: () => Promise.resolve({ type: 'ok', headers }),
    refresh: () => undefined,
  };
}

function askedOf(request: Request, response: Response): Asked {
  const url = new URL(request.url ?? '/', 'https://x');
  const read = (name: string): string | null => {
    const value = request.headers[name];
    return value === undefined ? null : String(value);
  };
  return {
    method: request.method ?? '',
    path: url.pathname,
    query: url.searchParams,
    protocol: request.httpVersion,
    header: read,
    json(status, body, headers = {}) {
      const text = JSON.stringify(body);
      // As the API server: only what is worth it.
      const zip = text.length > 10_000 && (read('accept-encoding') ?? '').includes('gzip');
      response.head(status, {
        'content-type': 'application/json',
        ...(zip ? { 'content-encoding': 'gzip' } : {}),
        ...headers,
      });
      response.end(zip ? gzipSync(text) : text);
    },
    stream() {
      let over = false;
      response.onClose(() => {
        over = true;
      });
      response.head(200, { 'content-type': 'application/json' });
      response.write('\n');
      return {
        send: (event) => response.write(`${JSON.stringify(event)}\n`),
        raw: (text) => response.write(text),
        end: () => response.end(),
        break: () => response.destroy(),
        closed: () => over,
      };
    },
  };
}

function http1Response(response: http.ServerResponse): Response {
  return {
    head: (status, headers) => void response.writeHead(status, headers),
    write: (text) => void response.write(text),
    end: (text = '') => void response.end(text),
    destroy: () => void response.destroy(),
    onClose: (listener) => void response.on('close', listener),
  };
}

function http2Response(response: http2.Http2ServerResponse): Response {
  return {
    head: (status, headers) => void response.writeHead(status, headers),
    write: (text) => void response.write(text),
    end: (text = '') => void response.end(text),
    destroy: () => response.stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR),
    onClose: (listener) => void response.on('close', listener),
  };
}

function listen(server: net.Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}

function closed(server: net.Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
