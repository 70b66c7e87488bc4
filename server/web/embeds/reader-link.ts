import type { EmbedTheme, WireLink } from '#lib/api/embed.ts';
import type { EmbedScope } from '#lib/domain/matrix/embed-scope.ts';
import { scopeText } from '#lib/domain/matrix/embed-scope.ts';
import type { EmbedContent } from '#lib/draw/embed/embed-content.ts';
import { day, hour } from '#lib/domain/time/length.ts';
import type { EmbedSettings } from '#server/config/schema.ts';
import type { Clock } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import { wireTime } from '../wire/wire-time.ts';
import { signingKey, type RingState } from './key-file.ts';
import type { LinkList } from './link-list.ts';
import type { LinkAllowance } from './link-allowance.ts';
import { signedLink } from './signed-link.ts';

/** Sources of what signs links for readers. */
export interface ReaderLinkDeps {
  readonly links: LinkList;
  /** Bound on what one reader makes. */
  readonly allowance: LinkAllowance;
  readonly settings: Pick<EmbedSettings, 'frameAncestors' | 'readersSign'>;
  /** Origin by which people reach the pages; null where only this machine does. */
  readonly publicUrl: string | null;
  readonly clock: Clock;
  readonly log: Log;
}

/** Links that a reader asks for. */
export interface ReaderOrder {
  readonly scope: EmbedScope;
  readonly theme: EmbedTheme;
  /** Who asks, as `askerOf` tells readers apart. */
  readonly by: string;
  /** Days for which they are to open, and the most for which any does. */
  readonly days: number;
  readonly mostDays: number;
}

/** So many links of readers may open at once: who makes more shuts out nobody who holds the key. Looking again makes none. */
const bounds = { most: 1_000, sameWithin: hour };

/** Signs the links of a reader's order, kept in the list before they are handed out; `shown` is what they show. */
export function readerLink(
  { scope, by, theme, days, mostDays }: ReaderOrder,
  { title, href: page }: Pick<EmbedContent, 'title' | 'href'>,
  ring: RingState,
  { links, allowance, settings, publicUrl, clock, log }: ReaderLinkDeps,
): WireLink {
  if (ring.type !== 'keys') return { type: 'not-signed', why: ring.type === 'unusable' ? ring.why : 'not-configured' };
  const key = signingKey(ring.keys);
  if (key === null) return { type: 'not-signed', why: 'all-revoked' };
  const madeAt = clock.now();
  const named = scopeText(scope);
  const mayMake = allowance.has(by, madeAt);
  const order = { scope: named, key: key.id, by: 'reader', madeAt, endsAt: madeAt + days * day } as const;
  // Whoever may make none today is still given what is there.
  const kept = links.keep(order, mayMake ? bounds : { ...bounds, most: 0 });
  switch (kept.type) {
    case 'full':
      return { type: 'not-signed', why: mayMake ? 'too-many' : 'too-many-today' };
    case 'unusable':
      log.warn({ reason: kept.why }, 'the list of links cannot be written');
      return { type: 'not-signed', why: 'not-kept' };
    case 'kept': {
      const { id, endsAt } = kept.link;
      const expires = wireTime(endsAt);
      if (kept.isNew) {
        allowance.take(by, madeAt);
        // Whoever has a signature has the link: a log names none.
        log.info({ id, scope: named, expires, key: key.id }, 'a link was signed for a reader');
      }
      const signing = { scope, theme, expires: endsAt, id };
      return {
        type: 'signed',
        scope: named,
        title,
        embed: signedLink({ ...signing, form: 'embed' }, key),
        badge: signedLink({ ...signing, form: 'badge' }, key),
        page,
        expires,
        id,
        key: key.id,
        frameAncestors: [...settings.frameAncestors],
        origin: publicUrl,
        mostDays,
      };
    }
  }
}
