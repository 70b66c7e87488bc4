import { z } from 'zod';
import { Time, WireChange } from './object.ts';
import { endpoint } from './endpoint.ts';

const moment = z.iso.datetime({ offset: true, error: 'must be a time as in RFC 3339' }).or(z.literal(''));

/** Query of GET /api/v1/changes: a span of time, its ends included. */
export const ChangesQuery = z.object({
  cluster: z.string().default('').meta({ description: 'Name of a cluster; all where absent.' }),
  from: moment.default('').meta({ description: 'RFC 3339; 24 h before `to` where absent.' }),
  to: moment.default('').meta({ description: 'RFC 3339; now where absent.' }),
  limit: z.coerce.number().int().min(1).max(1000).default(200),
});
export type ChangesQuery = z.infer<typeof ChangesQuery>;

/** Answer of GET /api/v1/changes: what was changed, or may have been, within the span, newest first. */
export const WireChangeList = z.object({
  asOf: Time,
  from: Time,
  to: Time,
  changes: z.array(WireChange),
  /** There were more than are listed: ask again up to the time of the last. */
  more: z.boolean(),
});
export type WireChangeList = z.infer<typeof WireChangeList>;

export const changesApi = endpoint({
  path: '/api/v1/changes',
  summary: 'What was changed on clusters, newest first',
  query: ChangesQuery,
  answer: WireChangeList,
  name: 'ChangeList',
  at: false,
});
