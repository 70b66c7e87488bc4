import { z } from 'zod';
import { parseDayOrTime, periodPresets } from '../domain/time/report-period.ts';
import { verdicts, type Verdict } from '../domain/verdict/verdict.ts';
import { WireCertainties } from './correction.ts';
import { endpoint } from './endpoint.ts';
import { WireAbsenceCounts } from './absence.ts';
import { WireAlarmFigures, WireLoadedRules, WireSpread } from './alarm/report-alarms.ts';
import { WireNamedSuspect } from './git/named-suspect.ts';
import { IncidentEndName, WireCauseCounts, WireReach } from './incident.ts';
import { Bound, Time, VerdictName, WireCommitRange, WireRef } from './object.ts';
import { labelFilter, limitOf, pageShape, recordShape, someOf, wordsOf } from './params.ts';

/** Formats of a report. */
export const reportFormats = ['json', 'csv', 'md', 'html'] as const;
export type ReportFormat = (typeof reportFormats)[number];

const moment = z
  .string()
  .refine((text) => text === '' || parseDayOrTime(text) !== null, {
    error: 'must be a day such as 2026-10-01 or a time such as 2026-10-01T00:00:00Z',
  })
  .default('');

/** Which period and scope a report is about; '' for what is not said. */
export const ReportQuery = z.object({
  period: z
    .enum([...periodPresets, ''], { error: `must be one of ${periodPresets.join(', ')}` })
    .default('')
    .meta({ description: 'A period by name, in UTC, where from is not given. Default: last-30-days.' }),
  from: moment.meta({ description: 'Beginning: a UTC day, or an RFC 3339 time.' }),
  to: moment.meta({ description: 'End, which does not belong to it. Default, and at the latest: now.' }),
  cluster: z.string().default('').meta({ description: 'Name of a cluster; several with commas. Default: all.' }),
  label: labelFilter.meta({ description: 'Clusters that carry all of these labels now.' }),
  group: recordShape.group,
  kind: z.string().default('').meta({ description: 'Objects of one kind only.' }),
});
export type ReportQuery = z.infer<typeof ReportQuery>;

/** Query of GET /api/v1/report. */
export const ReportFileQuery = ReportQuery.extend({
  format: z.enum(reportFormats).default('json').meta({ description: 'json, or a file: csv, md, html.' }),
});

/** Milliseconds. */
const Ms = z.number();

/** Object-milliseconds by verdict; what was not being observed is `unobserved`, whatever it was. */
const Shares = z.record(VerdictName, Ms);

/** Times to converge. `medianAtLeast`, `p95AtLeast`: it may be longer, for the beginnings of too many are only known as "at least". */
const WireToConverge = WireSpread.extend({ medianAtLeast: z.boolean(), p95AtLeast: z.boolean() });

/** Incidents of a period, as they stood at its end: what failed by one cause. Times on the wall clock. */
const WireCauseFigures = WireCauseCounts.extend({
  /** From the first object away, of those with an exact beginning, to when Plumbline knew. */
  toNotice: WireSpread,
  /** From the first object away to the last one back, of those that closed in the period. */
  toConverge: WireToConverge.extend({ longestMs: Ms.nullable(), longestAtLeast: z.boolean() }),
  /** Number of `toConverge` that lasted at least as long as it says. */
  toConvergeAtLeast: z.number(),
});
export type WireCauseFigures = z.infer<typeof WireCauseFigures>;

/**
 * From a commit being offered on a cluster to the last of its appliers being converged at it. `unknown`: offered before there was a record. `notKnownOn`:
 * clusters of which the viewer sees a part, where none of this is known; all else is of the other clusters. `count` and `unknown` are null where there are no others.
 */
const WireArrivals = WireSpread.extend({
  count: z.number().nullable(),
  unknown: z.number().nullable(),
  notKnownOn: z.array(z.string()),
});
export type WireArrivals = z.infer<typeof WireArrivals>;

/** Time on the wall clock (ms), never longer than the period: while at least one object was away; while at least one cluster was observed. */
const WireWall = z.object({ awayMs: Ms, observedMs: Ms });

/** The wall clock of the scope, and how its clusters fared: of those that were observed at some time in the period. */
const WireFleetWall = WireWall.extend({
  /** awayMs over the length of the period (`ofMs`), from 0 to 1; null where nothing was observed. */
  awayShare: z.number().nullable(),
  clusters: z.object({
    observed: z.number(),
    neverAway: z.number(),
    /** Nearest rank; null where none was observed. */
    medianAwayMs: Ms.nullable(),
  }),
});

/** The figures of one period. */
export const WireFigures = z.object({
  wall: WireFleetWall,
  /** Objects that existed at some time in it, without declared stacks; those can never be observed, and are in no time and no share. */
  objects: z.number(),
  declared: z.number(),
  shares: Shares,
  /** Object-ms: all of it; what was observed; and of that: converged, away from git, switched off, neither proven nor disproven. */
  existedMs: Ms,
  observedMs: Ms,
  convergedMs: Ms,
  awayMs: Ms,
  suspendedMs: Ms,
  unconfirmedMs: Ms,
  /** From 0 to 1; null where nothing was observed, or nothing existed. */
  convergedShare: z.number().nullable(),
  observedShare: z.number().nullable(),
  /** null while stored history is still being made into incidents (`made`). */
  incidents: WireCauseFigures.nullable(),
  /** A detail: how often single objects were away. */
  absences: WireAbsenceCounts.extend({
    toNotice: WireSpread,
    toConverge: WireToConverge,
    /** Number of `toConverge` that lasted at least as long as it says. */
    toConvergeAtLeast: z.number(),
  }),
  /** Observed object-ms away for longer than `alarmWithinMs`. */
  overdueMs: Ms,
  alarms: WireAlarmFigures,
  arrivals: WireArrivals,
  /** Number of times drift was found and undone, by how sure that is. At least so often. */
  corrections: WireCertainties,
  changes: z.object({
    exemptionsOpened: z.number(),
    exemptionsClosed: z.number(),
    suspended: z.number(),
    resumed: z.number(),
  }),
});
export type WireFigures = z.infer<typeof WireFigures>;

/** A stretch of time and how much of it lies within the record. */
const WirePeriod = z.object({ from: Time, to: Time, name: z.string(), recordedMs: Ms, ofMs: Ms });

/** Scope asked for; `clusters` are those that it came to, null for all that the record has. */
const WireScope = z.object({
  clusters: z.array(z.string()).nullable(),
  cluster: z.string(),
  label: z.string(),
  group: z.string(),
  kind: z.string(),
});

/** One incident as it stood at the end of the period. It is told whole, also what of it lies outside of the scope. */
export const WireReportIncident = z.object({
  id: z.string(),
  /** The cause in words, without a verb: "kustomize-controller on stg-edge". */
  title: z.string(),
  openedAt: Time,
  bound: Bound,
  noticedAt: Time,
  /** null where it lasted beyond the period. */
  closedAt: Time.nullable(),
  ended: IncidentEndName.nullable(),
  /** From its beginning to its end, or to the end of the period. */
  lastedMs: Ms,
  worst: VerdictName,
  reason: z.string(),
  /** Between which revisions it broke; null where nothing in it is made from revisions. Revisions as they were written. */
  range: WireCommitRange.omit({ text: true })
    .extend({ lastGood: z.string().nullable(), firstBad: z.string().nullable() })
    .nullable(),
  /** The conclusion of git on the range, as it is now; null where there is none. */
  suspect: WireNamedSuspect.nullable(),
  /** The most objects, and the most clusters, at one time. */
  most: WireReach.omit({ environments: true }),
  members: z.number(),
  returns: z.number(),
  /** Reach times time in the period, in object-ms, from when it was known. */
  objectTimeMs: Ms,
});
export type WireReportIncident = z.infer<typeof WireReportIncident>;

/** A report over a period. Times are RFC 3339 UTC, durations milliseconds. Every change of this shape raises the number in `schema`. */
export const WireReport = z.object({
  schema: z.literal('plumbline.report/9'),
  asOf: Time,
  /** Of Plumbline. */
  version: z.string(),
  simulated: z.boolean(),
  /** `lasting`: it is not over, and cut at `asOf`. */
  period: WirePeriod.extend({ lasting: z.boolean() }),
  /** Since when there is a record of this scope; null where there is none. */
  recordedSince: Time.nullable(),
  scope: WireScope,
  alarmWithinMs: Ms,
  /**
   * Said while stored history is still being made into incidents: up to when it has been, null for nothing yet. No number of incidents, and
   * none of them, is told then.
   */
  made: z.object({ upTo: Time.nullable() }).nullable(),
  figures: WireFigures,
  /** The period before; null where nothing of it is recorded. */
  before: WirePeriod.extend({ figures: WireFigures }).nullable(),
  /** Every UTC day that the period touches; of the first and the last only what lies in it. */
  days: z.array(
    z.object({
      day: Time,
      shares: Shares,
      corrections: WireCertainties,
    }),
  ),
  /** The lowest share converged first. */
  clusters: z.array(z.object({ cluster: z.string(), shares: Shares, wall: WireWall })),
  /** Appliers of one kind and name, on whichever clusters: those that were away longest by the wall clock. */
  applications: z.array(
    z.object({
      group: z.string(),
      kind: z.string(),
      name: z.string(),
      /** On how many clusters it was at some time in the period. */
      clusters: z.number(),
      wall: WireWall,
    }),
  ),
  kinds: z.array(z.object({ group: z.string(), kind: z.string(), shares: Shares })),
  /** Incidents that closed in the period by how long they took: at least `fromMs`, less than `toMs` (null: no end). Empty where `made` is said. */
  distribution: z.array(z.object({ fromMs: Ms, toMs: Ms.nullable(), count: z.number() })),
  /** Those that took most of the period, and those that took most object time in it. */
  incidents: z.object({ longest: z.array(WireReportIncident), worst: z.array(WireReportIncident) }),
  /** Who was away longest; of equals the first by cluster, group, kind, namespace and name. */
  offenders: z.array(
    z.object({ ref: WireRef, shares: Shares, awayMs: Ms, absences: z.number(), corrections: z.number() }),
  ),
  suspensions: z.object({
    /** The longest; `observedMs` is what of it lies in the period and was observed. */
    longest: z.array(
      z.object({
        ref: WireRef,
        by: z.string().nullable(),
        from: Time,
        /** null where it lasted beyond the period. */
        to: Time.nullable(),
        observedMs: Ms,
      }),
    ),
    /** Field managers, the longest first. */
    byWhom: z.array(z.object({ by: z.string().nullable(), observedMs: Ms, count: z.number() })),
    /** false: there were more than were looked at for these two lists. */
    complete: z.boolean(),
  }),
  /**
   * null where nothing is known of them: in a report on a part of the fleet, where no source was read in the period, and where more alerts called
   * than are told.
   */
  rules: WireLoadedRules.nullable(),
  /** Where most object time was not seen, and when. */
  notSeen: z.array(
    z.object({
      cluster: z.string(),
      unobservedMs: Ms,
      gaps: z.array(
        z.object({
          /** null for the whole cluster. */
          kind: z.string().nullable(),
          from: Time,
          to: Time.nullable(),
          state: z.string(),
          reason: z.string().nullable(),
        }),
      ),
    }),
  ),
});
export type WireReport = z.infer<typeof WireReport>;

/** Query of GET /api/v1/spans: what the object time of a report is made of. */
export const SpansQuery = ReportQuery.extend({
  verdict: someOf(verdicts, 'verdicts').meta({
    description: 'Of these verdicts only, comma-separated. Default: of all.',
  }),
  ...pageShape(1000, 200),
});
export type SpansQuery = z.infer<typeof SpansQuery>;

/** The verdicts that a query names; all of them where it names none. */
export function verdictsIn(text: string): readonly Verdict[] {
  const named = new Set(wordsOf(text));
  return named.size === 0 ? verdicts : verdicts.filter((verdict) => named.has(verdict));
}

/** One object in one verdict, and how much of it counts. */
export const WireSpan = z.object({
  ref: WireRef,
  verdict: VerdictName,
  from: Time,
  /** null while it lasts. */
  to: Time.nullable(),
  reason: z.string(),
  /** Part of it that lies in the period; of that: what was being observed. */
  withinMs: Ms,
  observedMs: Ms,
});
export type WireSpan = z.infer<typeof WireSpan>;

/** Fields of every list of what a report is made of. */
const partShape = {
  asOf: Time,
  simulated: z.boolean(),
  period: WirePeriod,
  scope: WireScope,
  recordedSince: Time.nullable(),
};

/** Answer of GET /api/v1/spans: newest first. */
export const WireSpanList = z.object({
  ...partShape,
  spans: z.array(WireSpan),
  /** Observed object time of all that match, on this page and the others: the figure in the report. */
  observedMs: Ms,
  nextCursor: z.string().nullable(),
});
export type WireSpanList = z.infer<typeof WireSpanList>;

/** Query of GET /api/v1/arrivals. */
export const ArrivalsQuery = ReportQuery.extend({ limit: limitOf(10_000, 500) });
export type ArrivalsQuery = z.infer<typeof ArrivalsQuery>;

/** One commit on one cluster. */
export const WireArrival = z.object({
  cluster: z.string(),
  commit: z.string(),
  /** null where it was offered before there was a record. */
  offeredAt: Time.nullable(),
  firstAt: Time,
  lastAt: Time,
  /** Number of appliers that were converged at it. */
  objects: z.number(),
  /** From `offeredAt` to `lastAt`. */
  tookMs: Ms.nullable(),
});
export type WireArrival = z.infer<typeof WireArrival>;

/** Answer of GET /api/v1/arrivals: newest first. */
export const WireArrivalList = z.object({
  ...partShape,
  /** null where they are not known: see `notKnownOn` of `spread`. */
  arrivals: z.array(WireArrival).nullable(),
  /** Over all of them: what stands in the report. */
  spread: WireArrivals,
});
export type WireArrivalList = z.infer<typeof WireArrivalList>;

export const reportApi = endpoint({
  path: '/api/v1/report',
  summary: 'The report over a period; as JSON, or as a file: CSV, Markdown, HTML',
  query: ReportFileQuery,
  answer: WireReport,
  name: 'Report',
  at: false,
});

export const spansApi = endpoint({
  path: '/api/v1/spans',
  summary: 'What the object time of a report is made of, newest first',
  query: SpansQuery,
  answer: WireSpanList,
  name: 'SpanList',
  at: false,
});

export const arrivalsApi = endpoint({
  path: '/api/v1/arrivals',
  summary: 'Commits that arrived on clusters in a period, newest first',
  query: ArrivalsQuery,
  answer: WireArrivalList,
  name: 'ArrivalList',
  at: false,
});
