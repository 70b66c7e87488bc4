import type { IncomingMessage } from 'node:http';
import { entitledTo, subjectOf, union } from '#lib/domain/access/entitlement.ts';
import { anybody, type Viewer } from '#lib/domain/access/viewer.ts';
import type { AuthSettings } from '#server/config/access/auth-settings.ts';
import type { KeyRing } from '../embeds/key-file.ts';
import type { AccessBook, KeptToken } from './access-book.ts';
import { bearerOf, hasHash, readToken, tokenPrefix } from './bearer-token.ts';
import { greetingName, toldGroups, type ToldGroups } from './claims.ts';
import { cookiesOf, sessionCookie } from './cookies.ts';
import { type ProofFault, proofReader } from './proxy-proof.ts';
import { openSession, type Session } from './sealed.ts';
import { openKeys, type OpenKeys } from './session-keys.ts';

/** Why nobody is answered. */
export type Refusal =
  /** `session`: one was there, and is over: ended, too old, or of a key that was revoked. */
  | { readonly type: 'not-signed-in'; readonly session: 'none' | 'over' }
  | { readonly type: 'token-refused'; readonly why: 'malformed' | 'unknown' | 'revoked' | 'ended' }
  | { readonly type: 'proof-refused'; readonly fault: ProofFault }
  /** Whom no line of `auth.access` is about. */
  | {
      readonly type: 'no-access';
      readonly subject: string;
      readonly told: ToldGroups;
      /** The session that says who it is; null where a proxy does. */
      readonly session: Session | null;
    }
  /** Keys of sessions, or the book of tokens, cannot be used. */
  | { readonly type: 'unusable'; readonly what: 'session-keys' | 'access-book' };

/** Who asks, with the session that says so where one does; or why nobody is answered. */
export type Asked =
  | { readonly type: 'viewer'; readonly viewer: Viewer; readonly session: Session | null }
  | { readonly type: 'refused'; readonly refusal: Refusal };

/** Finds out who asks. Never rejects. */
export type AskWho = (request: IncomingMessage) => Promise<Asked>;

/** Parts of the asking. `now` in ms. */
export interface AskWhoDeps {
  readonly auth: AuthSettings;
  readonly book: AccessBook;
  readonly keys: KeyRing;
  readonly now: () => number;
}

/** Where no `auth` is set: nobody is asked. */
export const askNobody: AskWho = () => Promise.resolve({ type: 'viewer', viewer: anybody, session: null });

/**
 * Makes the one that asks: by a token of ours first, then by what a proxy says, then by a session. Whoever shows one that is refused is not
 * asked for another, which could name somebody else.
 */
export function whoAsks(deps: AskWhoDeps): AskWho {
  const { auth, keys } = deps;
  const proof = auth.proxy === null ? null : proofReader(auth.proxy, deps.now);
  return async (request) => {
    const bearer = bearerOf(request.headers.authorization);
    if (bearer?.startsWith(tokenPrefix)) return byToken(deps, bearer);
    const said = (await proof?.(request)) ?? { type: 'none' };
    switch (said.type) {
      case 'refused':
        return refused({ type: 'proof-refused', fault: said.fault });
      case 'proof':
        return byProof(auth, said.claims);
      case 'none':
        break;
    }
    const sealed = cookiesOf(request).get(sessionCookie);
    if (auth.oidc === null || sealed === undefined) return refused({ type: 'not-signed-in', session: 'none' });
    const open = await openKeys(keys);
    if (open === null) return refused({ type: 'unusable', what: 'session-keys' });
    return bySession(deps, sealed, open);
  };
}

function refused(refusal: Refusal): Asked {
  return { type: 'refused', refusal };
}

function byToken({ auth, book, now }: AskWhoDeps, bearer: string): Asked {
  const sent = readToken(bearer);
  if (sent === null) return refused({ type: 'token-refused', why: 'malformed' });
  const found = book.token(sent.id);
  if (found.type === 'unusable') return refused({ type: 'unusable', what: 'access-book' });
  const { token } = found;
  if (token === null || !hasHash(sent, token.hash)) return refused({ type: 'token-refused', why: 'unknown' });
  if (token.revokedAt !== null) return refused({ type: 'token-refused', why: 'revoked' });
  if (token.endsAt <= now()) return refused({ type: 'token-refused', why: 'ended' });
  return { type: 'viewer', viewer: viewerOfToken(token, auth), session: null };
}

function viewerOfToken(token: KeptToken, { teams }: AuthSettings): Viewer {
  const { id, name, roles, everything, grants, endsAt } = token;
  const ofTeams = token.teams.flatMap((team) => teams.get(team) ?? []);
  return {
    by: 'token',
    subject: `token:${id}`,
    name,
    roles: new Set(['viewer', ...roles]),
    scope: union([everything ? null : [...grants, ...ofTeams]]),
    until: endsAt,
  };
}

function byProof({ proxy, access }: AuthSettings, claims: { readonly sub: string; readonly exp: number }): Asked {
  if (proxy === null) return refused({ type: 'not-signed-in', session: 'none' });
  const subject = subjectOf(proxy.issuer, claims.sub);
  const told = toldGroups(claims, proxy.groups);
  const entitled = entitledTo({ subject, groups: told.type === 'told' ? told.groups : [] }, access);
  if (entitled === null) return refused({ type: 'no-access', subject, told, session: null });
  const viewer: Viewer = { by: 'proxy', subject, name: greetingName(claims), ...entitled, until: claims.exp * 1_000 };
  return { type: 'viewer', viewer, session: null };
}

async function bySession({ auth, book, now }: AskWhoDeps, sealed: string, keys: OpenKeys): Promise<Asked> {
  const session = await openSession(sealed, keys);
  const over = refused({ type: 'not-signed-in', session: 'over' });
  // One of another provider than the file names now is nobody's.
  if (session === null || session.end <= now() || session.issuer !== auth.oidc?.issuer) return over;
  const hasEnded = book.hasEnded(session.id);
  if (typeof hasEnded !== 'boolean') return refused({ type: 'unusable', what: 'access-book' });
  if (hasEnded) return over;
  const { issuer, sub, groups, name, end } = session;
  const subject = subjectOf(issuer, sub);
  const entitled = entitledTo({ subject, groups }, auth.access);
  if (entitled === null) return refused({ type: 'no-access', subject, told: { type: 'told', groups }, session });
  return { type: 'viewer', viewer: { by: 'session', subject, name, ...entitled, until: end }, session };
}
