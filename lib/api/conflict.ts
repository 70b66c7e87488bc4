import { z } from 'zod';
import { conflictKinds } from '../domain/observation/conflict.ts';
import { OwnershipFilter } from './exemption.ts';
import { Time, WireConflict } from './object.ts';
import { endpoint } from './endpoint.ts';
import { someOf } from './params.ts';

/** Query of GET /api/v1/conflicts. `kind` is that of the resource or of one of its owners. */
export const ConflictFilter = OwnershipFilter.extend({
  conflict: someOf(conflictKinds, 'kinds of conflicts').meta({
    description: `Kinds of conflicts, comma-separated: ${conflictKinds.join(', ')}.`,
  }),
  by: z.string().default('').meta({ description: 'Name of one of the owners: an object, or a field manager.' }),
});
export type ConflictFilter = z.infer<typeof ConflictFilter>;

/** Answer of GET /api/v1/conflicts: the surest kind first, then by cluster and resource. */
export const WireConflictList = z.object({
  asOf: Time,
  rows: z.array(WireConflict),
  /** Number of those listed that match. */
  total: z.number(),
  counts: z.array(z.object({ kind: z.enum(conflictKinds), count: z.number() })),
  /** Conflicts that are known of and not listed: a cluster lists so many of its own and no more. */
  notListed: z.number(),
  nextCursor: z.string().nullable(),
  partial: z.array(z.string()),
});
export type WireConflictList = z.infer<typeof WireConflictList>;

export const conflictsApi = endpoint({
  path: '/api/v1/conflicts',
  summary: 'Resources with more than one manager; a page as JSON or all of them as CSV',
  query: ConflictFilter,
  answer: WireConflictList,
  name: 'ConflictList',
  at: false,
});
