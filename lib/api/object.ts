import { z } from 'zod';
import { guarantees } from '../domain/guarantee/guarantee.ts';
import { commitDiffersWords } from '../domain/record/commit-differs.ts';
import { changeTypes } from '../domain/record/change.ts';
import { conflictKinds } from '../domain/observation/conflict.ts';
import { exemptionKinds } from '../domain/exemption/exemption.ts';
import { roles } from '../domain/observation/observation.ts';
import { verdicts } from '../domain/verdict/verdict.ts';
import { WireAlarm, WireAlarmChain, WireNotified } from './alarm/chain.ts';
import { endpoint } from './endpoint.ts';
import { WireNamedSuspect } from './git/named-suspect.ts';
import { Time } from './params.ts';

export { AlarmName, WireAlarm, WireAlarmChain } from './alarm/chain.ts';
export { Time } from './params.ts';

/** One verdict. */
export const VerdictName = z.enum(verdicts);
/** Tells if a time is exact, or something began then at the latest. */
export const Bound = z.enum(['exact', 'at-least']);
/** State of a cluster; `declared`: a row for stacks that plumbline.yaml declares. */
export const ClusterStateName = z.enum([
  'connecting',
  'live',
  'unreachable',
  'unauthorized',
  'misconfigured',
  'unobserved',
  'declared',
]);
/** A piece of a sentence; a number of objects has `href`, the list of exactly these. */
export const WireSaid = z.object({ text: z.string(), href: z.string().nullable() });
export type WireSaid = z.infer<typeof WireSaid>;

/** Filter of an answer, and what lies outside that is as bad as what is inside, or worse: both in words. */
export const WireFiltered = z.object({ text: z.string(), outside: z.string() });
export type WireFiltered = z.infer<typeof WireFiltered>;

/** When something began. `noticedAt` is when Plumbline knew. */
export const WireOnset = z.object({ time: Time, bound: Bound, noticedAt: Time });

/** A reference to an object on the wire. */
export const WireRef = z.object({
  cluster: z.string(),
  group: z.string(),
  kind: z.string(),
  namespace: z.string(),
  name: z.string(),
});

/** Types of causes. */
export const causeTypes = ['object', 'controller', 'cluster', 'feed', 'shared-error', 'outside'] as const;

/** The far end of the chain: `type` says what stands there, the other fields name it ('' where they do not apply). */
export const WireCause = WireRef.extend({
  type: z.enum(causeTypes),
  /** In words: "kustomize-controller on stg-edge", "Kustomization flux-system/checkout on eu-west-3" */
  title: z.string(),
  /** Its page here; null of a cause outside of the viewer's view, of which nothing else is told. */
  href: z.string().nullable(),
});

/** One weakening of the guarantee. */
export const WireExemption = z.object({
  kind: z.enum(exemptionKinds),
  field: z.string(),
  meaning: z.string(),
  /** The field manager that set it, and at the latest when; null where it is a default or that is not known. */
  by: z.string().nullable(),
  at: Time.nullable(),
  /** Number of objects it covers; null where it concerns the object itself or that is not known. */
  reach: z.number().nullable(),
});

/** One resource with more than one manager. */
export const WireConflict = z.object({
  kind: z.enum(conflictKinds),
  cluster: z.string(),
  /** `href` is null where Plumbline does not watch it. `group` is '' where it is not told. */
  resource: WireRef.omit({ cluster: true }).extend({ href: z.string().nullable() }),
  /** An object where `href` is not null, else a field manager or what was told of it. */
  owners: z.array(
    z.object({
      name: z.string(),
      cluster: z.string().nullable(),
      kind: z.string().nullable(),
      namespace: z.string().nullable(),
      href: z.string().nullable(),
    }),
  ),
  why: z.string(),
  /** When Plumbline first saw it; it may be older. */
  since: Time,
});
export type WireConflict = z.infer<typeof WireConflict>;

/** A revision in short, and its commit where it names one. */
const WireRevision = z.object({
  text: z.string(),
  commit: z.string().nullable(),
  /** The commit on its git host; null where the host is not known. */
  href: z.string().nullable(),
});
export type WireRevision = z.infer<typeof WireRevision>;

/**
 * Between which revisions an object broke, as it was known when the failing began. Only revisions that were offered and tried are
 * seen: a fetch may skip commits, so no commit in it is named as the cause.
 */
export const WireCommitRange = z.object({
  /** The last at which it is known to have worked; null where none is (`watched`: it never worked). */
  lastGood: WireRevision.nullable(),
  /** The first at which it is known to have failed; the same as `lastGood` where no commit is known to be the cause. */
  firstBad: WireRevision.nullable(),
  /** Number of other revisions its source was seen to offer between the two: there may be more. null where that is not known. */
  seenBetween: z.number().nullable(),
  /** Every attempt between the two was seen. */
  watched: z.boolean(),
  /** In words: "worked at 2d81a0c, first failed at 9f31c07" */
  text: z.string(),
});
export type WireCommitRange = z.infer<typeof WireCommitRange>;

/** One object of the API. */
export const WireObject = WireRef.extend({
  reconciler: z.string(),
  role: z.enum(roles),
  verdict: VerdictName,
  was: VerdictName.nullable(),
  reconciling: z.boolean(),
  rolling: z.boolean(),
  reason: z.string(),
  message: z.string(),
  sentence: z.string(),
  onset: WireOnset,
  awaySince: WireOnset.nullable(),
  confirmation: z.enum(['pass', 'controller', 'none']),
  observedAt: Time,
  confirmedAt: Time.nullable(),
  revision: z.object({
    applied: z.string().nullable(),
    attempted: z.string().nullable(),
    offered: z.string().nullable(),
  }),
  /** The git commit that runs (40 or 64 hex), null where it is not known. */
  commit: z.string().nullable(),
  /** `yes` if `commit` is not the newest that its source offers; `unknown` where what that offers is not read. */
  commitDiffers: z.enum(commitDiffersWords),
  path: z.string().nullable(),
  source: WireRef.omit({ cluster: true }).nullable(),
  /** Who delivers it; on another cluster where a Kustomization or HelmRelease there reaches over. */
  deliveredBy: WireRef.nullable(),
  rootCause: WireCause.nullable(),
  /** null where it does not fail itself, or is not made from revisions. */
  range: WireCommitRange.nullable(),
  drift: z.enum(['none', 'found', 'corrected', 'contested', 'not-measured']),
  exemptions: z.array(WireExemption),
  alarm: WireAlarm,
  guarantee: z.enum(guarantees),
  links: z.object({
    self: z.string(),
    /** The commit on its git host, null where the host is not known. */
    commit: z.string().nullable(),
    /** The path at the commit on its git host. */
    tree: z.string().nullable(),
  }),
});
export type WireObject = z.infer<typeof WireObject>;
export type WireRef = z.infer<typeof WireRef>;
export type WireCause = z.infer<typeof WireCause>;
export type WireOnset = z.infer<typeof WireOnset>;
export type WireExemption = z.infer<typeof WireExemption>;

/** One change of verdict in the record. */
export const WireTransition = z.object({
  ref: WireRef,
  at: Time,
  bound: Bound,
  noticedAt: Time,
  from: VerdictName.nullable(),
  to: VerdictName.nullable(),
  reason: z.string(),
  message: z.string(),
  commit: z.string().nullable(),
});
export type WireTransition = z.infer<typeof WireTransition>;

/** A time in which an object was not being seen; `state` is that of its cluster, or of its kind there. */
export const WireGap = z.object({ from: Time, to: Time.nullable(), state: z.string(), reason: z.string().nullable() });
export type WireGap = z.infer<typeof WireGap>;

/** Something that was changed on a cluster. */
export const WireChange = z.object({
  cluster: z.string(),
  /** Object that was changed; null for the cluster as a whole, a controller or a package. */
  ref: WireRef.nullable(),
  type: z.enum(changeTypes),
  /** In words, without by whom: "Spec edited, to generation 4" */
  text: z.string(),
  /** The field manager who did it, where managedFields tell. */
  by: z.string().nullable(),
  /** It happened then, or, where `notBefore` is earlier, at some time between the two. */
  at: Time,
  notBefore: Time,
  noticedAt: Time,
  /** Revisions offered before and now; null where it is no such change. */
  revision: z.object({ from: WireRevision.nullable(), to: WireRevision.nullable() }).nullable(),
  /** Its page here: of the object, else of the cluster. */
  href: z.string(),
});
export type WireChange = z.infer<typeof WireChange>;

/** Changes in a span of time: of an object, of what it depends on, of their controllers, of the cluster. */
const WireObjectChanges = z.object({
  /**
   * before-away: the half hour before it left converged; since-made: it has never been converged for good, and these are all since
   * it was made; last-day: it is converged, and these are the last 24 h.
   */
  span: z.enum(['before-away', 'since-made', 'last-day']),
  from: Time,
  to: Time,
  /** Newest first; `relation` says what it is to the object. */
  changes: z.array(WireChange.extend({ relation: z.string() })),
  /** There were more than are listed. */
  more: z.boolean(),
  /** Whose changes were searched for, beside the object's own: "GitRepository control", "kustomize-controller" */
  searched: z.array(z.string()),
  /** Since when changes on this cluster are recorded; null where none are. */
  recordedSince: Time.nullable(),
  /** When the cluster, or the object's kind there, was not being seen within the span. */
  gaps: z.array(WireGap),
});
export type WireObjectChanges = z.infer<typeof WireObjectChanges>;

/** Everything the page of one object shows. */
export const WireObjectPage = z.object({
  asOf: Time,
  object: WireObject,
  /** The whole message, redacted. */
  message: z.string(),
  conditions: z.array(
    z.object({
      type: z.string(),
      status: z.string(),
      reason: z.string(),
      message: z.string(),
      lastTransitionTime: Time.nullable(),
    }),
  ),
  evidence: z.array(z.object({ from: z.string(), text: z.string(), at: Time.nullable() })),
  /** Word of its reconciler on drift: what differs, or why it is not measured. */
  driftSays: z.string().nullable(),
  target: z.object({ url: z.string(), reference: z.string(), floating: z.boolean() }).nullable(),
  suspended: z.object({ field: z.string(), by: z.string().nullable(), at: Time.nullable() }).nullable(),
  specEditedBy: z.object({ manager: z.string(), at: Time.nullable() }).nullable(),
  cadence: z.object({
    intervalMs: z.number().nullable(),
    retryIntervalMs: z.number().nullable(),
    timeoutMs: z.number().nullable(),
  }),
  /** Last attempt of its loop and about when the next is due, where that can be known. */
  lastAttempt: Time.nullable(),
  nextAttempt: Time.nullable(),
  corrections: z.array(z.object({ at: Time, certainty: z.string(), said: z.string(), count: z.number() })),
  /** Of the last 90 days, newest first. */
  transitions: z.array(WireTransition),
  /** There are more in these 90 days than the newest that are listed. */
  more: z.object({ transitions: z.boolean(), gaps: z.boolean() }),
  /** When it was not being seen, oldest first: the cluster or its kind there could not be read. `to` is null where that lasts. */
  gaps: z.array(WireGap),
  /** Objects that this one depends on: source, its source, dependencies, delivery, provider. */
  upstreams: z.array(z.object({ relation: z.string(), object: WireObject.nullable(), ref: WireRef })),
  /** Objects that wait for or depend on this one and are not converged. */
  waitsForThis: z.array(WireObject),
  /** Number of objects that depend on this one in all. */
  dependents: z.number(),
  /** Conflicts of ownership that it is part of: managed twice itself, or one of the managers. */
  conflicts: z.array(WireConflict),
  /** Objects elsewhere in the fleet with the same error and a cause in common: root cause, name, or commits between which they broke. */
  alike: z.array(WireObject),
  /** Changes before it broke; null where the record cannot be read. */
  before: WireObjectChanges.nullable(),
  /** The same name on other clusters: how many there are, how many are converged. */
  elsewhere: z.object({
    clusters: z.number(),
    converged: z.number(),
    /** Of these, those that run or try the commit at which this one fails, else runs; null where it has none. */
    atCommit: z
      .object({ commit: z.string(), clusters: z.number(), converged: z.number(), away: z.number() })
      .nullable(),
  }),
  /** Who is called for it, or which link of the chain to somebody is broken. */
  chain: WireAlarmChain,
  /** Word of Flux itself on it: whether it tells of it; null of a kind whose controller tells nothing to notification-controller. */
  notified: WireNotified.nullable(),
  /** Read-only commands to copy. */
  commands: z.array(z.string()),
  cluster: z.object({
    name: z.string(),
    state: z.string(),
    reason: z.string().nullable(),
    labels: z.record(z.string(), z.string()),
    /** Planned work under way on it (policy.maintenance). */
    plannedWork: z.object({ until: Time, reason: z.string() }).nullable(),
  }),
});
export type WireObjectPage = z.infer<typeof WireObjectPage>;

/** Answer of GET /api/v1/neighbours: the pages of the deviations before and after an object, worst first, round and round. */
export const WireNeighbours = z.object({ previous: z.string().nullable(), next: z.string().nullable() });
export type WireNeighbours = z.infer<typeof WireNeighbours>;

/** An object of a list. */
export const WireListedObject = WireObject.extend({
  /** Of what broke in a range of commits: the object itself, else what stands at the far end of its chain; null where neither did. */
  suspect: WireNamedSuspect.nullable(),
});

/** Answer of GET /api/v1/objects. */
export const WireObjectList = z.object({
  asOf: Time,
  objects: z.array(WireListedObject),
  /** Number that match in all. */
  total: z.number(),
  /** Counts per verdict over all that match everything but the verdict filter. */
  counts: z.record(VerdictName, z.number()),
  /** Number of these unobserved that are only declared, and never are observed. */
  declared: z.number(),
  /** Truth of the sentence for all that match everything but verdict, silence, guarantee and drift. */
  truth: z.enum(['holds', 'broken', 'unknown', 'empty']),
  /** Null where it is of the whole fleet. */
  filter: WireFiltered.nullable(),
  nextCursor: z.string().nullable(),
  /** Reconcilers that own any object of the fleet, whatever the filter. */
  reconcilers: z.array(z.string()),
  /** Names of what could not be seen and therefore may be missing from this list, in words. */
  partial: z.array(z.string()),
});
export type WireObjectList = z.infer<typeof WireObjectList>;

/** Query that names one object. `group` is '' for the core group, `namespace` '' for a cluster-scoped object. */
export const ObjectQuery = z.object({
  cluster: z.string().min(1),
  group: z.string().default(''),
  kind: z.string().min(1),
  namespace: z.string().default(''),
  name: z.string().min(1),
});
export type ObjectQuery = z.infer<typeof ObjectQuery>;

export const objectApi = endpoint({
  path: '/api/v1/object',
  summary: 'One object with everything known of it',
  query: ObjectQuery,
  answer: WireObjectPage,
  name: 'ObjectPage',
  at: true,
});

export const neighboursApi = endpoint({
  path: '/api/v1/neighbours',
  summary: 'The deviations next to an object, worst first',
  query: ObjectQuery,
  answer: WireNeighbours,
  name: 'Neighbours',
  at: true,
});
