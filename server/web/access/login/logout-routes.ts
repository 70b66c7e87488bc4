import type { KeyRing } from '../../embeds/key-file.ts';
import { sendPlainPage } from '../access-pages.ts';
import type { AccessBook } from '../access-book.ts';
import type { Asked, AskWho } from '../ask-who.ts';
import { forgetCookie, sessionCookie } from '../cookies.ts';
import { redirect, type LoginExchange } from './login-routes.ts';
import type { Provider } from './provider.ts';
import { isLogoutWord, logoutWord, type Session } from '../sealed.ts';
import { openKeys } from '../session-keys.ts';

/** Parts of logouts. */
export interface LogoutDeps {
  readonly askWho: AskWho;
  readonly keys: KeyRing;
  readonly book: AccessBook;
  /** null where a logout ends the session here alone. */
  readonly provider: Pick<Provider, 'endSession'> | null;
  readonly publicUrl: string;
  readonly now: () => number;
  /** Ends the streams of a session. */
  readonly onEnd: (session: Session) => void;
}

const logoutPath = '/access/logout';

/** Where somebody is who has logged out. */
export const endedPath = '/access/ended';

/** The link that ends a session; null where there are no keys now. It works in that session alone, and no other site knows it. */
export async function logoutLink(session: Session, keys: KeyRing): Promise<string | null> {
  const open = await openKeys(keys);
  return open === null ? null : `${logoutPath}?word=${logoutWord(session.id, open)}`;
}

/**
 * Makes the two routes of a logout. Only GET is served here, so the link carries a word that is made of the session: what another site links to, or a
 * browser fetches before it is asked to, shows the question, and ends nothing.
 */
export function logoutRoutes(deps: LogoutDeps) {
  return {
    logout: (exchange: LoginExchange) => logOut(deps, exchange),
    ended: ({ request, response }: LoginExchange) =>
      sendPlainPage(request, response, {
        status: 200,
        title: 'Logged out',
        paragraphs: ['The session in this browser is over, and its streams have ended.'],
        links: [{ href: '/access/login', text: 'Log in' }],
      }),
  };
}

async function logOut(deps: LogoutDeps, { url, request, response }: LoginExchange): Promise<void> {
  const { askWho, keys, book, provider, publicUrl, now, onEnd } = deps;
  const asked = await askWho(request);
  const open = await openKeys(keys);
  const session = sessionOf(asked);
  if (session === null || open === null) {
    if (asked.type === 'refused' && asked.refusal.type === 'not-signed-in') forgetCookie(response, sessionCookie);
    return redirect(response, endedPath);
  }
  const site = request.headers['sec-fetch-site'];
  const isOwn = site === undefined || site === 'same-origin';
  const isAhead = request.headers['sec-purpose'] !== undefined || request.headers['purpose'] !== undefined;
  const word = url.searchParams.get('word') ?? '';
  if (!isOwn || isAhead || request.method !== 'GET' || !isLogoutWord(word, session.id, open)) {
    const href = (await logoutLink(session, keys)) ?? logoutPath;
    return sendPlainPage(request, response, {
      status: 200,
      title: 'Log out?',
      paragraphs: ['This link was not made for your session, or another site sent you here. Nothing has ended.'],
      links: [
        { href, text: 'Log out' },
        { href: '/', text: 'Stay' },
      ],
    });
  }
  const ended = book.endSession(session.id, session.end, now());
  if (ended.type === 'unusable')
    return sendPlainPage(request, response, {
      status: 503,
      title: 'Not logged out',
      paragraphs: [
        'The end of the session cannot be kept, so it would open again: the list of sessions that ended cannot be written.',
        'Whoever runs Plumbline: the data directory must be writable. Close the browser meanwhile.',
      ],
      links: [{ href: `${logoutPath}?word=${logoutWord(session.id, open)}`, text: 'Try again' }],
    });
  forgetCookie(response, sessionCookie);
  onEnd(session);
  const there = (await provider?.endSession(`${publicUrl}${endedPath}`)) ?? null;
  redirect(response, there?.href ?? endedPath);
}

/** The session of who asks, also where nothing is theirs. */
function sessionOf(asked: Asked): Session | null {
  if (asked.type === 'viewer') return asked.session;
  return asked.refusal.type === 'no-access' ? asked.refusal.session : null;
}
