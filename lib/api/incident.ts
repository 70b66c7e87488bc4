import { z } from 'zod';
import { verdicts } from '../domain/verdict/verdict.ts';
import { ListFormat, wordsOf } from './exemption.ts';
import { periodShape, recordShape } from './history.ts';
import { Time, VerdictName, WireCause, WireCommitRange, WireRef } from './object.ts';
import { endpoint } from './endpoint.ts';

const verdictNames: ReadonlySet<string> = new Set(verdicts);

/** Query of GET /api/v1/incidents: those that overlap the period. `cursor` is the `nextCursor` of the answer before. */
export const IncidentFilter = z.object({
  ...recordShape,
  ...periodShape,
  last: periodShape.last.default('7d'),
  verdict: z
    .string()
    .refine((text) => wordsOf(text).every((word) => verdictNames.has(word)), {
      error: `must be verdicts, comma-separated: ${verdicts.join(', ')}`,
    })
    .default('')
    .meta({ description: `The worst verdict in it; several with commas: ${verdicts.join(', ')}.` }),
  open: z.enum(['', 'true', 'false']).default('').meta({ description: 'Whether it lasts.' }),
  order: z.enum(['longest', 'newest']).default('newest'),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  cursor: z.string().default(''),
  format: ListFormat,
});
export type IncidentFilter = z.infer<typeof IncidentFilter>;

/** One object from leaving converged until it was home for good. */
export const WireIncident = z.object({
  ref: WireRef,
  openedAt: Time,
  /** `at-least`: it was away already when Plumbline first looked. */
  bound: z.enum(['exact', 'at-least']),
  noticedAt: Time,
  /** null while it lasts. */
  closedAt: Time.nullable(),
  ended: z.enum(['converged', 'removed', 'forgotten']).nullable(),
  worst: VerdictName,
  reason: z.string(),
  cause: WireCause.nullable(),
  /** Between which revisions it broke; null where it did not fail itself, or is not made from revisions. */
  range: WireCommitRange.nullable(),
  /** null where it is not known: no alarm is recorded, and this is not the present. */
  alarm: z.enum(['sounding', 'silent', 'pending', 'not-due', 'unknown']).nullable(),
  links: z.object({ self: z.string(), history: z.string() }),
});
export type WireIncident = z.infer<typeof WireIncident>;

/** Answer of GET /api/v1/incidents. */
export const WireIncidentList = z.object({
  asOf: Time,
  from: Time,
  to: Time,
  recordedSince: Time.nullable(),
  rows: z.array(WireIncident),
  /**
   * Over all of the scope and period, whatever their verdict and whether they last: open = opened + openAtStart - closed - gone.
   * Durations in ms; null of none.
   */
  figures: z.object({
    /** Noticed in the period. */
    opened: z.number(),
    /** Noticed before the period, and lasting as it began. */
    openAtStart: z.number(),
    /** Ended in the period by converging, and how many of them lasted as it began. */
    closed: z.number(),
    closedFromBefore: z.number(),
    /** Ended in the period otherwise: removed, or not watched any more. */
    gone: z.number(),
    /** Lasting as the period ended. */
    open: z.number(),
    medianToConverge: z.number().nullable(),
    /** It may be longer: the beginnings of too many are only known as "at least". */
    medianToConvergeAtLeast: z.boolean(),
  }),
  /** Said where no object was ever there of which all the names asked for are true; null where one was. */
  notRecorded: z.string().nullable(),
  nextCursor: z.string().nullable(),
});
export type WireIncidentList = z.infer<typeof WireIncidentList>;

export const incidentsApi = endpoint({
  path: '/api/v1/incidents',
  summary: 'What left converged until it was converged again; a page as JSON or all of them as CSV',
  query: IncidentFilter,
  answer: WireIncidentList,
  name: 'IncidentList',
  at: true,
});
