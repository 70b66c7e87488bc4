import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { api } from '#lib/api/paths.ts';
import type { Clock } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import { answerApi } from './api/answer.ts';
import { answerStream } from './api/answer-stream.ts';
import type { Embeds } from './embeds/embeds.ts';
import { withoutSignature } from './embeds/signed-link.ts';
import { contentSecurityPolicy, setSecurityHeaders } from './http/security-headers.ts';
import { sendBody, sendProblem } from './http/send.ts';
import type { WebMetrics } from './metrics.ts';
import type { PageMount } from './page-mount.ts';
import type { StreamHub } from './stream/stream-hub.ts';
import type { WebRuntime } from './web-runtime.ts';

/** What answers a request. */
export interface RequestHandlerDeps {
  readonly runtime: WebRuntime;
  readonly hub: StreamHub;
  readonly metrics: WebMetrics;
  readonly embeds: Embeds;
  /** null where only the API is served. */
  readonly pages: () => PageMount | null;
  /** Why this process should get no traffic; null where it should. */
  readonly notReady: () => string | null;
  readonly clock: Clock;
  readonly log: Log;
}

type Route = 'health' | 'ready' | 'metrics' | 'stream' | 'api' | 'link' | 'embed' | 'page';

function routeOf(pathname: string): Route {
  switch (pathname) {
    case '/healthz':
      return 'health';
    case '/readyz':
      return 'ready';
    case '/metrics':
      return 'metrics';
    case api.stream:
      return 'stream';
    case api.link:
      return 'link';
    default:
      if (isUnder(pathname, '/embed') || isUnder(pathname, '/badge')) return 'embed';
      return isUnder(pathname, '/api') ? 'api' : 'page';
  }
}

function isUnder(pathname: string, folder: string): boolean {
  return pathname === folder || pathname.startsWith(`${folder}/`);
}

/** Makes the one function that answers every request: only GET and HEAD, every answer with the security headers. */
export function requestHandler(deps: RequestHandlerDeps): (request: IncomingMessage, response: ServerResponse) => void {
  const { runtime, hub, metrics, embeds, pages, notReady, clock, log } = deps;

  async function answer(
    route: Route,
    url: URL,
    nonce: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    switch (route) {
      case 'health':
        return sendText(request, response, 'ok\n');
      case 'ready': {
        const reason = notReady();
        return reason === null
          ? sendText(request, response, 'ok\n')
          : sendProblem(request, response, { type: 'not-ready', message: reason });
      }
      case 'metrics': {
        if (!isLocal(request))
          return sendProblem(request, response, {
            type: 'forbidden',
            message: 'Metrics are read on this machine only.',
          });
        const { type, body } = await metrics.render();
        return sendBody(request, response, { status: 200, type, body, cache: 'no-store' });
      }
      case 'stream':
        return answerStream(hub, (view) => runtime.missing(view), url, request, response);
      case 'api':
        return answerApi(runtime, url, request, response);
      case 'link':
        return embeds.sign(url, request, response);
      case 'embed':
        return embeds.show(request, response);
      case 'page': {
        const mount = pages();
        if (!mount)
          return sendProblem(request, response, {
            type: 'not-found',
            what: 'This process serves the API only.',
            nearest: [],
          });
        // Next takes the nonce for its own scripts from the policy in the request's headers.
        request.headers['content-security-policy'] = contentSecurityPolicy(nonce);
        request.headers['x-nonce'] = nonce;
        // Next fails on an address that cannot be decoded: it is handed one that it can say is not there.
        if (!canBeDecoded(url.pathname)) request.url = '/-';
        return mount.handle(request, response);
      }
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const nonce = randomBytes(16).toString('base64');
    setSecurityHeaders(response, nonce);
    delete request.headers['content-security-policy-report-only'];
    const method = request.method ?? '';
    if (method !== 'GET' && method !== 'HEAD')
      return sendProblem(request, response, { type: 'method-not-allowed', method });
    const url = URL.parse(`http://plumbline${request.url?.startsWith('/') ? request.url : '/'}`);
    if (!url)
      return sendProblem(request, response, { type: 'not-found', what: 'This address cannot be read.', nearest: [] });
    const route = routeOf(url.pathname);
    const began = clock.now();
    response.once('close', () => metrics.observe(route, response.statusCode, (clock.now() - began) / 1000));
    return answer(route, url, nonce, request, response);
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

function canBeDecoded(pathname: string): boolean {
  try {
    decodeURIComponent(pathname);
    return true;
  } catch {
    return false;
  }
}

function sendText(request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
  return sendBody(request, response, { status: 200, type: 'text/plain; charset=utf-8', body, cache: 'no-store' });
}

/** From this machine itself, and not passed on by a proxy on it. */
function isLocal(request: IncomingMessage): boolean {
  const address = (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const passedOn = 'x-forwarded-for' in request.headers || 'forwarded' in request.headers || 'via' in request.headers;
  return !passedOn && (address === '::1' || address.startsWith('127.'));
}
