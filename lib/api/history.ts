import { z } from 'zod';
import { verdicts } from '../domain/verdict/verdict.ts';
import { Bound, Time } from './object.ts';
import { endpoint } from './endpoint.ts';
import { ListFormat, pageShape, periodShape, recordShape } from './params.ts';

/** Query of GET /api/v1/history. */
export const HistoryQuery = z.object({
  ...recordShape,
  ...periodShape,
  width: z.coerce
    .number()
    .int()
    .min(100)
    .max(4000)
    .default(1000)
    .meta({ description: 'Width of a lane in px, for `marks`: what is too short for it comes gathered.' }),
  rows: z.coerce
    .number()
    .int()
    .min(0)
    .max(1000)
    .default(100)
    .meta({ description: 'How many `rows` of each lane, the newest; CSV has all of them.' }),
  ...pageShape(500, 60),
  format: ListFormat,
});
export type HistoryQuery = z.infer<typeof HistoryQuery>;

/** State on a timeline: a verdict, not there, or nothing recorded. */
export const WireState = z.enum([...verdicts, 'absent', 'not-recorded']);
export type WireState = z.infer<typeof WireState>;

const laneTime = {
  from: Time,
  to: Time,
  state: WireState,
  /** Number of objects of the lane in that state, and number that were there then; of several moments the most at once. */
  objects: z.number(),
  of: z.number(),
  /** Of a lane that is one object: why it was in that state, and what ran. */
  reason: z.string().nullable(),
  commit: z.string().nullable(),
  /** Of a lane that is one object: when it began on the cluster, where that is earlier than it was known. */
  onset: z.object({ time: Time, bound: Bound }).nullable(),
};

/** A state of a lane as recorded, cut to the period; of several objects the worst of them, from one change of it to the next. */
export const WireLaneRow = z.object({
  ...laneTime,
  /** As many objects were in that state, of as many, all the time. */
  steady: z.boolean(),
});
export type WireLaneRow = z.infer<typeof WireLaneRow>;

/** One mark of a lane, as drawn. Where it is gathered (`changes` above 0) `state` is only the worst within it; `rows` have the times. */
export const WireMarkOfTime = z.object({
  ...laneTime,
  /** Number of changes within it, too close to be told apart; 0 for a state as it is. */
  changes: z.number(),
  /** When the state began that it is named by, within it. */
  at: Time,
  /** The share of the objects there that was in each state, over the time of the mark; worst first. */
  shares: z.array(z.object({ state: WireState, share: z.number() })),
});
export type WireMarkOfTime = z.infer<typeof WireMarkOfTime>;

/** One lane: an object, or several at once. */
export const WireLane = z.object({
  key: z.string(),
  title: z.string(),
  /** Note on what it is: "Kustomization in flux-system", "12 objects"; '' where the title says it. */
  note: z.string(),
  objects: z.number(),
  /** Its page here; with `?at=` as it was then. */
  href: z.string(),
  /** The lanes that it is made of; null where it is one object. */
  history: z.string().nullable(),
  marks: z.array(WireMarkOfTime),
  /** The newest states, oldest first, and how many there are in the period. */
  rows: z.array(WireLaneRow),
  rowsTotal: z.number(),
  /** Object-ms in the period: in which they existed, of these the observed, of these the converged. */
  existed: z.number(),
  observed: z.number(),
  converged: z.number(),
});
export type WireLane = z.infer<typeof WireLane>;

/** Word of a reconciler on the time before Plumbline looked; what lay between two of them is not told. */
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
  /** Scope of a lane: one object, a kind on one cluster, or what is asked for on one cluster. */
  by: z.enum(['object', 'kind', 'cluster']),
  lanes: z.array(WireLane),
  total: z.number(),
  nextCursor: z.string().nullable(),
  /** Of one object only. */
  earlier: z.array(WireEarlier),
});
export type WireHistory = z.infer<typeof WireHistory>;

export const historyApi = endpoint({
  path: '/api/v1/history',
  summary:
    'Timelines of one object, of the kinds or objects of a cluster, or one lane per cluster; a page as JSON or every row as CSV',
  query: HistoryQuery,
  answer: WireHistory,
  name: 'History',
  at: true,
});
