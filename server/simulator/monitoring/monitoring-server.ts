import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Log } from '../../runtime/log.ts';
import { answerOfAlertmanager } from './alertmanager-api.ts';
import { plain } from './answer.ts';
import type { Answer, Asked } from './answer.ts';
import type { AlertmanagerBoard, PrometheusBoard } from './board.ts';
import { answerOfPrometheus } from './prometheus-api.ts';

/** A program that is served beneath a path of its own. */
export type Program =
  | { readonly program: 'prometheus'; readonly board: PrometheusBoard }
  | { readonly program: 'alertmanager'; readonly board: AlertmanagerBoard };

/** up: it answers; unavailable: 503, as while it starts; cut: the connection ends without an answer. */
export type Reach = 'up' | 'unavailable' | 'cut';

/** Parts of the server. `now` gives ms since the epoch; programs by their path, as /prometheus. */
export interface MonitoringServerDeps {
  readonly log: Log;
  readonly programs: ReadonlyMap<string, Program>;
  now(): number;
}

/** The running server. */
export interface MonitoringServer {
  /** Address of the program at a path: http://127.0.0.1:PORT/prometheus */
  url(path: string): string;
  setReach(path: string, reach: Reach): void;
  /** Requests so far, as `GET /prometheus/api/v1/rules`; the last few hundred. */
  requests(): readonly string[];
  stop(): Promise<void>;
}

/** Text that is sent at a time, in characters. */
const piece = 64 * 1024;
/** Answers below it are not compressed, as with the real ones. */
const compressAbove = 1024;
const remembered = 500;

/** Joins small texts to larger ones. */
function* joined(texts: Iterable<string>): Generator<string> {
  let buffer = '';
  for (const text of texts) {
    buffer += text;
    if (buffer.length < piece) continue;
    yield buffer;
    buffer = '';
  }
  if (buffer !== '') yield buffer;
}

async function send(request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
  const { status, type, body } = answer;
  const isLong = typeof body !== 'string' || body.length > compressAbove;
  const isZipped = isLong && (request.headers['accept-encoding'] ?? '').includes('gzip');
  response.writeHead(status, {
    'content-type': type,
    ...(isZipped ? { 'content-encoding': 'gzip', vary: 'Accept-Encoding' } : {}),
  });
  const source = Readable.from(typeof body === 'string' ? [body] : joined(body));
  if (isZipped) await pipeline(source, createGzip({ level: 1 }), response);
  else await pipeline(source, response);
}

function answerOf(program: Program, asked: Asked, now: number): Answer {
  switch (program.program) {
    case 'prometheus':
      return answerOfPrometheus(program.board, asked, now);
    case 'alertmanager':
      return answerOfAlertmanager(program.board, asked, now);
  }
}

/** Starts the server of all programs on a free port of 127.0.0.1. */
export async function startMonitoringServer({ log, programs, now }: MonitoringServerDeps): Promise<MonitoringServer> {
  const reaches = new Map<string, Reach>();
  const requests: string[] = [];

  function answer(request: IncomingMessage): Answer | 'cut' {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    requests.push(`${request.method} ${url.pathname}`);
    if (requests.length > remembered) requests.shift();
    if (request.method !== 'GET') return plain(405, 'Method Not Allowed\n');
    for (const [path, program] of programs) {
      if (!url.pathname.startsWith(`${path}/`)) continue;
      const reach = reaches.get(path) ?? 'up';
      if (reach === 'cut') return 'cut';
      if (reach === 'unavailable') return plain(503, 'Service Unavailable');
      return answerOf(program, { path: url.pathname.slice(path.length), params: url.searchParams }, now());
    }
    return plain(404, '404 page not found\n');
  }

  const server = createServer((request, response) => {
    const answered = answer(request);
    if (answered === 'cut') {
      response.destroy();
      return;
    }
    send(request, response, answered).catch((error: unknown) => {
      log.debug({ error: String(error), url: request.url }, 'an answer of the simulated monitoring was not sent whole');
      response.destroy();
    });
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });

  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    setReach: (path, reach) => void reaches.set(path, reach),
    requests: () => requests,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
