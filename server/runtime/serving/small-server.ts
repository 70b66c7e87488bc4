import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Log } from '../log.ts';
import { connectionRoom } from './connection-room.ts';

/** One answer: a text of a media type. */
export interface SmallAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** The running server, or why there is none: the port is taken, or may not be bound. */
export type SmallStart =
  | { readonly type: 'started'; readonly port: number; stop(): Promise<void> }
  | { readonly type: 'refused'; readonly message: string };

interface SmallDeps {
  /** An address to bind; null for every one of this host. */
  readonly host: string | null;
  /** 0 takes any free port. */
  readonly port: number;
  readonly log: Log;
  readonly answer: (request: IncomingMessage) => Promise<SmallAnswer>;
}

/** Most connections at once: who serves programs of the house alone needs few. A probe that is kept out ends its process. */
const mostConnections = 100;

/** A text without more to say of it. */
export function plainAnswer(status: number, body: string): SmallAnswer {
  return { status, type: 'text/plain; charset=utf-8', body };
}

/** Serves short texts to programs: health and metrics. A request that cannot be answered gets 500, and the log says why. */
export async function startSmallServer({ host, port, log, answer }: SmallDeps): Promise<SmallStart> {
  const server = createServer((request, response) => {
    answer(request).then(
      (answered) => send(response, answered),
      (error: unknown) => {
        log.error({ err: error, path: request.url }, 'a program could not be answered');
        send(response, plainAnswer(500, 'this could not be answered\n'));
      },
    );
  });
  connectionRoom(server, mostConnections);
  server.headersTimeout = 10_000;
  const refusal = await new Promise<Error | null>((resolve) => {
    server.once('error', resolve);
    server.listen(host === null ? { port } : { port, host }, () => resolve(null));
  });
  if (refusal !== null) return { type: 'refused', message: refusal.message };
  const address = server.address();
  return {
    type: 'started',
    port: address !== null && typeof address === 'object' ? address.port : port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(response: ServerResponse, { status, type, body }: SmallAnswer): void {
  const headers = {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  response.writeHead(status, headers);
  response.end(body);
}
