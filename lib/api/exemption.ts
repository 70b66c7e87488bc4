import { z } from 'zod';
import { exemptionKinds, exemptionSorts } from '../domain/exemption/exemption.ts';
import { Time, VerdictName, WireExemption, WireRef } from './object.ts';
import { endpoint } from './endpoint.ts';
import { ListFormat, pageShape, recordShape, someOf, searchText } from './params.ts';

/** Filter of both exemptions and conflicts, '' meaning "any". */
export const OwnershipFilter = z.object({
  cluster: recordShape.cluster,
  kind: z.string().default('').meta({ description: 'Kind of the object or resource.' }),
  namespace: recordShape.namespace,
  q: searchText.meta({ description: 'Free text.' }),
  ...pageShape(2000, 200),
  format: ListFormat,
});

/** Query of GET /api/v1/exemptions. */
export const ExemptionFilter = OwnershipFilter.extend({
  exemption: someOf(exemptionKinds, 'kinds of exemptions').meta({
    description: `Kinds of exemptions, comma-separated: ${exemptionKinds.join(', ')}.`,
  }),
  by: z.string().default('').meta({ description: 'Field manager that set it; "-" where nobody is known to have.' }),
});
export type ExemptionFilter = z.infer<typeof ExemptionFilter>;

/** One exemption on one object. */
export const WireExemptionRow = z.object({
  object: WireRef.extend({ verdict: VerdictName }),
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
