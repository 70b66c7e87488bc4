import { z } from 'zod';
import { calledHows } from '../domain/alarm/alarm-figures.ts';
import { alarmLinks, alarmsUnknown } from '../domain/alarm/link.ts';
import { verdicts } from '../domain/verdict/verdict.ts';
import { AlarmName, Bound, Time, VerdictName, WireCause, WireCommitRange, WireRef } from './object.ts';
import { endpoint } from './endpoint.ts';
import { ListFormat, pageShape, periodShape, recordShape, someOf } from './params.ts';

/** Query of GET /api/v1/absences: those that overlap the period. */
export const AbsenceFilter = z.object({
  ...recordShape,
  ...periodShape,
  last: periodShape.last.default('7d'),
  verdict: someOf(verdicts, 'verdicts').meta({
    description: `The worst verdict in it; several with commas: ${verdicts.join(', ')}.`,
  }),
  open: z.enum(['', 'true', 'false']).default('').meta({ description: 'Whether it lasts.' }),
  called: someOf(calledHows, 'ways to be called').meta({
    description: `Past policy.alarmWithin at some time in the period, and how somebody was called for it by its end; several with commas: ${calledHows.join(', ')}.`,
  }),
  order: z.enum(['longest', 'newest']).default('newest'),
  ...pageShape(1000, 100),
  format: ListFormat,
});
export type AbsenceFilter = z.infer<typeof AbsenceFilter>;

/** One time that an object was away, on the wire of lists and reports. */
export const WireAway = z.object({
  ref: WireRef,
  openedAt: Time,
  /** `at-least`: it was away already when Plumbline first looked. */
  bound: Bound,
  noticedAt: Time,
  /** null while it lasts; in a report, where it lasted beyond the period. */
  closedAt: Time.nullable(),
  ended: z.enum(['converged', 'removed', 'forgotten']).nullable(),
  worst: VerdictName,
  reason: z.string(),
});

/** Counts that account for every absence of a period: opened + openAtStart = closed + gone + open. */
export const WireAbsenceCounts = z.object({
  /** Noticed in the period. */
  opened: z.number(),
  /** Noticed before the period, and lasting as it began. */
  openAtStart: z.number(),
  /** Ended in the period by converging, and how many of them lasted as it began. */
  closed: z.number(),
  closedFromBefore: z.number(),
  /** Ended in the period otherwise: the object was removed, or its cluster is not watched any more. */
  gone: z.number(),
  /** Lasting as the period ended. */
  open: z.number(),
});

/** One object from leaving converged until it was home for good. */
export const WireAbsence = WireAway.extend({
  cause: WireCause.nullable(),
  /** Between which revisions it broke; null where it did not fail itself, or is not made from revisions. */
  range: WireCommitRange.nullable(),
  /** null where it is not known: no alarm is recorded, and this is not the present. */
  alarm: AlarmName.nullable(),
  /** The first broken link of its chain, where nobody is called; why nothing is known of its alarm, where that is so. */
  broken: z.enum(alarmLinks).nullable(),
  alarmUnknown: z.enum(alarmsUnknown).nullable(),
  links: z.object({ self: z.string(), history: z.string() }),
});
export type WireAbsence = z.infer<typeof WireAbsence>;

/** Answer of GET /api/v1/absences. */
export const WireAbsenceList = z.object({
  asOf: Time,
  from: Time,
  to: Time,
  recordedSince: Time.nullable(),
  rows: z.array(WireAbsence),
  /** Over all of the scope and period, whatever their verdict and whether they last. Durations in ms; null of none. */
  figures: WireAbsenceCounts.extend({
    medianToConverge: z.number().nullable(),
    /** It may be longer: the beginnings of too many are only known as "at least". */
    medianToConvergeAtLeast: z.boolean(),
  }),
  /** Said where no object was ever there of which all the names asked for are true; null where one was. */
  notRecorded: z.string().nullable(),
  nextCursor: z.string().nullable(),
});
export type WireAbsenceList = z.infer<typeof WireAbsenceList>;

export const absencesApi = endpoint({
  path: '/api/v1/absences',
  summary: 'What left converged until it was converged again; a page as JSON or all of them as CSV',
  query: AbsenceFilter,
  answer: WireAbsenceList,
  name: 'AbsenceList',
  at: true,
});
