import { z } from 'zod';
import { incidentEnds, incidentNewsTypes } from '../domain/incident/incident.ts';
import { verdicts } from '../domain/verdict/verdict.ts';
import { endpoint } from './endpoint.ts';
import { Bound, causeTypes, Time, VerdictName, WireCause, WireCommitRange, WireRef } from './object.ts';
import { labelFilter, ListFormat, pageShape, periodShape, recordShape, someOf } from './params.ts';

/** Query of GET /api/v1/incidents: those with a member in the scope that were known, and not over, at some time in the period. */
export const IncidentFilter = z.object({
  ...recordShape,
  label: labelFilter.meta({ description: 'Clusters that carry all of these labels now.' }),
  ...periodShape,
  last: periodShape.last.default('7d'),
  verdict: someOf(verdicts, 'verdicts').meta({
    description: `The worst verdict in it; several with commas: ${verdicts.join(', ')}.`,
  }),
  cause: someOf(causeTypes, 'types of causes').meta({
    description: `What the cause is; several with commas: ${causeTypes.join(', ')}.`,
  }),
  open: z
    .enum(['', 'true', 'false'])
    .default('')
    .meta({ description: 'true: those that last; false: those that are over.' }),
  objects: z.coerce
    .number()
    .int()
    .min(0)
    .max(10_000_000)
    .default(0)
    .meta({ description: 'At least so many objects were away by it at once.' }),
  minutes: z.coerce
    .number()
    .int()
    .min(0)
    .max(5_256_000)
    .default(0)
    .meta({ description: 'It lasted for at least so many minutes.' }),
  called: z.enum(['', 'yes', 'no', 'unknown']).default('').meta({
    description:
      'yes: somebody was called; no: nobody was, that is known, and it lasted longer than policy.alarmWithin; unknown: whether anybody was called is not known.',
  }),
  order: z.enum(['newest', 'longest', 'largest', 'worst']).default('newest').meta({
    description:
      'newest; longest within the period; largest: most objects at once; worst: most object time in the period.',
  }),
  ...pageShape(1000, 100),
  format: ListFormat,
});
export type IncidentFilter = z.infer<typeof IncidentFilter>;

/**
 * Number of objects, of clusters that they are on, and of values that the label `environment` of those has now (null where none carries it,
 * or where they are more than 1,000).
 */
export const WireReach = z.object({
  objects: z.number(),
  clusters: z.number(),
  environments: z.number().nullable(),
});

export const IncidentEndName = z.enum(incidentEnds);

/** By what a call was for an incident: it named a member itself, or what one waited for. */
export const CalledForName = z.enum(['own', 'cause']);

/** Who was called for an incident, as known at the moment asked for. */
export const WireIncidentCalls = z.object({
  first: z
    .object({
      at: Time,
      /** From the first object away to when Plumbline knew that somebody was called (ms). */
      afterMs: z.number(),
      /** at-most: somebody may have been called before, when that could not be known; `afterMs` is the most that it took. */
      bound: z.enum(['exact', 'at-most']),
      /** True if it was called later than `policy.alarmWithin` allows; null where that is not known. */
      late: z.boolean().nullable(),
      /** The cluster that it named: where the incident has others, it says nothing of who was called for what is on those. */
      cluster: z.string().nullable(),
      source: z.string(),
      /** Name of the alert, and so of its rule. */
      alert: z.string(),
      /** At most 20. */
      receivers: z.array(z.string()),
      by: CalledForName,
    })
    .nullable(),
  /** At most 1,000 are counted. */
  count: z.number(),
  /** Time (ms) of it in which nobody was called, and in which that is not known. */
  silentMs: z.number(),
  unknownMs: z.number(),
  /** It lasted, or has lasted, longer than `policy.alarmWithin`: somebody should have been called. */
  due: z.boolean(),
});
export type WireIncidentCalls = z.infer<typeof WireIncidentCalls>;

/** One incident: what failed by one cause. */
export const WireIncident = z.object({
  id: z.string(),
  /** The cause in words, without a verb: "kustomize-controller on stg-edge", "checkout on 3 clusters". */
  title: z.string(),
  cause: WireCause,
  /** Causes that it was taken for, in words, each until the next was recognised. */
  takenFor: z.array(z.object({ title: z.string(), until: Time })),
  openedAt: Time,
  bound: Bound,
  noticedAt: Time,
  closedAt: Time.nullable(),
  ended: IncidentEndName.nullable(),
  worst: VerdictName,
  reason: z.string(),
  range: WireCommitRange.nullable(),
  /** `environments`: null too where some of its clusters are no longer in it. */
  now: WireReach,
  /** The most at one time; `environments`: of all that were ever in it. */
  most: WireReach,
  returns: z.number(),
  members: z.number(),
  /** Reach times time, in object-ms. */
  objectTime: z.number(),
  /** At most 20 of them, by name. */
  clusters: z.array(z.string()),
  clusterCount: z.number(),
  /** It lasts, and every cluster that was ever in it is under planned work now. */
  planned: z.boolean(),
  /**
   * null where it is not known who was called, or that nobody was: it has more members, or more calls in its time, than are looked at; or a call for what of it lies
   * in the viewer's view names something outside.
   */
  calls: WireIncidentCalls.nullable(),
  /** `cause`: the page that shows the cause; null where several objects or clusters fail alike and no page shows them all. */
  links: z.object({ self: z.string(), cause: z.string().nullable() }),
});
export type WireIncident = z.infer<typeof WireIncident>;

/** Counts that account for every incident of a period: opened + openAtStart = closed + gone + open. */
export const WireCauseCounts = z.object({
  /** Known first in the period. */
  opened: z.number(),
  /** Known before the period, and lasting as it began. */
  openAtStart: z.number(),
  /** Over in the period, and how many of them lasted as it began. */
  closed: z.number(),
  closedFromBefore: z.number(),
  /** Over in it otherwise: its last object was suspended or removed, or its cluster is not watched any more, or its fault was another's. */
  gone: z.number(),
  open: z.number(),
  /** Of all of these, how many took down at least 5 objects at once. */
  large: z.number(),
  /** Members of those known first in the period. */
  members: z.number(),
});

/**
 * Said while stored history is still being made into incidents: up to when it has been (null: nothing yet). Everything else in the answer
 * is then as it was known at that time, and nothing later is told. null once all of it has been made.
 */
export const MadeUpTo = z.object({ upTo: Time.nullable() }).nullable();
export type MadeUpTo = z.infer<typeof MadeUpTo>;

/** Figures over all incidents of a scope and period. Durations in ms; null of none. */
export const WireIncidentFigures = WireCauseCounts.extend({
  medianToConverge: z.number().nullable(),
  /** It may be longer: the beginnings of too many are only known as "at least". */
  medianToConvergeAtLeast: z.boolean(),
  medianToNotice: z.number().nullable(),
});
export type WireIncidentFigures = z.infer<typeof WireIncidentFigures>;

/** Answer of GET /api/v1/incidents. */
export const WireIncidentList = z.object({
  asOf: Time,
  from: Time,
  /** Where `made` is not null it is no later than that. */
  to: Time,
  recordedSince: Time.nullable(),
  rows: z.array(WireIncident),
  /** Over all of the scope and period, whatever else is filtered; null where nothing of the period has been made into incidents yet. */
  figures: WireIncidentFigures.nullable(),
  made: MadeUpTo,
  /** Said where no object was ever there of which all the names asked for are true; null where one was. */
  notRecorded: z.string().nullable(),
  nextCursor: z.string().nullable(),
});
export type WireIncidentList = z.infer<typeof WireIncidentList>;

/** One object, or one lost cluster (`ref` null), in an incident. */
export const WireMember = z.object({
  incident: z.string(),
  ref: WireRef.nullable(),
  cluster: z.string(),
  objects: z.number(),
  from: Time,
  bound: Bound,
  noticedAt: Time,
  to: Time.nullable(),
  ended: IncidentEndName.nullable(),
  verdict: VerdictName,
  reason: z.string(),
  /** It fails itself. */
  own: z.boolean(),
  /** The cause that carries its fault; null where it fails itself. */
  cause: WireCause.nullable(),
  links: z.object({ self: z.string() }),
});
export type WireMember = z.infer<typeof WireMember>;

/** One step of an incident. */
export const WireIncidentStep = z.object({
  type: z.enum(incidentNewsTypes),
  at: Time,
  objects: z.number(),
  clusters: z.number(),
  /** The cause from then on, in words. */
  title: z.string(),
  /** The worst verdict from then on, with its reason. */
  worst: VerdictName,
  reason: z.string(),
  /** The end of its last member; null while it lasts. */
  ended: IncidentEndName.nullable(),
});
export type WireIncidentStep = z.infer<typeof WireIncidentStep>;

/** One step of any incident, as the stream tells it. */
export const WireIncidentNews = WireIncidentStep.extend({
  /** Ascending over all incidents that the viewer sees; nothing else follows from it. */
  position: z.number(),
  /** The id of the incident. */
  incident: z.string(),
  /** The incident that it is part of from then on; of `merged` only. */
  into: z.string().nullable(),
});
export type WireIncidentNews = z.infer<typeof WireIncidentNews>;

/** One call for an incident. */
export const WireIncidentCall = z.object({
  source: z.string(),
  alert: z.string(),
  receivers: z.array(z.string()),
  by: CalledForName,
  /** Object that its labels name, in words: "Kustomization flux-system/checkout on eu-west-3". */
  names: z.string(),
  /** When Plumbline knew of it, and of its end; null while it lasts. */
  from: Time,
  to: Time.nullable(),
});
export type WireIncidentCall = z.infer<typeof WireIncidentCall>;

/** Query of GET /api/v1/incidents/{id}: one page of its members. */
export const IncidentQuery = z.object({
  id: z.string().min(1).max(64),
  ...pageShape(1000, 200),
  format: ListFormat,
});
export type IncidentQuery = z.infer<typeof IncidentQuery>;

/** Answer of GET /api/v1/incidents/{id}. An id that is not there, or was not there yet at the moment asked for, is refused (404). */
export const WireIncidentPage = z.object({
  asOf: Time,
  incident: WireIncident,
  /** The address was that of another incident, which turned out to be one with this. */
  mergedFrom: z.object({ id: z.string(), at: Time }).nullable(),
  /** Those that are in it first. */
  members: z.array(WireMember),
  /** At most 500, the newest; `stepsLeftOut`: there were more. */
  steps: z.array(WireIncidentStep),
  stepsLeftOut: z.boolean(),
  /**
   * Times in which one of its clusters was not being observed while it lasted, the oldest first, at most 20 (`blindLeftOut`: there were more):
   * within them it may have begun, ended, or been over for a while. That a cluster was lost is no such time where that is the incident.
   */
  blind: z.array(z.object({ cluster: z.string(), from: Time, to: Time.nullable(), reason: z.string() })),
  blindLeftOut: z.boolean(),
  /** Calls for it, the newest first, at most 100; `callsLeftOut`: there were more. */
  calls: z.array(WireIncidentCall),
  callsLeftOut: z.boolean(),
  made: MadeUpTo,
  nextCursor: z.string().nullable(),
});
export type WireIncidentPage = z.infer<typeof WireIncidentPage>;

/** Query of GET /api/v1/memberships. */
export const MembershipQuery = z.object({
  cluster: z.string().min(1),
  group: z.string().default(''),
  kind: z.string().min(1),
  namespace: z.string().default(''),
  name: z.string().min(1),
});

/** Answer of GET /api/v1/memberships: the incidents that an object was part of, the newest first, at most 50. */
export const WireMemberships = z.object({
  asOf: Time,
  rows: z.array(z.object({ member: WireMember, incident: WireIncident })),
  more: z.boolean(),
  made: MadeUpTo,
});
export type WireMemberships = z.infer<typeof WireMemberships>;

export const incidentsApi = endpoint({
  path: '/api/v1/incidents',
  summary: 'What failed by one cause, one row a cause; a page as JSON or all of them as CSV',
  query: IncidentFilter,
  answer: WireIncidentList,
  name: 'IncidentList',
  at: true,
});

export const incidentApi = endpoint({
  path: '/api/v1/incidents/{id}',
  summary: 'One incident with its members and steps; a page of members as JSON or all of them as CSV',
  query: IncidentQuery,
  answer: WireIncidentPage,
  name: 'IncidentPage',
  at: true,
});

export const membershipsApi = endpoint({
  path: '/api/v1/memberships',
  summary: 'The incidents that an object was part of',
  query: MembershipQuery,
  answer: WireMemberships,
  name: 'Memberships',
  at: true,
});
