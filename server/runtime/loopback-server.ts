import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Log } from './log.ts';
import { isLoopback } from './loopback.ts';

/** One answer: a text of a media type. */
export interface LoopbackAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

interface LoopbackDeps {
  /** 0 takes any free port. */
  readonly port: number;
  readonly log: Log;
  /** By path. */
  readonly answers: ReadonlyMap<string, () => LoopbackAnswer | Promise<LoopbackAnswer>>;
}

/** The running server, or why there is none: the port is taken, or may not be bound. */
export type LoopbackStart =
  | { readonly type: 'started'; readonly port: number; stop(): Promise<void> }
  | { readonly type: 'refused'; readonly message: string };

/** A text without more to say of it. */
export function plainAnswer(status: number, body: string): LoopbackAnswer {
  return { status, type: 'text/plain; charset=utf-8', body };
}

/**
 * Serves this machine alone: it is bound to 127.0.0.1, on a port that nothing for people shares, so that no proxy of theirs leads to it; it
 * answers under names of this machine (else 421), so that no name that somebody points to it does either; and nothing but GET and HEAD (405).
 */
export async function startLoopbackServer({ port, log, answers }: LoopbackDeps): Promise<LoopbackStart> {
  async function answer(request: IncomingMessage): Promise<LoopbackAnswer> {
    if (!isOwnHost(request)) return plainAnswer(421, 'not served under this host\n');
    if (request.method !== 'GET' && request.method !== 'HEAD') return plainAnswer(405, 'only GET\n');
    // A page of another site, in a browser on this machine, is not to have us work.
    const site = request.headers['sec-fetch-site'];
    if (site !== undefined && site !== 'none' && site !== 'same-origin')
      return plainAnswer(403, 'not for other sites\n');
    const found = answers.get(request.url ?? '');
    return found === undefined ? plainAnswer(404, 'not found\n') : found();
  }

  const server = createServer((request, response) => {
    answer(request).then(
      (answered) => send(response, answered),
      (error: unknown) => {
        log.error({ err: error, path: request.url }, 'this machine could not be answered');
        send(response, plainAnswer(500, 'this could not be answered\n'));
      },
    );
  });
  const refusal = await new Promise<Error | null>((resolve) => {
    server.once('error', resolve);
    server.listen(port, '127.0.0.1', () => resolve(null));
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

function send(response: ServerResponse, { status, type, body }: LoopbackAnswer): void {
  const headers = {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  response.writeHead(status, headers);
  response.end(body);
}

/** True where a request names this machine by one of its own names, once. */
function isOwnHost({ headersDistinct }: IncomingMessage): boolean {
  const [host = '', ...others] = headersDistinct.host ?? [];
  const [, bracketed, plain] =
    /^(?:\[([\da-f:]{2,39})\]|([a-z\d.-]{1,253}))(?::\d{1,5})?$/.exec(host.toLowerCase()) ?? [];
  return others.length === 0 && isLoopback(bracketed ?? plain ?? '');
}
