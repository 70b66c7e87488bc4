import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PageVisit } from '../runtime-global.ts';
import { shownViewer } from '#lib/domain/access/visit.ts';
import type { AuthSettings } from '#server/config/access/auth-settings.ts';
import type { Clock } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import type { KeyRing } from '../embeds/key-file.ts';
import { sendProblem } from '../http/send.ts';
import { listenerOf } from '../stream/listener.ts';
import type { AccessBook } from './access-book.ts';
import { accessLog } from './access-log.ts';
import { faultPage, sendPlainPage } from './access-pages.ts';
import { type Asked, askNobody, type AskWho, type Refusal, whoAsks } from './ask-who.ts';
import { type Attempts, loginAttempts } from './login/attempts.ts';
import { callbackPath, type LoginEnd, type LoginExchange, loginRoutes, redirect } from './login/login-routes.ts';
import { endedPath, logoutLink, logoutRoutes } from './login/logout-routes.ts';
import { type Lasting, openStreams } from './open-streams.ts';
import { openIdProvider } from './login/provider.ts';
import { refusalFault } from './refusal-words.ts';

type SeenViewer = Extract<Asked, { type: 'viewer' }>;

/** Counts for the metrics, without a word on who. */
export interface AccessCounts {
  readonly logins: ReadonlyMap<LoginEnd, number>;
  readonly refusals: ReadonlyMap<Refusal['type'], number>;
}

/** Who is answered: everything of a login, and what follows from who asks. */
export interface Access {
  readonly askWho: AskWho;
  /** Answers a path of logins and logouts; null for a path of anything else. */
  routeOf(path: string): ((exchange: LoginExchange) => Promise<void>) | null;
  /** Sends why nobody is answered: somebody who opens a page is sent to log in, or gets a page; everybody else a problem. */
  refuse(exchange: LoginExchange, refusal: Refusal, isPage: boolean): Promise<void>;
  /** Notes that a request of a viewer is answered, when that is done. `ms` is from `began` (ms since the epoch). */
  note(seen: SeenViewer, exchange: LoginExchange, began: number): void;
  /** Ends what is under way to a viewer with what lets them in. */
  follow(seen: SeenViewer, lasting: Lasting, request: IncomingMessage, response: ServerResponse): void;
  /** The viewer as their own pages show them. */
  visit(seen: SeenViewer): Promise<PageVisit>;
  counts(): AccessCounts;
}

/** Parts of `access`. */
export interface AccessDeps {
  readonly auth: AuthSettings;
  readonly book: AccessBook;
  readonly keys: KeyRing;
  readonly publicUrl: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Where no `auth` is set: everybody is answered, and nothing is noted. */
export const openAccess: Access = {
  askWho: askNobody,
  routeOf: () => null,
  refuse: ({ request, response }) =>
    sendProblem(request, response, { type: 'forbidden', message: 'Nobody is answered.' }),
  note: () => undefined,
  follow: () => undefined,
  visit: () => Promise.resolve({ viewer: null, accesses: null }),
  counts: () => ({ logins: new Map(), refusals: new Map() }),
};

/**
 * Failures for which nobody is made to wait: they are no fault of the person, or cost nothing and try nothing. An answer to a login that was not begun
 * here is a link that anybody can open, or have others open: enough of them would keep all of an address out.
 */
const waitsForNone: ReadonlySet<string> = new Set([
  ...['provider-away', 'secret', 'client', 'clock', 'other-issuer', 'subject', 'not-begun-here'],
]);

/** Headers by which browsers, and Next in them, say that nobody asked yet. */
const headersOfAhead = ['next-router-prefetch', 'sec-purpose', 'purpose'];

/** Makes what answers of who asks. */
export function access({ auth, book, keys, publicUrl, clock, log }: AccessDeps): Access {
  const now = (): number => clock.now();
  const askWho = whoAsks({ auth, book, keys, now });
  const streams = openStreams({ askWho, clock });
  const noted = accessLog(log);
  const attempts = loginAttempts();
  const failed = tellerOfFailures(attempts, now, log);
  const counts = { logins: new Map<LoginEnd, number>(), refusals: new Map<Refusal['type'], number>() };

  const routes = routesOf({
    auth,
    book,
    keys,
    publicUrl,
    now,
    askWho,
    attempts,
    onLogout(session) {
      streams.end(session);
      log.info({ subject: `${session.issuer}#${session.sub}` }, 'logged out');
    },
    onEnd(end, about) {
      counts.logins.set(end, (counts.logins.get(end) ?? 0) + 1);
      if (end === 'in') return log.info(about, 'logged in');
      if (end === 'limited') return;
      const isTried = end === 'failed' && !waitsForNone.has(about.why ?? '');
      failed(isTried ? about.by : `noted ${about.by}`, { ...about, end }, 'a login failed');
    },
  });

  return {
    askWho,
    routeOf: (path) => routes.get(path) ?? null,
    async refuse(exchange, refusal, isPage) {
      const { url, request, response } = exchange;
      counts.refusals.set(refusal.type, (counts.refusals.get(refusal.type) ?? 0) + 1);
      const isTried = refusal.type === 'token-refused' || refusal.type === 'proof-refused';
      if (isTried) {
        const by = listenerOf(request);
        failed(`refused ${by}`, { by, path: url.pathname, refusal }, 'who asks is not believed');
      }
      const fault = refusalFault(refusal, auth);
      if (!isPage) return sendProblem(request, response, fault);
      if (refusal.type === 'not-signed-in' && auth.oidc !== null)
        return redirect(response, `/access/login?returnTo=${encodeURIComponent(`${url.pathname}${url.search}`)}`);
      const session = refusal.type === 'no-access' ? refusal.session : null;
      const link = session === null ? null : await logoutLink(session, keys);
      return sendPlainPage(request, response, faultPage(fault, link === null ? [] : [{ href: link, text: 'Log out' }]));
    },
    note({ viewer }, { url, request, response }, began) {
      const { by, subject, name } = viewer;
      response.once('close', () => {
        const { method = '' } = request;
        const ms = Math.round(now() - began);
        const ahead = headersOfAhead.some((header) => request.headers[header] !== undefined);
        noted.note({
          at: began,
          ahead,
          by,
          subject,
          name,
          method,
          path: url.pathname,
          status: response.statusCode,
          ms,
        });
      });
    },
    follow: streams.follow,
    async visit({ viewer, session }) {
      const link = session === null ? null : await logoutLink(session, keys);
      return { viewer: shownViewer(viewer, link), accesses: viewer.roles.has('auditor') ? noted.last : null };
    },
    counts: () => counts,
  };
}

/** Makes what counts a failure, and tells it where it is news. */
function tellerOfFailures(attempts: Attempts, now: () => number, log: Log) {
  return (by: string, about: object, message: string): void => {
    const news = attempts.failed(by, now());
    if (news === 'silent') return;
    log.warn(about, message);
    if (news === 'last')
      log.warn({}, 'so many are not believed that no more of them are told for some minutes: the metrics count all');
  };
}

interface RouteDeps extends Omit<Parameters<typeof loginRoutes>[0], 'oidc' | 'provider'> {
  readonly book: AccessBook;
  readonly onLogout: Parameters<typeof logoutRoutes>[0]['onEnd'];
}

/** The paths of logins, by `oidc`; none where people come through a proxy alone. */
function routesOf(deps: RouteDeps): ReadonlyMap<string, (exchange: LoginExchange) => Promise<void>> {
  const { oidc } = deps.auth;
  if (oidc === null) return new Map();
  const provider = openIdProvider(oidc, deps.now);
  const { login, callback } = loginRoutes({ ...deps, oidc, provider });
  const { logout, ended } = logoutRoutes({
    ...deps,
    provider: oidc.logout === 'provider' ? provider : null,
    onEnd: deps.onLogout,
  });
  return new Map([
    ['/access/login', login],
    [callbackPath, callback],
    ['/access/logout', logout],
    [endedPath, ended],
  ]);
}
