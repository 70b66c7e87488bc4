import { z } from 'zod';
import { verdicts } from '../domain/verdict.ts';
import { Time } from './object.ts';

/** Periods that end now and have a name. */
export const lasts = ['6h', '24h', '7d', '30d', '90d'] as const;
export type Last = (typeof lasts)[number];

const moment = z.iso.datetime({ offset: true, error: 'must be a time as in RFC 3339' }).or(z.literal(''));

/** A period of the record, half-open: `from` and `to`, or the `last` hours or days up to `to`. */
export const periodShape = {
  from: moment.default('').meta({ description: 'RFC 3339; `last` before `to` where absent.' }),
  to: moment.default('').meta({ description: 'RFC 3339; now where absent or later than now.' }),
  last: z.enum(lasts).default('24h').meta({ description: 'How far back, where `from` is absent.' }),
};

/** Which objects of the record, '' meaning "any". */
export const recordShape = {
  cluster: z.string().default('').meta({ description: 'Name of a cluster; several with commas.' }),
  group: z.string().default('').meta({ description: 'API group; "-" for the core group. Counts with `kind` only.' }),
  kind: z.string().default(''),
  namespace: z.string().default('').meta({ description: 'Namespace; "-" for cluster-scoped objects.' }),
  name: z.string().default(''),
};

/** Query of GET /api/v1/history. `width` is that of a lane in px: what is too short for it comes gathered. */
export const HistoryQuery = z.object({
  ...recordShape,
  ...periodShape,
  width: z.coerce.number().int().min(100).max(4000).default(1000),
  limit: z.coerce.number().int().min(1).max(500).default(60),
  cursor: z.string().default(''),
});
export type HistoryQuery = z.infer<typeof HistoryQuery>;

/** What can stand on a timeline: a verdict, not there, or nothing recorded. */
export const WireState = z.enum([...verdicts, 'absent', 'not-recorded']);
export type WireState = z.infer<typeof WireState>;

/** One mark of a lane. */
export const WireMarkOfTime = z.object({
  from: Time,
  to: Time,
  state: WireState,
  /** How many events are too short to be told apart and stand here together, under the worst of them; 1 where it is one. */
  events: z.number(),
  /** When the state began that it is named by, within it. */
  at: Time,
  /** How many objects of the lane were in that state. */
  objects: z.number(),
  /** Of a lane that is one object: why it was in that state, and what ran. */
  reason: z.string().nullable(),
  commit: z.string().nullable(),
  /** Of a lane that is one object, and of one event: when it began on the cluster, where that is earlier than it was known. */
  onset: z.object({ time: Time, bound: z.enum(['exact', 'at-least']) }).nullable(),
});
export type WireMarkOfTime = z.infer<typeof WireMarkOfTime>;

/** One lane: an object, or several by the worst of them at every moment. */
export const WireLane = z.object({
  key: z.string(),
  title: z.string(),
  /** What it is: "Kustomization in flux-system", "12 objects"; '' where the title says it. */
  note: z.string(),
  objects: z.number(),
  /** Its page here; with `?at=` as it was then. */
  href: z.string(),
  /** The lanes that it is made of; null where it is one object. */
  history: z.string().nullable(),
  marks: z.array(WireMarkOfTime),
  /** Object-ms in the period: in which they existed, of these the observed, of these the converged. */
  existed: z.number(),
  observed: z.number(),
  converged: z.number(),
});
export type WireLane = z.infer<typeof WireLane>;

/** What a reconciler told of the time before Plumbline looked; what lay between two of them is not told. */
export const WireEarlier = z.object({
  from: Time,
  to: Time,
  good: z.boolean(),
  status: z.string(),
  revision: z.string().nullable(),
});
export type WireEarlier = z.infer<typeof WireEarlier>;

/** Answer of GET /api/v1/history. */
export const WireHistory = z.object({
  asOf: Time,
  /** The period as it is shown. Where more is recorded than can be read at once, `from` is later than was asked. */
  from: Time,
  to: Time,
  askedFrom: Time,
  /** Since when there is a record of these; null where there is none. */
  recordedSince: Time.nullable(),
  /** So many objects are named that no period of them can be shown at once: there are no lanes. */
  tooMany: z.boolean(),
  /** What a lane is: one object, a kind on one cluster, or what is asked for on one cluster. */
  by: z.enum(['object', 'kind', 'cluster']),
  lanes: z.array(WireLane),
  total: z.number(),
  nextCursor: z.string().nullable(),
  /** Of one object only. */
  earlier: z.array(WireEarlier),
});
export type WireHistory = z.infer<typeof WireHistory>;
