import { z } from 'zod';
import { findingTypes } from '../../domain/alarm/finding.ts';
import { alarmsUnknown } from '../../domain/alarm/link.ts';
import { notificationLinks } from '../../domain/alarm/notification/link.ts';
import { endpoint } from '../endpoint.ts';
import { WireCauseLine } from '../fleet.ts';
import { Time } from '../object.ts';
import { limitOf, ListFormat, recordShape, someOf } from '../params.ts';

/** Query of GET /api/v1/alarms, '' meaning "any". */
export const AlarmsQuery = z.object({
  cluster: recordShape.cluster,
  group: z.string().default('').meta({ description: 'API group; "-" for the core group.' }),
  kind: z.string().default(''),
  source: z.string().default('').meta({
    description:
      'Name of an alarm source; several with commas. Keeps the source and its findings: objects are covered by any.',
  }),
  finding: someOf(findingTypes, 'types of findings').meta({
    description: `Types of findings, comma-separated: ${findingTypes.join(', ')}.`,
  }),
  limit: limitOf(2_000, 10).meta({ description: 'Clusters of each kind, and findings of each type, the worst first.' }),
  format: ListFormat.meta({ description: 'json: the page; csv: every kind on every cluster, as a file.' }),
});
export type AlarmsQuery = z.infer<typeof AlarmsQuery>;

/** One program of a source, and whether what it told is believed now. */
const WireAlarmProgram = z.object({
  program: z.enum(['prometheus', 'alertmanager']),
  url: z.string(),
  /** old: it was read, longer ago than its answers are believed. */
  state: z.enum(['live', 'reading', 'old', 'failed']),
  /** Since when it is live, being read or failing; of `old`, since when it is not believed. */
  since: Time,
  reason: z.string().nullable(),
  /** When the last whole reading of it began; null where there is none. */
  readAt: Time.nullable(),
});

/** An alarm source: one line of `alarms` in plumbline.yaml. */
export const WireAlarmSource = z.object({
  name: z.string(),
  /** Label that names the cluster of a series or an alert. */
  label: z.string(),
  /** Clusters that it speaks for, the first 100; [] for those that the label names. */
  clusters: z.array(z.string()),
  clustersTotal: z.number(),
  programs: z.array(WireAlarmProgram),
  /** Parts that were left out because a bound was reached, a sentence each. */
  cut: z.array(z.string()),
});
export type WireAlarmSource = z.infer<typeof WireAlarmSource>;

/** Objects by the answer to one step of the chain. */
const WireReachCount = z.object({ yes: z.number(), no: z.number(), unknown: z.number() });
export type WireReachCount = z.infer<typeof WireReachCount>;

const reachShape = { exported: WireReachCount, ruled: WireReachCount, routed: WireReachCount };

/** Coverage of the objects of a kind on one cluster. */
export const WireClusterCoverage = z.object({
  cluster: z.string(),
  objects: z.number(),
  away: z.number(),
  silent: z.number(),
  ...reachShape,
  /** Names of rules that read any of them, the first 10. */
  rules: z.array(z.string()),
  rulesTotal: z.number(),
  /** Who is called, the first 10: "oncall (pagerduty)". */
  receivers: z.array(z.string()),
  receiversTotal: z.number(),
  /** When an alert for any of them fired last, as far as Plumbline saw; null for never. */
  firedAt: Time.nullable(),
  /** Why something is not known; null where all is. */
  why: z.enum(alarmsUnknown).nullable(),
});
export type WireClusterCoverage = z.infer<typeof WireClusterCoverage>;

/** A kind over the clusters that have it. */
export const WireKindCoverage = z.object({
  group: z.string(),
  kind: z.string(),
  objects: z.number(),
  away: z.number(),
  silent: z.number(),
  ...reachShape,
  firedAt: Time.nullable(),
  /** The worst first, at most `limit`. */
  clusters: z.array(WireClusterCoverage),
  clustersTotal: z.number(),
});
export type WireKindCoverage = z.infer<typeof WireKindCoverage>;

/** One weakness of alarms, with its mend. */
export const WireFinding = z.object({
  type: z.enum(findingTypes),
  source: z.string(),
  title: z.string(),
  text: z.string(),
  mend: z.string(),
  at: Time.nullable(),
  objects: z.number().nullable(),
  /** The list of exactly these objects; null where there is none. */
  href: z.string().nullable(),
  alert: z.string().nullable(),
  rule: z.string().nullable(),
  /** Findings beside this one with the same source, title and mend, and what the first 20 of them say. */
  alike: z.number(),
  others: z.array(z.string()),
});
export type WireFinding = z.infer<typeof WireFinding>;

/** A cause of silence: as under the sentence of the fleet, and counted are the objects for which nobody is being called. */
export const WireSilentCause = WireCauseLine.extend({
  /** The list of exactly these objects. */
  href: z.string(),
});
export type WireSilentCause = z.infer<typeof WireSilentCause>;

/** Notifications that Flux itself sends (Alert, Provider), beside the alarms. */
export const WireNotifications = z.object({
  /** Why nothing of it is known: the moment is past; null where something is. */
  unknown: z.enum(['not-kept']).nullable(),
  /** True where the policy counts what is told as an alarm that sounds. */
  counted: z.boolean(),
  /** Alerts that are read, and the clusters that have any. */
  alerts: z.number(),
  clusters: z.number(),
  /** Clusters whose Alerts are not known, the first 20. */
  unread: z.array(z.string()),
  unreadTotal: z.number(),
  /** Kinds of objects whose controllers send events, by whether Flux would tell of them if they failed; the worst first, at most 50. */
  kinds: z.array(
    z.object({ group: z.string(), kind: z.string(), objects: z.number(), clusters: z.number(), told: WireReachCount }),
  ),
  kindsTotal: z.number(),
  /** Alerts that tell nobody, whatever fails, of one name on all clusters where it is so: at most `limit`. `alert` is null where it is all of its cluster. */
  findings: z.array(
    z.object({
      /** The first 20. */
      clusters: z.array(z.string()),
      clustersTotal: z.number(),
      alert: z.string().nullable(),
      link: z.enum(notificationLinks),
      text: z.string(),
      mend: z.string(),
    }),
  ),
  /** All of them, on each cluster one; `findingLines`: where one on several clusters is one. */
  findingsTotal: z.number(),
  findingLines: z.number(),
});
export type WireNotifications = z.infer<typeof WireNotifications>;

/** Answer of GET /api/v1/alarms. */
export const WireAlarms = z.object({
  asOf: Time,
  /** Why nothing at all is known of alarms: no source is configured, or the moment is past; null where something is. */
  unknown: z.enum(alarmsUnknown).nullable(),
  sources: z.array(WireAlarmSource),
  sourcesTotal: z.number(),
  /** Kinds of objects that say who is called, of which a cluster has more than are kept. */
  cut: z.array(
    z.object({
      kind: z.string(),
      /** The first 20. */
      clusters: z.array(z.string()),
      clustersTotal: z.number(),
    }),
  ),
  /** Over all kinds that the filter keeps. */
  totals: z.object({ objects: z.number(), away: z.number(), ...reachShape }),
  /** The worst first, at most 500. */
  kinds: z.array(WireKindCoverage),
  kindsTotal: z.number(),
  /** By type, the worst first. `total`: findings; `lines`: what they come to where alike ones are one, of which at most `limit` are here. */
  findings: z.array(
    z.object({ type: z.enum(findingTypes), total: z.number(), lines: z.number(), findings: z.array(WireFinding) }),
  ),
  findingsTotal: z.number(),
  /** Causes of objects that are away past the deadline with nobody called, the worst first, at most 50. */
  silent: z.array(WireSilentCause),
  silentCauses: z.number(),
  /** Objects beneath all of them. */
  silentTotal: z.number(),
  /** By cluster, group and kind, whatever source or finding is asked for. */
  notifications: WireNotifications,
});
export type WireAlarms = z.infer<typeof WireAlarms>;

export const alarmsApi = endpoint({
  path: '/api/v1/alarms',
  summary: 'What alarms cover and what weakens them; as JSON, or every kind on every cluster as CSV',
  query: AlarmsQuery,
  answer: WireAlarms,
  name: 'Alarms',
  at: true,
});
