import { z } from 'zod';
import { exemptionKinds, exemptionSorts } from '../domain/exemption/exemption.ts';
import { Time, VerdictName, WireExemption } from './object.ts';
import { endpoint } from './endpoint.ts';

const kindNames: ReadonlySet<string> = new Set(exemptionKinds);

/** The words of a list with commas, each once. */
export function wordsOf(text: string): readonly string[] {
  const words = text.split(',').map((word) => word.trim());
  return [...new Set(words.filter((word) => word !== ''))];
}

/** Format of an answer of a list: a page of it as JSON, or all of it as CSV. */
export const ListFormat = z
  .enum(['json', 'csv'])
  .default('json')
  .meta({ description: 'json: a page; csv: all that match, as a file.' });

/** Filter of both exemptions and conflicts, '' meaning "any". */
export const OwnershipFilter = z.object({
  cluster: z.string().default('').meta({ description: 'Name of a cluster; several with commas.' }),
  kind: z.string().default('').meta({ description: 'Kind of the object or resource.' }),
  namespace: z.string().default('').meta({ description: 'Namespace; "-" for cluster-scoped objects.' }),
  q: z.string().default('').meta({ description: 'Free text.' }),
  limit: z.coerce.number().int().min(1).max(2000).default(200),
  cursor: z.string().default(''),
  format: ListFormat,
});

/** Query of GET /api/v1/exemptions. `cursor` is the `nextCursor` of the answer before. */
export const ExemptionFilter = OwnershipFilter.extend({
  exemption: z
    .string()
    .refine((text) => wordsOf(text).every((word) => kindNames.has(word)), {
      error: `must be kinds of exemptions, comma-separated: ${exemptionKinds.join(', ')}`,
    })
    .default('')
    .meta({ description: `Kinds of exemptions, comma-separated: ${exemptionKinds.join(', ')}.` }),
  by: z.string().default('').meta({ description: 'Field manager that set it; "-" where nobody is known to have.' }),
});
export type ExemptionFilter = z.infer<typeof ExemptionFilter>;

/** One exemption on one object. */
export const WireExemptionRow = z.object({
  object: z.object({
    cluster: z.string(),
    group: z.string(),
    kind: z.string(),
    namespace: z.string(),
    name: z.string(),
    verdict: VerdictName,
  }),
  exemption: WireExemption,
  links: z.object({ self: z.string() }),
});
export type WireExemptionRow = z.infer<typeof WireExemptionRow>;

/** Answer of GET /api/v1/exemptions: by kind in the order of the list, then by cluster and name. */
export const WireExemptionList = z.object({
  asOf: Time,
  rows: z.array(WireExemptionRow),
  /** Number that match in all. */
  total: z.number(),
  /** Per kind of exemption, in the order of the list, over all that match everything but that filter. */
  counts: z.array(z.object({ kind: z.string(), sort: z.enum(exemptionSorts), count: z.number() })),
  /** Objects that have any of them, and how many objects were looked through. */
  objects: z.object({ exempt: z.number(), all: z.number() }),
  nextCursor: z.string().nullable(),
  /** Names of what could not be seen and therefore may be missing, in words. */
  partial: z.array(z.string()),
});
export type WireExemptionList = z.infer<typeof WireExemptionList>;

export const exemptionsApi = endpoint({
  path: '/api/v1/exemptions',
  summary: 'What weakens the guarantee, by kind; a page as JSON or all of it as CSV',
  query: ExemptionFilter,
  answer: WireExemptionList,
  name: 'ExemptionList',
  at: false,
});
