import { z } from 'zod';
import { Time, WireRef } from './object.ts';
import { endpoint } from './endpoint.ts';
import { ListFormat, pageShape, periodShape, recordShape } from './params.ts';

/** Certainty that drift was undone; see docs/reconcilers.md. */
export const certainties = ['confirmed', 'probable', 'contested'] as const;

/** Query of GET /api/v1/corrections. */
export const CorrectionFilter = z.object({
  ...recordShape,
  ...periodShape,
  last: periodShape.last.default('30d'),
  certainty: z.enum(['', ...certainties]).default(''),
  ...pageShape(1000, 100),
  format: ListFormat,
});
export type CorrectionFilter = z.infer<typeof CorrectionFilter>;

/** One drift that was found and undone. Clients of the API server thin out events, so `count` is "at least". */
export const WireCorrection = z.object({
  ref: WireRef,
  at: Time,
  certainty: z.enum(certainties),
  said: z.string(),
  count: z.number(),
  links: z.object({ self: z.string() }),
});
export type WireCorrection = z.infer<typeof WireCorrection>;

/** Number of corrections by how certain they are. */
export const WireCertainties = z.object({ confirmed: z.number(), probable: z.number(), contested: z.number() });

/** Number of corrections on one UTC day; `day` is its beginning. */
export const WireCorrectionDay = WireCertainties.extend({ day: Time });
export type WireCorrectionDay = z.infer<typeof WireCorrectionDay>;

/** Answer of GET /api/v1/corrections. */
export const WireCorrectionList = z.object({
  asOf: Time,
  from: Time,
  to: Time,
  recordedSince: Time.nullable(),
  rows: z.array(WireCorrection),
  /** Every day of the period, oldest first, of all certainties. */
  days: z.array(WireCorrectionDay),
  /** The objects that drift most, of all certainties. */
  most: z.array(z.object({ ref: WireRef, count: z.number(), contested: z.number(), href: z.string() })),
  /** From how many of the newest entries `most` is counted, where not from all. */
  mostOf: z.number().nullable(),
  /** Said where no object was ever there of which all the names asked for are true; null where one was. */
  notRecorded: z.string().nullable(),
  nextCursor: z.string().nullable(),
});
export type WireCorrectionList = z.infer<typeof WireCorrectionList>;

export const correctionsApi = endpoint({
  path: '/api/v1/corrections',
  summary: 'Drift that was found and undone; a page as JSON or all of it as CSV',
  query: CorrectionFilter,
  answer: WireCorrectionList,
  name: 'CorrectionList',
  at: true,
});
