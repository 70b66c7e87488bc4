import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { askerOf } from '../stream/asker.ts';
import { bodyRoom } from './body-room.ts';
import type { Fault } from './problem.ts';
import { problemOf } from './problem.ts';

const toGzip = promisify(gzip);
const toBrotli = promisify(brotliCompress);
const WORTH_COMPRESSING = 1_024;
/** Smaller bodies always have room. */
const largeFrom = 64 * 1024;
/** A page of many clusters has some 3 MB. */
const largePage = 8 * 1024 * 1024;
const bodies = bodyRoom();

/** True if a page may be made for who asks: bodies that he was sent are read. */
export function hasBodyRoom(request: IncomingMessage): boolean {
  return bodies.hasFor(askerOf(request), largePage);
}

/** Counts what is left unread of an answer that others write, once all of it is written; where there is no room for it, it is not sent. */
export function countUnread(request: IncomingMessage, response: ServerResponse): void {
  response.once('prefinish', () => {
    const left = response.writableLength;
    if (left < largeFrom || response.destroyed) return;
    if (bodies.enter(askerOf(request), left, response) === null) response.destroy();
  });
}

/** Which encoding a client takes, the better first; identity where it names none or refuses both. */
export function chooseEncoding(accepted: string | undefined): 'br' | 'gzip' | 'identity' {
  const offers = new Map<string, number>();
  for (const part of accepted?.toLowerCase().split(',') ?? []) {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    offers.set(name, quality === undefined ? 1 : Number(quality.slice(2)));
  }
  function weight(name: string): number {
    return offers.get(name) ?? offers.get('*') ?? 0;
  }
  if (weight('br') > 0 && weight('br') >= weight('gzip')) return 'br';
  return weight('gzip') > 0 ? 'gzip' : 'identity';
}

async function compressed(body: Buffer, encoding: 'br' | 'gzip'): Promise<Buffer> {
  if (encoding === 'gzip') return toGzip(body, { level: 4 });
  return toBrotli(body, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
  });
}

/** Sends a whole body, compressed where that is worth it; a HEAD gets the headers alone. Where too many bodies are not read yet, a 503. */
export async function sendBody(
  request: IncomingMessage,
  response: ServerResponse,
  answer: {
    readonly status: number;
    readonly type: string;
    readonly body: string | Buffer;
    readonly cache: 'no-store' | 'revalidate';
  },
): Promise<void> {
  const raw = Buffer.from(answer.body);
  response.setHeader('Content-Type', answer.type);
  response.setHeader('Vary', 'Accept-Encoding');
  if (answer.cache === 'no-store') response.setHeader('Cache-Control', 'no-store');
  else {
    const etag = `W/"${createHash('sha256').update(raw).digest('base64url').slice(0, 27)}"`;
    response.setHeader('Cache-Control', 'no-cache');
    response.setHeader('ETag', etag);
    if (request.headers['if-none-match']?.split(/,\s*/).includes(etag)) {
      response.writeHead(304).end();
      return;
    }
  }
  // Who has left while it was made takes no room.
  if (response.destroyed) return;
  const shrink = raw.length < largeFrom ? null : bodies.enter(askerOf(request), raw.length, response);
  if (shrink === null && raw.length >= largeFrom) {
    response.removeHeader('ETag');
    response.setHeader('Retry-After', '1');
    return sendProblem(request, response, { type: 'too-many-answers' });
  }
  const encoding = raw.length < WORTH_COMPRESSING ? 'identity' : chooseEncoding(request.headers['accept-encoding']);
  const body = encoding === 'identity' ? raw : await compressed(raw, encoding);
  shrink?.(body.length);
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
  response.setHeader('Content-Length', body.length);
  response.writeHead(answer.status);
  // Node leaves the body of an answer to HEAD away.
  response.end(body);
}

/** Sends a live answer as JSON; nothing in between may keep it. */
export function sendJson(request: IncomingMessage, response: ServerResponse, value: unknown): Promise<void> {
  return sendBody(request, response, {
    status: 200,
    type: 'application/json; charset=utf-8',
    body: JSON.stringify(value),
    cache: 'no-store',
  });
}

/** Sends a fault as an RFC 9457 problem. */
export function sendProblem(request: IncomingMessage, response: ServerResponse, fault: Fault): Promise<void> {
  const problem = problemOf(fault);
  if (problem.status === 405) response.setHeader('Allow', 'GET, HEAD');
  if (problem.status === 401) response.setHeader('WWW-Authenticate', challengeOf(fault));
  return sendBody(request, response, {
    status: problem.status,
    type: 'application/problem+json; charset=utf-8',
    body: JSON.stringify(problem),
    cache: 'no-store',
  });
}

/** The way for a client to say who it is (RFC 6750, 3). */
function challengeOf({ type }: Fault): string {
  return `Bearer realm="plumbline"${type === 'token-refused' ? ', error="invalid_token"' : ''}`;
}
