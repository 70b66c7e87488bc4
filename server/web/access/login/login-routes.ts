import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { entitledTo, namedGroups, subjectOf } from '#lib/domain/access/entitlement.ts';
import { minute, second } from '#lib/domain/time/length.ts';
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import type { AuthSettings, OidcSettings } from '#server/config/access/auth-settings.ts';
import type { KeyRing } from '../../embeds/key-file.ts';
import type { AccessFault } from '../../http/problem.ts';
import { listenerOf } from '../../stream/listener.ts';
import { faultPage, sendPlainPage } from '../access-pages.ts';
import type { AskWho } from '../ask-who.ts';
import type { Attempts } from './attempts.ts';
import { greetingName, toldGroups } from '../claims.ts';
import {
  cookiesOf,
  forgetCookie,
  loginCookie,
  loginsIn,
  loginsToForget,
  loginValue,
  sessionCookie,
  setCookie,
} from '../cookies.ts';
import type { Provider, Vouched } from './provider.ts';
import { keysUnusable, loginFault, noAccess } from '../refusal-words.ts';
import { returnTo } from './return-to.ts';
import { longestSealed, longestSubject, openLogin, seal, type Login, type Session } from '../sealed.ts';
import { openKeys, type OpenKeys } from '../session-keys.ts';

/** One request of a login. */
export interface LoginExchange {
  readonly url: URL;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** End of a login, for the log and the metrics. */
export type LoginEnd = 'in' | 'no-access' | 'failed' | 'limited';

/** Parts of logins. */
export interface LoginDeps {
  readonly auth: AuthSettings;
  readonly oidc: OidcSettings;
  readonly provider: Provider;
  readonly keys: KeyRing;
  readonly attempts: Attempts;
  readonly askWho: AskWho;
  readonly publicUrl: string;
  readonly now: () => number;
  /** Told of each end of a login: the subject where it is known, and why it failed. */
  readonly onEnd: (
    end: LoginEnd,
    about: { readonly by: string; readonly subject?: string; readonly why?: string },
  ) => void;
}

/** Time (ms) within which somebody has to come back from the provider. */
const loginFor = 10 * minute;
/** Logins that came back, of which the states are known so long: so many at once. */
const mostUsed = 10_000;

/** Where the provider sends people back to. */
export const callbackPath = '/access/callback';

/** Makes the two routes of a login: the way to the provider, and the way back. */
export function loginRoutes(deps: LoginDeps) {
  const used = usedStates(deps.now);
  return {
    login: (exchange: LoginExchange) => begin(deps, exchange),
    callback: (exchange: LoginExchange) => comeBack(deps, used, exchange),
  };
}

async function begin(deps: LoginDeps, { url, request, response }: LoginExchange): Promise<void> {
  const { provider, publicUrl, now, attempts, askWho, keys } = deps;
  const to = returnTo(url.searchParams.get('returnTo'));
  const asked = await askWho(request);
  if (asked.type === 'viewer') return redirect(response, to);
  const wait = attempts.blockedFor(listenerOf(request), now());
  if (wait > 0) return refuseForNow(deps, { url, request, response }, wait);
  const open = await openKeys(keys);
  if (open === null) return sendFault(request, response, keysUnusable, to);
  const checks = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
  const begun = await provider.begin(checks, `${publicUrl}${callbackPath}`);
  if (begun.type === 'failed') {
    deps.onEnd('failed', { by: listenerOf(request), why: begun.fault.type });
    return sendFault(request, response, loginFault(begun.fault), to);
  }
  const login: Login = { for: 'login', ...checks, returnTo: to, end: now() + loginFor };
  const cookies = cookiesOf(request);
  for (const name of loginsToForget(cookies)) forgetCookie(response, name);
  setCookie(response, loginCookie(cookies), loginValue(now(), await seal(login, open)), loginFor / second);
  redirect(response, begun.url.href);
}

async function comeBack(
  deps: LoginDeps,
  used: ReturnType<typeof usedStates>,
  { url, request, response }: LoginExchange,
): Promise<void> {
  const { keys, now, attempts, provider, publicUrl, onEnd } = deps;
  const by = listenerOf(request);
  const open = await openKeys(keys);
  if (open === null) return sendFault(request, response, keysUnusable, '/');
  const found = await loginOf(request, url.searchParams.get('state') ?? '', open);
  if (found === null || found.login.end <= now() || !used.use(found.login)) {
    // Another tab may have come back before, and the person is in: nothing is wrong then.
    const asked = await deps.askWho(request);
    if (asked.type === 'viewer') return redirect(response, '/');
    onEnd('failed', { by, why: 'not-begun-here' });
    return sendFault(request, response, notBegunHere, '/');
  }
  const { login, name } = found;
  forgetCookie(response, name);
  const wait = attempts.blockedFor(by, now());
  if (wait > 0) return refuseForNow(deps, { url, request, response }, wait);
  const finished = await provider.finish(login, new URL(`${publicUrl}${url.pathname}${url.search}`));
  if (finished.type === 'failed') {
    onEnd('failed', { by, why: finished.fault.type });
    return sendFault(request, response, loginFault(finished.fault), login.returnTo);
  }
  return letIn(deps, finished.person, { by, open, login, request, response });
}

/** Gives a person whom the provider vouches for a session, if anything is theirs. */
async function letIn(
  { auth, oidc, now, onEnd }: LoginDeps,
  { issuer, sub, claims }: Vouched,
  at: { readonly by: string; readonly open: OpenKeys; readonly login: Login } & Omit<LoginExchange, 'url'>,
): Promise<void> {
  const { by, open, login, request, response } = at;
  if (sub === '' || sub.length > longestSubject) {
    // A session that holds it would not open, and the way to a login lead round and round.
    onEnd('failed', { by, why: 'subject' });
    return sendFault(request, response, noSubject, login.returnTo);
  }
  const subject = subjectOf(issuer, sub);
  const told = toldGroups(claims, oidc.groups);
  const groups = told.type === 'told' ? told.groups : [];
  if (entitledTo({ subject, groups }, auth.access) === null) {
    onEnd('no-access', { by, subject });
    return sendFault(request, response, noAccess(subject, told), login.returnTo);
  }
  const known = namedGroups(auth.access);
  const session: Session = {
    for: 'session',
    id: randomBytes(16).toString('base64url'),
    issuer,
    sub,
    name: greetingName(claims),
    groups: groups.filter((group) => known.has(group)),
    end: now() + oidc.sessionFor,
  };
  const sealed = await seal(session, open);
  if (sealed.length > longestSealed) {
    onEnd('failed', { by, subject, why: 'too-large' });
    return sendFault(request, response, tooLarge, login.returnTo);
  }
  setCookie(response, sessionCookie, sealed, oidc.sessionFor / second);
  onEnd('in', { by, subject });
  redirect(response, login.returnTo);
}

const notBegunHere: AccessFault = {
  type: 'login-failed',
  message:
    'This login was not begun in this browser, or it took longer than 10 minutes, or its answer was used already.',
  mend: 'Log in again. The browser must take cookies of this site, and reach it by https under publicUrl.',
};

const noSubject: AccessFault = {
  type: 'login-failed',
  message: `The provider's token is not sound: its sub is empty, or longer than ${longestSubject} letters.`,
  mend: 'Whoever runs the provider: a subject has 255 letters at most (OpenID Connect Core 1.0, 2).',
};

const tooLarge: AccessFault = {
  type: 'login-failed',
  message: 'You are in so many groups that auth.access names that no cookie holds them.',
  mend: 'Ask whoever runs Plumbline to name fewer, larger groups there.',
};

/** The login of a state, among those that were begun in this browser. */
async function loginOf(
  request: IncomingMessage,
  state: string,
  keys: OpenKeys,
): Promise<{ readonly login: Login; readonly name: string } | null> {
  for (const [name, sealed] of loginsIn(cookiesOf(request))) {
    const login = await openLogin(sealed, keys);
    if (login !== null && login.state === state) return { login, name };
  }
  return null;
}

/** States of logins that came back, until their end: each comes back once, also where its cookie was copied. */
function usedStates(now: () => number) {
  const ends = new Map<string, number>();
  return {
    /** True the first time. */
    use({ state, end }: Login): boolean {
      const key = createHash('sha256').update(state).digest('base64url');
      if (ends.has(key)) return false;
      for (const [old, until] of ends) if (until <= now() || ends.size >= mostUsed) ends.delete(old);
      ends.set(key, end);
      return true;
    },
  };
}

function refuseForNow({ onEnd }: LoginDeps, { request, response }: LoginExchange, wait: number): Promise<void> {
  onEnd('limited', { by: listenerOf(request) });
  response.setHeader('Retry-After', String(Math.ceil(wait / second)));
  const fault: AccessFault = {
    type: 'too-many-logins',
    message: 'From your address many logins have failed.',
    mend: `Try again in ${Math.ceil(wait / minute)} min. Whoever is logged in stays so.`,
  };
  return sendFault(request, response, fault, '/');
}

function sendFault(request: IncomingMessage, response: ServerResponse, fault: AccessFault, to: string): Promise<void> {
  const again = { href: `/access/login?returnTo=${encodeURIComponent(to)}`, text: 'Log in again' };
  return sendPlainPage(request, response, faultPage(fault, [again]));
}

/** Sends a browser on by GET. */
export function redirect(response: ServerResponse, to: string): void {
  response.setHeader('Cache-Control', 'no-store');
  response.writeHead(303, { Location: to, 'Content-Length': 0 }).end();
}
