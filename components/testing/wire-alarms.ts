import type {
  WireAlarms,
  WireAlarmSource,
  WireClusterCoverage,
  WireFinding,
  WireKindCoverage,
  WireNotifications,
  WireReachCount,
  WireSilentCause,
} from '#lib/api/alarm/alarms.ts';
import { minutesAgo, moment } from './wire-fleet.ts';
import { objectPath } from '#lib/api/paths.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import { checkout } from './wire-object.ts';

/** Objects by the answer to one step. */
export function wireReach(yes: number, no = 0, unknown = 0): WireReachCount {
  return { yes, no, unknown };
}

/** A source with a Prometheus and an Alertmanager, both read 20 s ago. */
export function wireSource(part: Partial<WireAlarmSource> = {}): WireAlarmSource {
  const live = { state: 'live', since: minutesAgo(600), reason: null, readAt: minutesAgo(0.3) } as const;
  return {
    name: 'prometheus-eu',
    label: 'cluster',
    clusters: [],
    clustersTotal: part.clusters?.length ?? 0,
    programs: [
      { ...live, program: 'prometheus', url: 'http://prometheus:9090' },
      { ...live, program: 'alertmanager', url: 'http://alertmanager:9093' },
    ],
    cut: [],
    ...part,
  };
}

/** A kind on one cluster, covered throughout where nothing else is told. */
export function wireClusterCoverage(cluster: string, part: Partial<WireClusterCoverage> = {}): WireClusterCoverage {
  const objects = part.objects ?? 4;
  const all = wireReach(objects);
  return {
    cluster,
    objects,
    away: 0,
    silent: 0,
    exported: all,
    ruled: all,
    routed: all,
    rules: ['FluxReconciliationFailure'],
    rulesTotal: 1,
    receivers: ['oncall (pagerduty)'],
    receiversTotal: 1,
    firedAt: minutesAgo(3 * 24 * 60),
    why: null,
    ...part,
  };
}

/** A kind over its clusters; sums follow from them. */
export function wireKindCoverage(
  kind: string,
  clusters: WireClusterCoverage[],
  part: Partial<WireKindCoverage> = {},
): WireKindCoverage {
  const sum = (of: (row: WireClusterCoverage) => number): number => clusters.reduce((n, row) => n + of(row), 0);
  const reach = (step: 'exported' | 'ruled' | 'routed'): WireReachCount => ({
    yes: sum((row) => row[step].yes),
    no: sum((row) => row[step].no),
    unknown: sum((row) => row[step].unknown),
  });
  return {
    group: kind === 'HelmRelease' ? 'helm.toolkit.fluxcd.io' : 'kustomize.toolkit.fluxcd.io',
    kind,
    objects: sum(({ objects }) => objects),
    away: sum(({ away }) => away),
    silent: sum(({ silent }) => silent),
    exported: reach('exported'),
    ruled: reach('ruled'),
    routed: reach('routed'),
    firedAt: clusters[0]?.firedAt ?? null,
    clusters,
    clustersTotal: clusters.length,
    ...part,
  };
}

/** A rule that reads a metric which Flux removed. */
export function wireFinding(part: Partial<WireFinding> = {}): WireFinding {
  return {
    type: 'dead-rule',
    source: 'prometheus-eu',
    title: 'FluxReconciliationFailure',
    text: 'It reads gotk_reconcile_condition, of which there is no series: Flux removed it.',
    mend: 'Read gotk_resource_info{ready="False"} in its place.',
    at: null,
    objects: null,
    href: null,
    alert: null,
    rule: 'FluxReconciliationFailure',
    alike: 0,
    others: [],
    ...part,
  };
}

/** checkout, which nobody is called for: no rule reads it. */
export function wireSilentCause(part: Partial<WireSilentCause> = {}): WireSilentCause {
  const { cluster, group, kind, namespace, name } = checkout;
  const ref = { cluster, group, kind, namespace, name };
  const title = `${name} on ${cluster}`;
  const objects = part.objects ?? 1;
  return {
    key: `object:${refKey(ref)}`,
    verdict: 'diverged',
    cause: { type: 'object', title, href: objectPath(ref), ...ref },
    title,
    text: 'build fails',
    commits: [],
    objects,
    clusters: 1,
    since: minutesAgo(47),
    bound: 'exact',
    alarm: 'silent',
    broken: { link: 'rule', objects, silent: objects },
    href: `/objects?guarantee=broken&cause=${encodeURIComponent(`object:${refKey(ref)}`)}`,
    ...part,
  };
}

/** The page of alarms of the night: two kinds, one object that is silent, a dead rule. */
export function wireAlarms(part: Partial<WireAlarms> = {}): WireAlarms {
  const bare = { exported: wireReach(6), ruled: wireReach(0, 6), routed: wireReach(0, 6), rules: [], rulesTotal: 0 };
  const kinds = part.kinds ?? [
    wireKindCoverage('Kustomization', [
      wireClusterCoverage('eu-west-3', {
        objects: 6,
        away: 1,
        silent: 1,
        ...bare,
        receivers: [],
        receiversTotal: 0,
        firedAt: null,
      }),
      wireClusterCoverage('stg-edge'),
    ]),
    wireKindCoverage('HelmRelease', [wireClusterCoverage('eu-west-3')]),
  ];
  const findings = part.findings ?? [{ type: 'dead-rule', total: 1, lines: 1, findings: [wireFinding()] }];
  const silent = part.silent ?? [wireSilentCause()];
  return {
    asOf: new Date(moment).toISOString(),
    unknown: null,
    sources: [wireSource()],
    sourcesTotal: 1,
    cut: [],
    totals: { objects: 14, away: 1, exported: wireReach(14), ruled: wireReach(8, 6), routed: wireReach(8, 6) },
    kinds,
    kindsTotal: kinds.length,
    findings,
    findingsTotal: findings.reduce((sum, { total }) => sum + total, 0),
    silent,
    silentCauses: silent.length,
    silentTotal: silent.reduce((sum, { objects }) => sum + objects, 0),
    notifications: noNotifications(),
    ...part,
  };
}

/** Flux tells nothing anywhere, and that is known. */
export function noNotifications(part: Partial<WireNotifications> = {}): WireNotifications {
  return {
    unknown: null,
    counted: false,
    alerts: 0,
    clusters: 0,
    unread: [],
    unreadTotal: 0,
    kinds: [],
    kindsTotal: 0,
    findings: [],
    findingsTotal: 0,
    findingLines: part.findings?.length ?? 0,
    ...part,
  };
}

/** Nothing is known of alarms. */
export function noAlarms(unknown: NonNullable<WireAlarms['unknown']>): WireAlarms {
  const none = wireReach(0);
  return wireAlarms({
    unknown,
    sources: [],
    sourcesTotal: 0,
    kinds: [],
    findings: [],
    silent: [],
    totals: { objects: 0, away: 0, exported: none, ruled: none, routed: none },
  });
}
