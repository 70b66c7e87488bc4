import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { EmbedTheme } from '#lib/api/embed.ts';
import type { EmbedForm, EmbedScope } from '#lib/domain/matrix/embed-scope.ts';
import { scopeOfPath, scopePath } from '#lib/domain/matrix/embed-scope.ts';
import { keyOf, type RingState, type SigningKey } from './key-file.ts';
import { isLinkId } from './link-list.ts';

/** Target of a link, and the end of its validity. */
export interface LinkOrder {
  readonly scope: EmbedScope;
  readonly form: EmbedForm;
  readonly theme: EmbedTheme;
  /** ms since the epoch, exclusive; cut to the second. */
  readonly expires: number;
  /** Id in the list of links (`LinkList`); null for a link as it was signed before there was one. */
  readonly id: string | null;
}

/** Result of opening the link of a request for an embed or a badge. */
export type OpenedLink =
  | {
      readonly type: 'open';
      readonly form: EmbedForm;
      readonly scope: EmbedScope;
      readonly theme: EmbedTheme;
      readonly id: string | null;
      /** Asked for by the page itself, to lie over what it showed at first. */
      readonly within: boolean;
    }
  | { readonly type: 'refused'; readonly form: EmbedForm; readonly why: 'not-signed' | 'revoked' | 'expired' };

/**
 * Signature: HMAC-SHA256 over path (form and scope, each scope has one), end, key id and id, so that none of
 * them can be changed. The theme only paints.
 */
function signatureOf(key: SigningKey, path: string, expires: string, id: string | null): string {
  const [form, named] = id === null ? [1, ''] : [2, `\n${id}`];
  return createHmac('sha256', key.secret)
    .update(`plumbline link ${form}\n${path}\n${expires}\n${key.id}${named}`)
    .digest('base64url');
}

/** The path and query of a link that `key` signs. */
export function signedLink({ scope, form, theme, expires, id }: LinkOrder, key: SigningKey): string {
  const path = scopePath(scope, form);
  const end = String(Math.floor(expires / 1000));
  const query = new URLSearchParams({ expires: end, key: key.id });
  if (id !== null) query.set('id', id);
  query.set('signature', signatureOf(key, path, end, id));
  if (theme !== 'auto') query.set('theme', theme);
  return `${path}?${query.toString()}`;
}

/** Opens a link at `now` (ms), or refuses, by the target of its request (path and query as they came). */
export function openLink(target: string, ring: RingState, now: number): OpenedLink {
  const cut = target.search(/\?|$/);
  const path = target.slice(0, cut);
  const form: EmbedForm = path.startsWith('/badge/') ? 'badge' : 'embed';
  const refused = (why: Extract<OpenedLink, { type: 'refused' }>['why']): OpenedLink => ({
    type: 'refused',
    form,
    why,
  });
  const named = scopeOfPath(path);
  const query = linkQuery(target.slice(cut + 1));
  if (named === null || query === null) return refused('not-signed');
  const key = keyOf(ring, query.key);
  const id = query.id ?? null;
  if (key === null || !isSame(signatureOf(key, path, query.expires, id), query.signature)) return refused('not-signed');
  if (key.revoked) return refused('revoked');
  if (now >= Number(query.expires) * 1000) return refused('expired');
  return { type: 'open', ...named, theme: query.theme, id, within: query.within !== undefined };
}

/** The target of a request as it may stand in a log: whoever reads that must not be able to open a link, however its query was written. */
export function withoutQuery(target: string): string {
  return target.replace(/\?[^]*/, '?...');
}

/** `as` is for wikis that take an address for a picture only where it ends so: "&as=.svg" (MediaWiki). */
const LinkParameters = z.strictObject({
  expires: z.string().regex(/^[1-9]\d{0,10}$/),
  key: z.string(),
  id: z.string().refine(isLinkId).optional(),
  signature: z.string(),
  theme: EmbedTheme.default('auto'),
  within: z.literal('1').optional(),
  as: z.literal('.svg').optional(),
});

/** The parameters of a link, each at most once and no other; null where one is not as we write it. */
function linkQuery(text: string): z.infer<typeof LinkParameters> | null {
  const entries = [...new URLSearchParams(text)];
  if (new Set(entries.map(([name]) => name)).size !== entries.length) return null;
  return LinkParameters.safeParse(Object.fromEntries(entries)).data ?? null;
}

/** Compared as text, in a time that tells nothing: base64url has several spellings of the same bytes. */
function isSame(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
