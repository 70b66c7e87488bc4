import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import type { WireNotThere } from './refusals/not-there.ts';
import { Time, WireChange } from './object.ts';
import { limitOf, timeOrNone } from './params.ts';
import type { WireNotedTransition } from './transition.ts';

/** Query of GET /api/v1/changes: a span of time, its ends included. */
export const ChangesQuery = z.object({
  cluster: z.string().default('').meta({ description: 'Name of a cluster; all where absent.' }),
  from: timeOrNone.default('').meta({ description: 'RFC 3339; 24 h before `to` where absent.' }),
  to: timeOrNone.default('').meta({ description: 'RFC 3339; now where absent.' }),
  limit: limitOf(1000, 200),
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

/** Contents of the page of changes: what happened from one moment to another, newest first. Times as in `Time`. */
export interface Changed {
  readonly asOf: string;
  readonly from: string;
  readonly to: string;
  /** True if it goes up to now. */
  readonly upToNow: boolean;
  /** '' for all. */
  readonly cluster: string;
  /** Names of the clusters that can be asked for. */
  readonly clusters: readonly string[];
  /** Number of both in the period; of changes of verdict up to `mostCounted`, which then stands for that many or more. */
  readonly total: { readonly transitions: number; readonly changes: number };
  /** Those that are listed. By when they were noticed. */
  readonly transitions: readonly WireNotedTransition[];
  /** By when they happened, or had happened at the latest. */
  readonly changes: readonly WireChange[];
  /** There is more than is shown: of what happened at this moment and before nothing stands here; null where all of it does. */
  readonly back: string | null;
  /** Of one moment there was more than can be shown; the rest of it does not stand here. */
  readonly crowded: boolean;
  /** Since when there is a record; null where there is none. */
  readonly recordedSince: string | null;
  /** The share of the time of all objects in which they were being observed, 0 to 1; null where there were none. */
  readonly observed: number | null;
}

/** Changes of verdict are counted up to this many. */
export const mostCounted = 100_000;

/** Why there is nothing to show. */
export type NotChanged =
  | { readonly type: 'bad-period'; readonly message: string }
  | { readonly type: 'not-there'; readonly names: readonly WireNotThere[] }
  | { readonly type: 'unreadable' };
