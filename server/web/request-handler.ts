import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { linkApi } from '#lib/api/embed.ts';
import { streamApi } from '#lib/api/stream.ts';
import { isNormalTarget } from '#lib/domain/address/normal-path.ts';
import { countOf } from '#lib/format/number.ts';
import type { Clock } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import type { Access } from './access/access.ts';
import type { Asked } from './access/ask-who.ts';
import type { Embeds } from './embeds/embeds.ts';
import { withoutQuery } from './embeds/signed-link.ts';
import { answerApi } from './endpoints/answer-api.ts';
import { answerRoom } from './http/answer-room.ts';
import { answerTo } from './turns/asked-by.ts';
import { fairTurns } from './http/fair-turns.ts';
import type { Fault } from './http/problem.ts';
import { hasBody } from './http/limited-server.ts';
import { hostStanding, type HostStanding } from './http/served-host.ts';
import { isRouterState } from './http/router-state.ts';
import { contentSecurityPolicy, setSecurityHeaders } from './http/security-headers.ts';
import { pageTurns, takeWhole } from './http/page-turns.ts';
import { countUnread, hasBodyRoom, sendBody, sendProblem } from './http/send.ts';
import { askerOf, noteAsker } from './stream/asker.ts';
import type { WebMetrics } from './metrics/web-metrics.ts';
import { withVisit } from './runtime-global.ts';
import type { WebRuntime } from './web-runtime.ts';
import type { World, Worlds } from './worlds/worlds.ts';

/** Who answers every path that is not the API's: Next in the product, nobody in tests of the API. */
export interface PageMount {
  /** `runtime`: what the page may ask, of the world of who asks for it. */
  handle(request: IncomingMessage, response: ServerResponse, runtime: WebRuntime): Promise<void>;
  close(): Promise<void>;
}

/** Parts that answer a request. */
export interface RequestHandlerDeps {
  readonly worlds: Pick<Worlds, 'of'>;
  readonly access: Access;
  readonly metrics: WebMetrics;
  readonly embeds: Pick<Embeds, 'show'>;
  /** Origin by which people reach the pages; null where only this machine does. */
  readonly publicUrl: string | null;
  /** Origin of links in what is kept elsewhere: `publicUrl`, else where this process serves. */
  readonly origin: () => string;
  /** null where only the API is served. */
  readonly pages: () => PageMount | null;
  /** Why this process should get no traffic; null where it should. */
  readonly notReady: () => string | null;
  /** Number of clusters that are not seen. */
  readonly notSeen: () => number;
  readonly clock: Clock;
  readonly log: Log;
}

type Route = 'health' | 'ready' | 'stream' | 'api' | 'link' | 'embed' | 'access' | 'page';

interface Demands {
  /**
   * Where it takes a place while it is under way: not a probe, which is to tell how it stands, nor a stream, which lasts. A login waits for its
   * provider: it has a room of its own, so that one that does not answer keeps nobody out who is in.
   */
  readonly room: 'answers' | 'logins' | null;
  /** It begins when it is the turn of who asks: the first view of a stream is as dear as an answer. */
  readonly takesTurn: boolean;
}

const probe: Demands = { room: null, takesTurn: false };
const whole: Demands = { room: 'answers', takesTurn: true };

const demands: Readonly<Record<Route, Demands>> = {
  health: probe,
  ready: probe,
  stream: { room: null, takesTurn: true },
  api: whole,
  link: whole,
  embed: whole,
  access: { room: 'logins', takesTurn: true },
  page: whole,
};

/** Routes that ask nobody who they are: probes, what is opened by its own signature, and the way to a login. */
const asksNobody: ReadonlySet<Route> = new Set(['health', 'ready', 'embed', 'access']);

const ownRoutes: ReadonlyMap<string, Route> = new Map([
  ['/healthz', 'health'],
  ['/readyz', 'ready'],
  [streamApi.path, 'stream'],
  [linkApi.path, 'link'],
]);

/** Who answers a path, as the metrics call it. */
function routeOf(pathname: string, access: Access): Route {
  const own = ownRoutes.get(pathname);
  if (own !== undefined) return own;
  if (access.routeOf(pathname) !== null) return 'access';
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

/**
 * Makes the one function that answers every request, every answer with the security headers: only a path in its normal form (else 400),
 * under a host that is served here (421), by GET and HEAD (405), and not on behalf of another site's page (403).
 */
export function requestHandler(deps: RequestHandlerDeps): (request: IncomingMessage, response: ServerResponse) => void {
  const { access, metrics, clock, log } = deps;
  const standingOf = hostStanding(deps.publicUrl);
  const rooms = { answers: answerRoom(), logins: answerRoom() };
  const turns = fairTurns();
  const pagesInTurn = pageTurns();

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const nonce = randomBytes(16).toString('base64');
    setSecurityHeaders(response, nonce);
    delete request.headers['content-security-policy-report-only'];
    // As it came: whatever reads it differently, a proxy or a library, has read something else than we did.
    const target = request.url ?? '';
    if (!isNormalTarget(target)) return sendProblem(request, response, { type: 'bad-address' });
    const url = new URL(`http://plumbline${target}`);
    const route = routeOf(url.pathname, access);
    const began = clock.now();
    response.once('close', () => metrics.observe(route, response.statusCode, (clock.now() - began) / 1000));
    const named = hostOf(request);
    const host = standingOf(named);
    if (!isServed(route, host)) return sendProblem(request, response, { type: 'misdirected', host: named });
    const refused = refusalOf(route, request);
    if (refused !== null) return sendProblem(request, response, refused);
    const exchange = { url, nonce, request, response };
    const asked = asksNobody.has(route) ? null : await access.askWho(request);
    if (asked?.type === 'refused')
      return access.refuse(exchange, asked.refusal, route === 'page' && isOpenedAsPage(request));
    if (asked !== null && !url.pathname.startsWith(files)) access.note(asked, exchange, began);
    if (asked !== null) noteAsker(request, asked.viewer);
    const by = askerOf(request);
    const { room, takesTurn } = demands[route];
    if (room !== null && !rooms[room].enter(by, response)) return refuseForNow(request, response);
    if (takesTurn) {
      await turns.take(by);
      // Who has left while it waited costs nothing.
      if (response.destroyed) return;
    }
    const make = (): Promise<void> => answerTo(by, () => answer(route, deps, exchange, asked));
    if (route !== 'page' || url.pathname.startsWith(files)) return make();
    return pagesInTurn(by, response, () => {
      if (!hasBodyRoom(request)) return refuseForNow(request, response);
      takeWhole(response);
      countUnread(request, response);
      return make();
    });
  }

  function failed(error: unknown, request: IncomingMessage, response: ServerResponse): void {
    const id = randomUUID();
    log.error({ err: error, id, url: withoutQuery(request.url ?? '') }, 'a request failed');
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

/** The host that a request names; '' where it names none, or several. */
function hostOf(request: IncomingMessage): string {
  const hosts = request.headersDistinct.host ?? [];
  return hosts.length === 1 ? (hosts[0] ?? '') : '';
}

/** Probes come by whatever address their pod has: a name that somebody pointed here is none. */
function isServed(route: Route, host: HostStanding): boolean {
  return host === 'loopback' || host === 'public' || (host === 'address' && (route === 'health' || route === 'ready'));
}

/** By it Next's router in the browser tells which parts of a page it has. */
const routerStateHeader = 'next-router-state-tree';

function refusalOf(route: Route, request: IncomingMessage): Fault | null {
  const { method = '', headers } = request;
  if (method !== 'GET' && method !== 'HEAD') return { type: 'method-not-allowed', method };
  // A proxy may have read its end differently than we do.
  if (hasBody(request)) return { type: 'unwanted-body' };
  const routerState = headers[routerStateHeader];
  if (route === 'page' && routerState !== undefined && !isRouterState(String(routerState)))
    return { type: 'bad-header', name: 'Next-Router-State-Tree' };
  const isOpened = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  // A link from a chat or a pager opens a page; what another site's page opens else, loads, frames or fetches is refused.
  if (route === 'embed' || ((route === 'page' || route === 'access') && isOpened)) return null;
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return null;
  return { type: 'forbidden', message: 'Other sites may link to pages and show embeds and badges, nothing else.' };
}

/** True where a person opens a page, as against what a page of ours fetches. */
function isOpenedAsPage({ method, headers }: IncomingMessage): boolean {
  const { accept = '', 'sec-fetch-dest': dest = 'document' } = headers;
  return method === 'GET' && dest === 'document' && accept.includes('text/html');
}

/** There is no room for another answer to the one who asks. */
function refuseForNow(request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader('Retry-After', '1');
  return sendProblem(request, response, { type: 'too-many-answers' });
}

/** `asked`: who asks; null on routes that ask nobody. */
async function answer(
  route: Route,
  deps: RequestHandlerDeps,
  exchange: Exchange,
  asked: Extract<Asked, { type: 'viewer' }> | null,
): Promise<void> {
  const { request, response } = exchange;
  if (asked === null) return answerAnybody(route, deps, exchange);
  const { viewer } = asked;
  // The one place where the world of a viewer is taken.
  const world = deps.worlds.of(viewer.scope);
  deps.access.follow(asked, route === 'stream' ? 'stream' : 'answer', request, response);
  if (route === 'page')
    return withVisit(await deps.access.visit(asked), () => answerPage(deps.pages(), exchange, world));
  return answerApi({ ...world, viewer, origin: deps.origin(), ...exchange });
}

async function answerAnybody(route: Route, deps: RequestHandlerDeps, exchange: Exchange): Promise<void> {
  const { url, request, response } = exchange;
  switch (route) {
    case 'health':
      return sendText(exchange, 'ok\n');
    case 'ready':
      return answerReady(deps, exchange);
    case 'embed':
      return deps.embeds.show(request, response);
    case 'access':
      return deps.access.routeOf(url.pathname)?.(exchange);
    case 'stream':
    case 'link':
    case 'api':
    case 'page':
      throw new Error(`${route} is answered to viewers only`);
  }
}

/** A cluster that is lost makes nothing unready: how many are is said beside. Their names stand on the port of this machine alone. */
function answerReady({ notReady, notSeen }: RequestHandlerDeps, exchange: Exchange): Promise<void> {
  const message = notReady();
  if (message !== null) return sendProblem(exchange.request, exchange.response, { type: 'not-ready', message });
  const lost = notSeen();
  return sendText(exchange, lost === 0 ? 'ok\n' : `ok\n${countOf(lost, 'cluster')} not seen\n`);
}

/** Scripts, styles and letters of the pages, as they were built. */
const files = '/_next/static/';

/** Next serves them by itself: it would fetch and scale pictures for anybody, and answer 500 with its page of faults; no page of ours uses them. */
const unused = /^\/(?:_next\/image(?:\/|$)|_global-error)/;

async function answerPage(mount: PageMount | null, exchange: Exchange, world: World): Promise<void> {
  const { url, nonce, request, response } = exchange;
  const what = mount ? `There is no ${url.pathname}.` : 'This process serves the API only.';
  if (!mount || unused.test(url.pathname))
    return sendProblem(request, response, { type: 'not-found', what, nearest: [] });
  // Next takes the nonce for its own scripts from the policy in the request's headers.
  request.headers['content-security-policy'] = contentSecurityPolicy(nonce);
  request.headers['x-nonce'] = nonce;
  return mount.handle(request, response, world.runtime);
}

function sendText({ request, response }: Exchange, body: string): Promise<void> {
  return sendBody(request, response, { status: 200, type: 'text/plain; charset=utf-8', body, cache: 'no-store' });
}
