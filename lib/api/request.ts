import { z } from 'zod';
import { parseColumnMode } from '../domain/matrix/column-mode.ts';
import { parseVerdicts } from '../domain/matrix/matrix-view.ts';
import { FleetView } from './fleet.ts';
import { labelFilter } from './object-filter.ts';

/** No parameters at all. */
export const NoQuery = z.object({});

/** Query of GET /api/v1/fleet: the view, and whether all causes are wanted or the first five. */
export const FleetQuery = FleetView.extend({
  columns: z
    .string()
    .refine((text) => parseColumnMode(text) !== null, {
      error: 'must be delivery, reconciler, kind, group, namespace or label:<key>',
    })
    .default('delivery')
    .meta({ description: 'What makes a column: delivery, reconciler, kind, group, namespace or label:<key>.' }),
  verdict: z
    .string()
    .refine((text) => parseVerdicts(text) !== null, { error: 'must be verdicts, comma-separated' })
    .default(''),
  label: labelFilter,
  causes: z.enum(['first', 'all']).default('first'),
});
export type FleetQuery = z.infer<typeof FleetQuery>;

/** Query that names one object. `group` is '' for the core group, `namespace` '' for a cluster-scoped object. */
export const ObjectQuery = z.object({
  cluster: z.string().min(1),
  group: z.string().default(''),
  kind: z.string().min(1),
  namespace: z.string().default(''),
  name: z.string().min(1),
});
export type ObjectQuery = z.infer<typeof ObjectQuery>;

/** When the page that opens a stream was made (its `asOf`): what changed since comes as frames, or as `reset` where it cannot. */
const after = z.iso.datetime({ offset: true }).or(z.literal('')).default('');

/** How every stream may be joined. `lastEventId` is the Last-Event-ID of a page that opens its streams itself. */
const arrival = { after, lastEventId: z.string().default('') };

/** Queries of GET /api/v1/stream, by topic. */
export const StreamQueries = {
  head: z.object({ topic: z.literal('head'), ...arrival }),
  fleet: FleetQuery.omit({ causes: true }).extend({ topic: z.literal('fleet'), ...arrival }),
  cluster: z.object({ topic: z.literal('cluster'), cluster: z.string().min(1), ...arrival }),
  object: ObjectQuery.extend({ topic: z.literal('object'), ...arrival }),
} as const;
