import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { minute, second } from '#lib/domain/time/length.ts';
import { connectionRoom } from '#server/runtime/serving/connection-room.ts';
import { refuseUnread } from './unread-request.ts';

/** Bounds on connections and requests. Times in ms. */
export interface ServerLimits {
  /** Where there are more, those that wait for a request give way (`connectionRoom`). */
  readonly maxConnections: number;
  /** For the head of a request, from its first byte or from the opening of the connection. */
  readonly headersTimeout: number;
  /** For a whole request. */
  readonly requestTimeout: number;
  /** Between a request that was answered and the next one. */
  readonly keepAliveTimeout: number;
  /** While nothing comes, or nothing that was sent is taken; not while an answer is being made. Streams send every 10 s. */
  readonly idleTimeout: number;
  readonly connectionsCheckingInterval: number;
}

const limitsOfUse: ServerLimits = {
  maxConnections: 5_000,
  headersTimeout: 10 * second,
  requestTimeout: 20 * second,
  keepAliveTimeout: 5 * second,
  idleTimeout: 2 * minute,
  connectionsCheckingInterval: 5 * second,
};

/**
 * Makes a server of HTTP/1.1 that strangers may talk to. A connection is answered one request after the other, and ends where another
 * comes before: neither browsers nor proxies do that, and who does could have thousands of answers made at once. Nothing is upgraded,
 * and no body is waited for: nothing here needs one.
 */
export function limitedServer(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  limits: Partial<ServerLimits> = {},
): Server {
  const { maxConnections, idleTimeout, ...times } = { ...limitsOfUse, ...limits };
  const answers = new WeakMap<Duplex, ServerResponse>();

  function admit(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const last = answers.get(socket);
    if (last !== undefined && !last.writableFinished) {
      socket.destroy();
      return;
    }
    answers.set(socket, response);
    if (hasBody(request)) endAfter(request, response);
    handle(request, response);
  }

  const server = createServer({ ...times, shouldUpgradeCallback: () => false }, admit);
  connectionRoom(server, maxConnections);
  server.setTimeout(idleTimeout);
  // Who waits for us is not idle: large files for twenty readers at once were all cut off, and none of them had his.
  server.on('timeout', (socket) => {
    if (isOwed(answers.get(socket))) socket.setTimeout(idleTimeout);
    else socket.destroy();
  });
  server.on('clientError', (error, socket) => {
    const last = answers.get(socket);
    // Two answers to one request would be taken for the answer to somebody else's.
    if (last === undefined || (last.writableFinished && last.req.complete)) refuseUnread(error, socket);
    else socket.end(() => socket.destroy());
  });
  // Who waits to be asked for a body is answered without it.
  server.on('checkContinue', admit);
  server.on('checkExpectation', admit);
  return server;
}

/** True while all that was made of an answer is sent, and more of it is being made. */
function isOwed(answer: ServerResponse | undefined): boolean {
  return answer !== undefined && !answer.writableEnded && answer.writableLength === 0;
}

/** True if a request announces a body. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** Ends the connection with the answer, unless all of the request has come by then. */
function endAfter(request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false;
  response.once('finish', () => {
    if (!request.complete) request.socket.destroySoon();
  });
}
