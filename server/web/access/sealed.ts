import { createHmac, timingSafeEqual } from 'node:crypto';
import { sealData, unsealData } from 'iron-session';
import { z } from 'zod';
import type { OpenKeys } from './session-keys.ts';
import type { SigningKey } from '../embeds/key-file.ts';

/** Longest subject of a person, in UTF-16 units. */
export const longestSubject = 255;

/** A person's session, as their browser keeps it, sealed. Times in ms since the epoch. */
const sessionShape = z.strictObject({
  /** So that what is sealed for one purpose serves no other. */
  for: z.literal('session'),
  id: z.string().regex(/^[A-Za-z0-9_-]{22}$/),
  issuer: z.string().max(500),
  sub: z.string().max(longestSubject),
  name: z.string().max(200).nullable(),
  /** Those that `auth.access` named at the login, as it calls them. */
  groups: z.array(z.string()).max(1_000),
  end: z.number(),
});
export type Session = z.infer<typeof sessionShape>;

/** A login that was begun in a browser. */
const loginShape = z.strictObject({
  for: z.literal('login'),
  state: z.string().max(100),
  nonce: z.string().max(100),
  verifier: z.string().max(200),
  returnTo: z.string().max(1_024),
  end: z.number(),
});
export type Login = z.infer<typeof loginShape>;

/** Longest sealed text that is looked at: a browser keeps 4,096 bytes of a cookie, its name and attributes among them. */
export const longestSealed = 3_900;

/** Seals by the key that seals now. The end is in what is sealed, and looked at by whoever opens it. */
export function seal(content: Session | Login, { sealing }: OpenKeys): Promise<string> {
  return sealData(content, { password: passwords([sealing]), ttl: 0 });
}

/** The session in a sealed text; null where no key opens it, or it holds something else. */
export async function openSession(sealed: string, keys: OpenKeys): Promise<Session | null> {
  const read = sessionShape.safeParse(await opened(sealed, keys));
  return read.success ? read.data : null;
}

/** The login in a sealed text; null as above. */
export async function openLogin(sealed: string, keys: OpenKeys): Promise<Login | null> {
  const read = loginShape.safeParse(await opened(sealed, keys));
  return read.success ? read.data : null;
}

async function opened(sealed: string, { opening }: OpenKeys): Promise<unknown> {
  if (sealed.length > longestSealed) return null;
  return unsealData<object>(sealed, { password: passwords(opening), ttl: 0 });
}

/** Keys as iron-session takes them: by a whole number, which stands in what is sealed. */
function passwords(keys: readonly SigningKey[]): Record<string, string> {
  return Object.fromEntries(keys.map(({ id, secret }) => [String(numberOf(id)), secret.toString('base64url')]));
}

/** Ids that `newKey` makes have 8 hex digits; another one, written by hand, is told apart by a digest. */
function numberOf(id: string): number {
  if (/^[0-9a-f]{8}$/.test(id)) return Number.parseInt(id, 16);
  return createHmac('sha256', 'plumbline session key').update(id).digest().readUInt32BE() + 2 ** 32;
}

/** The word that a link must carry to end a session: only its own pages know it, so no other site can log anybody out. */
export function logoutWord(sessionId: string, { sealing }: OpenKeys): string {
  return wordBy(sealing, sessionId).toString('base64url');
}

/** True for the word of that session, by any key that is open. */
export function isLogoutWord(word: string, sessionId: string, { opening }: OpenKeys): boolean {
  const given = Buffer.from(word.slice(0, 100), 'base64url');
  return opening.some((key) => {
    const right = wordBy(key, sessionId);
    return given.length === right.length && timingSafeEqual(given, right);
  });
}

function wordBy({ secret }: SigningKey, sessionId: string): Buffer {
  return createHmac('sha256', secret).update(`plumbline logout\n${sessionId}`).digest();
}
