import { isNormalTarget } from '#lib/domain/address/normal-path.ts';

/** Longest address that somebody is sent back to: it lies in a cookie, and proxies take 8 KB of all of them. */
const longest = 600;

/** Paths of no page: nobody is sent there from a login. */
const noPage = /^\/(?:access\/|(?:api|embed|badge|_next|healthz|readyz)(?:[/?]|$))/;

/**
 * Where somebody goes after a login: a page of ours as it was asked for, else the first page. Never another site ("//", "\", a scheme), never what
 * proxies or browsers could read differently than we do.
 */
export function returnTo(asked: string | null): string {
  if (asked === null || asked.length > longest || asked.includes('\\')) return '/';
  return isNormalTarget(asked) && isPrintable(asked) && !noPage.test(asked) ? asked : '/';
}

/** An address of a request is ASCII; a header may hold nothing else. */
function isPrintable(text: string): boolean {
  return /^[\x21-\x7E]*$/.test(text);
}
