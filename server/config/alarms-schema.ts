import { z } from 'zod';
import type { ClusterAttribution } from '#lib/domain/alarm/source.ts';
import { isLoopback } from '#server/runtime/loopback.ts';
import { clusterName, text } from './field-schemas.ts';

/** Prefixes of metrics that name objects of reconcilers, where a line of `alarms` names none. */
export const objectMetrics = [
  'gotk_',
  'flux_',
  'crossplane_',
  'upjet_',
  'kube_customresource_',
  'argocd_',
  'tofu_',
  'pulumi_',
];

/** Longest value of the label that names clusters, as Plumbline reads labels. */
const longestValue = 1_024;

/** Where a program is asked: no user information, for addresses are shown; no query, for one is put behind it. */
const address = z
  .string()
  .max(1_024)
  .refine((written) => wrongAddress(written) === null, { error: ({ input }) => wrongAddress(String(input)) ?? '' })
  .transform((written) => new URL(written).href.replace(/\/+$/, ''));

function wrongAddress(written: string): string | null {
  const url = URL.parse(written);
  if (url === null || !/^https?:\/\//i.test(written))
    return 'must be an address such as http://prometheus:9090 or https://mimir.example.org/prometheus';
  if (url.username !== '' || url.password !== '')
    return 'must not hold a user or password: name a file with a token under tokenFile';
  return /[?#]/.test(written) ? 'must end with its path: no ? and no #' : null;
}

const label = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of a label: letters, digits and _')
  .max(200);

const metricPrefix = z
  .string()
  .regex(/^[A-Za-z_:][A-Za-z0-9_:]*$/, 'must be the beginning of metrics: letters, digits, _ and :')
  .max(200);

/** Letters that HTTP allows in a header, without spaces: one tenant, or several with | between them. */
const tenant = z
  .string()
  .regex(/^[A-Za-z0-9!_.*'()|:@-]+$/, "must be letters, digits and ! _ . * ' ( ) | : @ -")
  .max(500);

/** One line of `alarms` as it is written. */
export const alarmEntry = z
  .strictObject({
    name: clusterName.optional().meta({
      description: 'How the source is called on every page; host and port of its first address where absent.',
    }),
    prometheus: address.optional().meta({
      description: 'The address of what evaluates rules: Prometheus, Thanos, Mimir, Grafana. A path may follow it.',
    }),
    alertmanager: z
      .union([address, z.array(address).min(1).max(16)])
      .optional()
      .meta({ description: 'The address of the Alertmanager that it sends to, or of all of them.' }),
    clusterLabel: label
      .default('cluster')
      .meta({ description: 'The label by which series and alerts name their cluster.' }),
    clusterNames: z
      .record(z.string().min(1).max(longestValue), clusterName)
      .default({})
      .meta({ description: 'Names of clusters by the values of that label, where they differ.' }),
    clusters: z.array(clusterName).max(10_000).default([]).meta({
      description:
        'The clusters that it speaks for; those that its label names where absent. One alone needs no label.',
    }),
    tokenFile: text
      .optional()
      .meta({ description: 'A file with the bearer token that its programs ask for, read anew at each reading.' }),
    ca: text.optional().meta({
      description: 'A PEM file with the authorities that sign its certificates; those of the machine where absent.',
    }),
    tenant: tenant.optional().meta({ description: 'The tenant of Mimir or Cortex (X-Scope-OrgID).' }),
    metrics: z
      .array(metricPrefix)
      .min(1)
      .max(50)
      .default(objectMetrics)
      .meta({ description: 'How metrics begin that name objects of reconcilers.' }),
  })
  .superRefine((entry, context) => {
    if (entry.prometheus === undefined && entry.alertmanager === undefined)
      context.addIssue({
        code: 'custom',
        message: 'needs the address of a prometheus, of an alertmanager, or of both',
      });
    const addresses = addressesOf(entry);
    if (new Set(addresses).size < addresses.length)
      context.addIssue({ code: 'custom', message: 'names an address twice' });
    const plain = addresses.find(isPlain);
    if (entry.tokenFile !== undefined && plain !== undefined)
      context.addIssue({
        code: 'custom',
        path: ['tokenFile'],
        message: `${plain} is http://, and no token is sent over that: write https://`,
      });
    const { clusters } = entry;
    for (const [value, cluster] of Object.entries(entry.clusterNames))
      if (clusters.length > 0 && !clusters.includes(cluster))
        context.addIssue({
          code: 'custom',
          path: ['clusterNames', value],
          message: `"${cluster}" is not among the clusters that it speaks for: name it there, too`,
        });
    if (entry.ca !== undefined && !addresses.some((each) => each.startsWith('https:')))
      context.addIssue({ code: 'custom', path: ['ca'], message: 'ca goes with an address of https://' });
  });

type Written = z.output<typeof alarmEntry>;

/** True where what is sent to an address can be read on its way. */
function isPlain(written: string): boolean {
  const { protocol, hostname } = new URL(written);
  return protocol === 'http:' && !isLoopback(hostname.replace(/^\[|\]$/g, ''));
}

function alertmanagersOf({ alertmanager }: Pick<Written, 'alertmanager'>): readonly string[] {
  if (alertmanager === undefined) return [];
  return typeof alertmanager === 'string' ? [alertmanager] : alertmanager;
}

/** All addresses of a line of `alarms`, that of its Prometheus first. */
function addressesOf(entry: Pick<Written, 'prometheus' | 'alertmanager'>): readonly string[] {
  return [...(entry.prometheus === undefined ? [] : [entry.prometheus]), ...alertmanagersOf(entry)];
}

/** The name of the source that a line of `alarms` describes. */
export function alarmSourceName(entry: Pick<Written, 'name' | 'prometheus' | 'alertmanager'>): string {
  const [first] = addressesOf(entry);
  return entry.name ?? (first === undefined ? '' : hostAndPort(new URL(first)));
}

/** An address of IPv6 stands without its brackets, and begins with a digit: names do. */
function hostAndPort({ hostname, port, protocol }: URL): string {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/^:/, '0:');
  return `${host}:${port || (protocol === 'https:' ? '443' : '80')}`;
}

/** An alarm source as it is configured. Addresses have no slash at their end; paths of files are absolute, null where none is named. */
export interface AlarmEntry {
  readonly name: string;
  /** Program that evaluates rules; null where there is none. */
  readonly prometheus: string | null;
  readonly alertmanagers: readonly string[];
  readonly attribution: ClusterAttribution;
  /** A file with a bearer token, for all its programs. */
  readonly tokenFile: string | null;
  /** A PEM file; null for the authorities that the machine trusts. */
  readonly ca: string | null;
  /** Value of X-Scope-OrgID. */
  readonly tenant: string | null;
  /** Prefixes of metrics that name objects. */
  readonly metrics: readonly string[];
}

/** Beginnings of metrics that name objects of a cluster: those of every source that may speak for it; the usual ones where none is configured to. */
export function metricsFor(entries: readonly AlarmEntry[], cluster: string): readonly string[] {
  const speaking = entries.filter(
    ({ attribution: { clusters } }) => clusters.length === 0 || clusters.includes(cluster),
  );
  return speaking.length === 0 ? objectMetrics : [...new Set(speaking.flatMap(({ metrics }) => metrics))];
}

/** A line of `alarms`, its files absolute by `path`. */
export function alarmEntryOf(entry: Written, path: (written: string) => string): AlarmEntry {
  const { clusterLabel: named, clusterNames: aliases, clusters } = entry;
  return {
    name: alarmSourceName(entry),
    prometheus: entry.prometheus ?? null,
    alertmanagers: alertmanagersOf(entry),
    attribution: { label: named, aliases, clusters },
    tokenFile: entry.tokenFile === undefined ? null : path(entry.tokenFile),
    ca: entry.ca === undefined ? null : path(entry.ca),
    tenant: entry.tenant ?? null,
    metrics: entry.metrics,
  };
}
