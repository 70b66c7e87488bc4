import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A token as it is sent: the id by which it is kept, and the secret of which a hash is. */
export interface BearerToken {
  readonly id: string;
  readonly secret: string;
}

/** Where every token begins, so that scanners of secrets find one that was published. */
export const tokenPrefix = 'plumbline_';

/** A new token: 32 random bytes behind an id. */
export function newToken(): BearerToken {
  return { id: randomBytes(6).toString('hex'), secret: randomBytes(32).toString('base64url') };
}

/** The text of a token, as it is sent. */
export function tokenText({ id, secret }: BearerToken): string {
  return `${tokenPrefix}${id}_${secret}`;
}

/** True for the text of an id. */
export function isTokenId(text: string): boolean {
  return /^[0-9a-f]{12}$/.test(text);
}

/** Reads a token; null where the text is none. */
export function readToken(text: string): BearerToken | null {
  const [, id, secret] = /^plumbline_([0-9a-f]{12})_([A-Za-z0-9_-]{43})$/.exec(text) ?? [];
  return id === undefined || secret === undefined ? null : { id, secret };
}

/** The hash of a token's secret, which is kept: SHA-256 in hex. It needs no salt and no work: 32 random bytes are not guessed. */
export function hashOf({ secret }: BearerToken): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** True if a token has this hash. Takes as long whichever byte differs. */
export function hasHash(token: BearerToken, hash: string): boolean {
  const [own, kept] = [Buffer.from(hashOf(token), 'hex'), Buffer.from(hash, 'hex')];
  return own.length === kept.length && timingSafeEqual(own, kept);
}

/** The credentials behind "Bearer" of an Authorization header; null where there are none. */
export function bearerOf(header: string | undefined): string | null {
  const [, credentials] = /^bearer +([^\s]+)$/i.exec(header ?? '') ?? [];
  return credentials ?? null;
}
