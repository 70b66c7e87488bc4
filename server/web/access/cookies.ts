import { randomInt } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** The cookie of a session. `__Host-` binds it to this host and to https: no sibling host and nobody on the way can set one. */
export const sessionCookie = '__Host-plumbline';
const loginPrefix = '__Host-plumbline-login-';
/** Logins of one browser that may be under way at once; where there are more, the oldest is forgotten. */
const mostLogins = 4;
/**
 * Names of their cookies. Tabs that begin at the same moment know nothing of each other's: where each had a name of its own, a browser that opens
 * thirty again would send more than any server takes, for ten minutes.
 */
const loginCookies: readonly string[] = Array.from({ length: 2 * mostLogins }, (_, slot) => `${loginPrefix}${slot}`);

/** The cookies of a request by name; one that is given twice is none: nobody could say which is ours. */
export function cookiesOf(request: Pick<IncomingMessage, 'headers'>): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const twice = new Set<string>();
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const cut = part.indexOf('=');
    if (cut < 0) continue;
    const name = part.slice(0, cut).trim();
    if (found.has(name)) twice.add(name);
    found.set(name, part.slice(cut + 1).trim());
  }
  for (const name of twice) found.delete(name);
  return found;
}

/** The sealed logins of a request, the oldest first, each by the name of its cookie. */
export function loginsIn(cookies: ReadonlyMap<string, string>): readonly (readonly [name: string, sealed: string])[] {
  return loginCookies
    .flatMap((name) => {
      const [, begun, sealed] = /^([\da-z]{9})\.(.+)$/.exec(cookies.get(name) ?? '') ?? [];
      return begun === undefined || sealed === undefined ? [] : [{ name, begun, sealed }];
    })
    .toSorted((a, b) => (a.begun < b.begun ? -1 : 1))
    .map(({ name, sealed }) => [name, sealed] as const);
}

/** Names of cookies of logins that have to make room for another one. */
export function loginsToForget(cookies: ReadonlyMap<string, string>): readonly string[] {
  return loginsIn(cookies)
    .map(([name]) => name)
    .slice(0, -(mostLogins - 1));
}

/** The name of the cookie of a login that begins: any that is free, so that tabs that begin at once seldom take the same one; else that of the oldest. */
export function loginCookie(cookies: ReadonlyMap<string, string>): string {
  const free = loginCookies.filter((name) => !cookies.has(name));
  const [[oldest] = [`${loginPrefix}0`]] = loginsIn(cookies);
  return free[randomInt(Math.max(1, free.length))] ?? oldest;
}

/** The value of the cookie of a login that begins at `now` (ms). */
export function loginValue(now: number, sealed: string): string {
  return `${Math.floor(now).toString(36).padStart(9, '0')}.${sealed}`;
}

/** Sets a cookie for `seconds`; Lax, for it must come along when somebody follows a link here, or comes back from a login. */
export function setCookie(response: ServerResponse, name: string, value: string, seconds: number): void {
  append(
    response,
    `${name}=${value}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=${Math.max(1, Math.floor(seconds))}`,
  );
}

/** Takes a cookie away. */
export function forgetCookie(response: ServerResponse, name: string): void {
  append(response, `${name}=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0`);
}

function append(response: ServerResponse, line: string): void {
  const before = response.getHeader('Set-Cookie');
  response.setHeader('Set-Cookie', [...(Array.isArray(before) ? before : []), line]);
}
