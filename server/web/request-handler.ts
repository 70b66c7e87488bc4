import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { linkApi } from '#lib/api/embed.ts';
import { streamApi } from '#lib/api/stream.ts';
import type { Clock } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import type { Embeds } from './embeds/embeds.ts';
import { withoutSignature } from './embeds/signed-link.ts';
import { answerApi } from './endpoints/answer-api.ts';
import { contentSecurityPolicy, setSecurityHeaders } from './http/security-headers.ts';
import { sendBody, sendProblem } from './http/send.ts';
import type { WebMetrics } from './metrics.ts';
import type { Past, Present } from './present.ts';

/** Who answers every path that is not the API's: Next in the product, nobody in tests of the API. */
export interface PageMount {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): Promise<void>;
}

/** Parts that answer a request. */
export interface RequestHandlerDeps {
  readonly present: Present;
  readonly past: (at: number) => Promise<Past>;
  readonly metrics: WebMetrics;
  readonly embeds: Pick<Embeds, 'show'>;
  /** null where only the API is served. */
  readonly pages: () => PageMount | null;
  /** Why this process should get no traffic; null where it should. */
  readonly notReady: () => string | null;
  readonly clock: Clock;
  readonly log: Log;
}

type Route = 'health' | 'ready' | 'metrics' | 'stream' | 'api' | 'link' | 'embed' | 'page';

const ownRoutes: ReadonlyMap<string, Route> = new Map([
  ['/healthz', 'health'],
  ['/readyz', 'ready'],
  ['/metrics', 'metrics'],
  [streamApi.path, 'stream'],
  [linkApi.path, 'link'],
]);

/** Who answers a path, as the metrics call it. */
function routeOf(pathname: string): Route {
  const own = ownRoutes.get(pathname);
  if (own !== undefined) return own;
  if (isUnder(pathname, '/embed') || isUnder(pathname, '/badge')) return 'embed';
  return isUnder(pathname, '/api') ? 'api' : 'page';
}

function isUnder(pathname: string, folder: string): boolean {
  return pathname === folder || pathname.startsWith(`${folder}/`);
}

/** One request. `nonce` lets the scripts of one page run. */
interface Exchange {
  readonly url: URL;
  readonly nonce: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Makes the one function that answers every request: only GET and HEAD, every answer with the security headers. */
export function requestHandler(deps: RequestHandlerDeps): (request: IncomingMessage, response: ServerResponse) => void {
  const { metrics, clock, log } = deps;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const nonce = randomBytes(16).toString('base64');
    setSecurityHeaders(response, nonce);
    delete request.headers['content-security-policy-report-only'];
    const method = request.method ?? '';
    if (method !== 'GET' && method !== 'HEAD')
      return sendProblem(request, response, { type: 'method-not-allowed', method });
    const url = new URL(`http://plumbline${request.url?.startsWith('/') ? request.url : '/'}`);
    const route = routeOf(url.pathname);
    const began = clock.now();
    response.once('close', () => metrics.observe(route, response.statusCode, (clock.now() - began) / 1000));
    return answer(route, deps, { url, nonce, request, response });
  }

  function failed(error: unknown, request: IncomingMessage, response: ServerResponse): void {
    const id = randomUUID();
    log.error({ err: error, id, url: withoutSignature(request.url ?? '') }, 'a request failed');
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    sendProblem(request, response, { type: 'internal', id }).catch(() => response.destroy());
  }

  return (request, response) => {
    handle(request, response).catch((error: unknown) => failed(error, request, response));
  };
}

async function answer(route: Route, deps: RequestHandlerDeps, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  switch (route) {
    case 'health':
      return sendText(exchange, 'ok\n');
    case 'ready':
      return answerReady(deps.notReady(), exchange);
    case 'metrics':
      return answerMetrics(deps.metrics, exchange);
    case 'stream':
    case 'link':
    case 'api':
      return answerApi({ present: deps.present, past: deps.past, ...exchange });
    case 'embed':
      return deps.embeds.show(request, response);
    case 'page':
      return answerPage(deps.pages(), exchange);
  }
}

function answerReady(message: string | null, exchange: Exchange): Promise<void> {
  if (message === null) return sendText(exchange, 'ok\n');
  return sendProblem(exchange.request, exchange.response, { type: 'not-ready', message });
}

async function answerMetrics(metrics: WebMetrics, { request, response }: Exchange): Promise<void> {
  const message = 'Metrics are read on this machine only.';
  if (!isLocal(request)) return sendProblem(request, response, { type: 'forbidden', message });
  const { type, body } = await metrics.render();
  return sendBody(request, response, { status: 200, type, body, cache: 'no-store' });
}

async function answerPage(mount: PageMount | null, { url, nonce, request, response }: Exchange): Promise<void> {
  const what = 'This process serves the API only.';
  if (!mount) return sendProblem(request, response, { type: 'not-found', what, nearest: [] });
  // Next takes the nonce for its own scripts from the policy in the request's headers.
  request.headers['content-security-policy'] = contentSecurityPolicy(nonce);
  request.headers['x-nonce'] = nonce;
  // Next fails on an address that cannot be decoded: it is handed one that it can say is not there.
  if (!canBeDecoded(url.pathname)) request.url = '/-';
  return mount.handle(request, response);
}

function canBeDecoded(pathname: string): boolean {
  try {
    decodeURIComponent(pathname);
    return true;
  } catch {
    return false;
  }
}

function sendText({ request, response }: Exchange, body: string): Promise<void> {
  return sendBody(request, response, { status: 200, type: 'text/plain; charset=utf-8', body, cache: 'no-store' });
}

/** From this machine itself, and not passed on by a proxy on it. */
function isLocal(request: IncomingMessage): boolean {
  const address = (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const passedOn = 'x-forwarded-for' in request.headers || 'forwarded' in request.headers || 'via' in request.headers;
  return !passedOn && (address === '::1' || address.startsWith('127.'));
}
