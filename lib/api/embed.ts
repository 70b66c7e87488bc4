import { z } from 'zod';
import { Time } from './object.ts';
import { endpoint } from './endpoint.ts';

/** Light, dark, or as the reader's browser is. */
export const EmbedTheme = z.enum(['auto', 'light', 'dark']);
export type EmbedTheme = z.infer<typeof EmbedTheme>;

/** Query of GET /api/v1/link: what the links are to show, as `parseScope` reads it. */
export const LinkQuery = z.object({
  scope: z.string().min(1).meta({ description: 'fleet, label:KEY=VALUE, cluster:NAME, column:ID or object:KEY.' }),
  theme: EmbedTheme.default('auto'),
  days: z
    .enum(['30', '90', '365'])
    .default('90')
    .meta({ description: 'For how long the links open, but no longer than embeds.mostDays says.' }),
});
export type LinkQuery = z.infer<typeof LinkQuery>;

/** Signed links of one scope: paths of this server, to be put behind the address under which readers reach it. */
const SignedLinks = z.object({
  type: z.literal('signed'),
  scope: z.string(),
  /** Title of what they show, in words. */
  title: z.string(),
  embed: z.string(),
  badge: z.string(),
  /** The page of Plumbline that shows the same. */
  page: z.string(),
  expires: Time,
  /** Id of both: `plumbline links --revoke` closes them by it. */
  id: z.string(),
  /** Which key signed them: revoking it closes them. */
  key: z.string(),
  /** The sites that may frame an embed; none where plumbline.yaml names none. */
  frameAncestors: z.array(z.string()),
  /** Origin under which readers reach them (publicUrl); null where plumbline.yaml names none. */
  origin: z.string().nullable(),
  /** For how many days a link opens at most that is made here. */
  mostDays: z.int(),
});

/** Answer of GET /api/v1/link: links, or why none can be signed here. */
export const WireLink = z.discriminatedUnion('type', [
  SignedLinks,
  z.object({
    type: z.literal('not-signed'),
    /**
     * `too-many`: readers have made as many as may open at once. `too-many-today`: this one has made as many as one may in a day.
     * `not-link-maker`: who asks has not that role. `not-kept`: the list of links cannot be written.
     */
    why: z.enum([
      'off',
      'not-link-maker',
      'not-configured',
      'missing',
      'exposed',
      'unreadable',
      'malformed',
      'all-revoked',
      'too-many',
      'too-many-today',
      'not-kept',
    ]),
  }),
]);
export type WireLink = z.infer<typeof WireLink>;

export const linkApi = endpoint({
  path: '/api/v1/link',
  summary: 'Signed links to an embed and a badge of a scope, where plumbline.yaml lets readers make them',
  query: LinkQuery,
  answer: WireLink,
  name: 'Link',
  at: false,
  header: { name: 'Plumbline-Link', value: 'sign' },
});
