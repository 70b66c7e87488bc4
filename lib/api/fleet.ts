import { z } from 'zod';
import { alarmLinks } from '../domain/alarm/link.ts';
import { parseColumnMode } from '../domain/matrix/column-of.ts';
import { verdicts, type Verdict } from '../domain/verdict/verdict.ts';
import { endpoint } from './endpoint.ts';
import {
  AlarmName,
  Bound,
  ClusterStateName,
  Time,
  VerdictName,
  WireCause,
  WireFiltered,
  WireRef,
  WireSaid,
} from './object.ts';
import { labelFilter, someOf, wordsOf, searchText } from './params.ts';

/**
 * One letter a cell, so that 1,000 x 60 cells stay small: a row's cells are one string, one letter a column.
 * A space: nothing of this column is deployed there.
 */
export const cellCodes = {
  diverged: 'D',
  drifted: 'R',
  unhealthy: 'H',
  stale: 'S',
  unobserved: 'O',
  suspended: 'P',
  behind: 'B',
  waiting: 'W',
  progressing: 'G',
  unconfirmed: 'U',
  converged: 'c',
} as const satisfies Record<Verdict, string>;

/** State of the sentence, as it is shown: the plumb line hangs straight, leans, or is dashed grey. */
export const Truth = z.enum(['holds', 'broken', 'unknown', 'empty']);
export type Truth = z.infer<typeof Truth>;

/** The sentence, counted and never averaged. */
export const WireGuarantee = z.object({
  truth: Truth,
  /** "What is in git is what is in your infrastructure, or alarms are sounding." */
  caption: z.string(),
  /** "Not so on 2 of 14 clusters:" printed in the verdict's colour; '' where there is none */
  lead: z.string(),
  /** Sentence after the lead: "2 objects are away from git and nobody is being called." */
  body: z.string(),
  /** Lead and body once more, in pieces. */
  parts: z.object({ lead: z.array(WireSaid), body: z.array(WireSaid) }),
  holds: z.number(),
  broken: z.number(),
  off: z.number(),
  unknown: z.number(),
  /** Away or stale on clusters that are under planned work; in none of the other four. */
  planned: z.number(),
  /** Only declared: never observed, and in none of the others. */
  declared: z.number(),
  /** `away`: clusters with objects that are away from git. */
  clusters: z.object({ total: z.number(), unseen: z.number(), away: z.number() }),
  /** Tells if an alarm source speaks for what is away or stale; `not-needed` where nothing is. */
  alarms: z.enum(['read', 'not-read', 'not-needed']),
  /** Why it is not known of some whether anybody was called, a sentence; null where it is known of all that ask. */
  paging: z.string().nullable(),
});
export type WireGuarantee = z.infer<typeof WireGuarantee>;

/** The first broken link of the alarm's chain of most objects that are silent: how many have it, and how many are silent. */
export const WireBrokenLink = z.object({ link: z.enum(alarmLinks), objects: z.number(), silent: z.number() });
export type WireBrokenLink = z.infer<typeof WireBrokenLink>;

/** One cause with what it takes down: one line under the sentence. */
export const WireCauseLine = z.object({
  key: z.string(),
  verdict: VerdictName,
  /** Null where it is still being determined: several objects that left just now, for at most 15 s; `causes=all` names each. */
  cause: WireCause.nullable(),
  /** "checkout on eu-west-3", "26 objects" */
  title: z.string(),
  /** After the title: "build fails since 9f31c07, 1 object waits for it" */
  text: z.string(),
  /** Whole hashes of the commits that the text names by their first digits. */
  commits: z.array(z.string()),
  objects: z.number(),
  clusters: z.number(),
  since: Time,
  bound: Bound,
  alarm: AlarmName,
  /** Null where nobody is known to be silent. */
  broken: WireBrokenLink.nullable(),
});
export type WireCauseLine = z.infer<typeof WireCauseLine>;

/** A column of the matrix. */
export const WireColumn = z.object({
  id: z.string(),
  /** The header above it: sources, infrastructure, apps, crossplane, ... */
  group: z.string(),
  title: z.string(),
  /** Where its header leads: a kind-and-namespace list. */
  href: z.string(),
  /** group/kind/namespace/name where every cell of the column stands for the object of this one name; null where a cell may stand for many. */
  object: WireRef.omit({ cluster: true }).nullable(),
});
export type WireColumn = z.infer<typeof WireColumn>;

/** Mark of a cell beyond its letter; only cells that deviate or whose commit differs have one. */
export const WireMark = z.object({
  /** Index of the column. */
  c: z.number(),
  /** Objects behind the cell. */
  n: z.number(),
  /** 7 digits of the commit that runs, where it is not known to be the newest offered. */
  commit: z.string().optional(),
  /** Of that commit it is not known whether a newer one is offered. */
  unread: z.boolean().optional(),
  alarm: AlarmName,
  /** The first broken link of the alarm's chain, where nobody is being called and that is known. */
  broken: z.enum(alarmLinks).optional(),
  /** Page of the worst object behind the cell. */
  href: z.string(),
  /** The page or host of the commit. */
  commitHref: z.string().optional(),
  /** Read aloud and in the read-out line: "since 02:12 UTC, BuildFailed" in one short sentence. */
  say: z.string(),
  since: Time,
  /** A pass is under way, or a wave rolls. */
  busy: z.boolean().optional(),
  /** Only declared, and never observed: no deviation. */
  declared: z.boolean().optional(),
});
export type WireMark = z.infer<typeof WireMark>;

/** A row of the matrix: one cluster. */
export const WireRow = z.object({
  cluster: z.string(),
  /** Value of the label that groups rows ('' where it has none). */
  group: z.string(),
  /** `declared`: no cluster, a row for stacks that plumbline.yaml declares. */
  state: ClusterStateName,
  /** Since when it is live, or is not seen; `at-least` where nothing was ever received of it. */
  since: Time,
  bound: Bound,
  reason: z.string().nullable(),
  /** Weaknesses of how it is reached and named, a sentence each. */
  cautions: z.array(z.string()),
  /** The worst of what can be observed; null where there is nothing of the kind. */
  worst: VerdictName.nullable(),
  silent: z.number(),
  /** Number of the unobserved that are only declared, and never are observed. */
  declared: z.number(),
  /** Planned work under way (policy.maintenance). */
  plannedWork: z.object({ until: Time, reason: z.string() }).nullable(),
  /** Values of the labels that the view shows, in its order; '' where it has none. */
  labels: z.array(z.string()),
  /** One letter a column, see `cellCodes`. */
  cells: z.string(),
  /** One letter a column, cut after the last: `a` drift is measured for nothing behind the cell, `s` for some of it, ' ' where it is, or could not be. */
  drift: z.string(),
  /** One letter a column, cut after the last: how many exemptions lie behind the cell, in base 36 (`z`: 35 or more), ' ' for none. */
  exempt: z.string(),
  /** Commits that run there, whole; at most 36. */
  commits: z.array(z.string()),
  /** One letter a column, cut after the last: which of `commits` runs, in base 36; ' ' where none is known. Behind a cell of several objects, one that differs from the newest. */
  runs: z.string(),
  /** One letter a column, cut after the last: `s` a source that is at a commit stands behind the cell, ' ' none does. It is behind by every later commit, whatever that touches. */
  sources: z.string(),
  marks: z.array(WireMark),
  counts: z.record(VerdictName, z.number()),
});
export type WireRow = z.infer<typeof WireRow>;

/** Summary of every page: time, truth, counts. All of it is of what the filter keeps, where there is one. */
export const WireFleetSummary = z.object({
  asOf: Time,
  /** When the collector last said anything at all; the fleet cache is live while this is young. */
  lastWordAt: Time.nullable(),
  guarantee: WireGuarantee,
  /** Filter in words, and what lies outside that is as bad or worse; null where it is of all there is. */
  filter: WireFiltered.nullable(),
  /** Planned work under way; `objects`: how many there are away or stale, counted apart. */
  planned: z.array(z.object({ clusters: z.array(z.string()), until: Time, reason: z.string(), objects: z.number() })),
  causes: z.array(WireCauseLine),
  /** Number of causes in all; `causes` carries at most 5 (or all with causes=all). */
  causesTotal: z.number(),
  /** Objects beneath all of them. */
  causesObjects: z.number(),
  counts: z.record(VerdictName, z.number()),
  objects: z.number(),
  clusters: z.object({ total: z.number(), synced: z.number() }),
  /** "ap-northeast-1 unreachable for 38 min", "HelmRelease forbidden on 2 clusters (missing rule: list)" */
  partial: z.array(z.string()),
  notMeasurable: z.number(),
  /** Exemptions found, and resources with more than one manager. */
  exemptions: z.number(),
  /** Objects that have any. */
  exempt: z.number(),
  conflicts: z.number(),
  /** The record: its size on disk (bytes), since when there is one, and how long spans and messages are kept (ms). Null while not known, and in the past. */
  record: z.object({ bytes: z.number(), since: Time.nullable(), spans: z.number(), messages: z.number() }).nullable(),
  /** A simulated fleet says so on every page. */
  simulated: z.boolean(),
  /** The store or the collector is in trouble, in words; null where all is well. */
  trouble: z.string().nullable(),
});
export type WireFleetSummary = z.infer<typeof WireFleetSummary>;

/** Answer of GET /api/v1/fleet: the matrix. Rows worst first within their group, groups by their worst. */
export const WireFleet = z.object({
  summary: WireFleetSummary,
  columns: z.array(WireColumn),
  rows: z.array(WireRow),
  /** Labels that rows can be grouped by. */
  labels: z.array(z.string()),
  /** Reconcilers that own any object of the fleet. */
  reconcilers: z.array(z.string()),
  /** Exact YAML to add where no cluster is configured; null where there is one. */
  hint: z.string().nullable(),
});
export type WireFleet = z.infer<typeof WireFleet>;

/** Labels that stand beside each cluster's name, at most. */
const mostShown = 50;

/** The view of the matrix, all of it in the URL (the same names there and in the API's query). */
export const FleetView = z.object({
  /** Columns by delivery (default: sources, Kustomizations, Crossplane by API group), reconciler, kind, group, namespace, label:<key>. */
  columns: z
    .string()
    .refine((text) => parseColumnMode(text) !== null, {
      error: 'must be delivery, reconciler, kind, group, namespace or label:<key>',
    })
    .default('delivery')
    .meta({ description: 'What makes a column: delivery, reconciler, kind, group, namespace or label:<key>.' }),
  /** Label that groups rows; '' for none. */
  rows: z.string().default('environment'),
  /** Labels that stand beside each cluster's name, comma-separated. */
  show: z
    .string()
    .max(2_000)
    .refine((text) => wordsOf(text).length <= mostShown, { error: `must be ${mostShown} labels at most` })
    .default(''),
  /** Verdicts to show (comma-separated); '' for all. Rows and columns without any are left out. */
  verdict: someOf(verdicts, 'verdicts'),
  /** Free text, as in GET /api/v1/objects: only objects that match are counted and shown. */
  q: searchText,
  cluster: z.string().default(''),
  reconciler: z.string().default(''),
  namespace: z.string().default(''),
  /** Label filter: key=value, comma-separated. */
  label: labelFilter,
  sort: z.enum(['worst', 'name']).default('worst'),
});
export type FleetView = z.infer<typeof FleetView>;

/** The labels that a view shows beside each name, in its order. */
export function shownLabels({ show }: Pick<FleetView, 'show'>): readonly string[] {
  return wordsOf(show);
}

/** Query of GET /api/v1/fleet: the view, and whether all causes are wanted or the first five. */
export const FleetQuery = FleetView.extend({ causes: z.enum(['first', 'all']).default('first') });
export type FleetQuery = z.infer<typeof FleetQuery>;

export const fleetApi = endpoint({
  path: '/api/v1/fleet',
  summary: 'The matrix',
  query: FleetQuery,
  answer: WireFleet,
  name: 'Fleet',
  at: true,
});
