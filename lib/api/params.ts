import { z } from 'zod';
import { parseLabels } from '../domain/matrix/matrix-view.ts';

/** A time on the wire: RFC 3339 in UTC with milliseconds. */
export const Time = z.string();

/** The words of a list with commas, each once. */
export function wordsOf(text: string): readonly string[] {
  const words = text.split(',').map((word) => word.trim());
  return [...new Set(words.filter((word) => word !== ''))];
}

/** Some of these names with commas, '' for any; `what` calls them: "kinds of conflicts". */
export function someOf(names: readonly string[], what: string) {
  const known: ReadonlySet<string> = new Set(names);
  return z
    .string()
    .refine((text) => wordsOf(text).every((word) => known.has(word)), {
      error: `must be ${what}, comma-separated: ${names.join(', ')}`,
    })
    .default('');
}

/** Which clusters by their labels. */
export const labelFilter = z
  .string()
  .refine((text) => parseLabels(text) !== null, { error: 'must be key=value, comma-separated' })
  .default('');

/** No field that is searched is longer than that. */
const longestSearch = 1_024;

/** Free text, which is sought in every field of every object. */
export const searchText = z
  .string()
  .max(longestSearch, { error: `must be ${longestSearch} characters at most` })
  .default('');

/** Which objects of the record, '' meaning "any". */
export const recordShape = {
  cluster: z.string().default('').meta({ description: 'Name of a cluster; several with commas; all where absent.' }),
  group: z.string().default('').meta({ description: 'API group; "-" for the core group. Counts with `kind` only.' }),
  kind: z.string().default(''),
  namespace: z.string().default('').meta({ description: 'Namespace; "-" for cluster-scoped objects.' }),
  name: z.string().default(''),
};

/** Periods that end now and have a name. */
export const lasts = ['6h', '24h', '7d', '30d', '90d'] as const;
export type Last = (typeof lasts)[number];

/** A time as in RFC 3339, or ''. */
export const timeOrNone = z.iso.datetime({ offset: true, error: 'must be a time as in RFC 3339' }).or(z.literal(''));

/** A period of the record, half-open: `from` and `to`, or the `last` hours or days up to `to`. */
export const periodShape = {
  from: timeOrNone.default('').meta({ description: 'RFC 3339; `last` before `to` where absent.' }),
  to: timeOrNone.default('').meta({ description: 'RFC 3339; now where absent or later than now.' }),
  last: z.enum(lasts).default('24h').meta({ description: 'How far back, where `from` is absent.' }),
};

/** Format of an answer of a list: a page of it as JSON, or all of it as CSV. */
export const ListFormat = z
  .enum(['json', 'csv'])
  .default('json')
  .meta({ description: 'json: a page; csv: all that match, as a file.' });

/** Number of items of a page, from 1 to `most`. */
export function limitOf(most: number, usual: number) {
  return z.coerce.number().int().min(1).max(most).default(usual);
}

/** A page of a list. */
export function pageShape(most: number, usual: number) {
  const cursor = z.string().default('').meta({ description: '`nextCursor` of the answer before.' });
  return { limit: limitOf(most, usual), cursor };
}
