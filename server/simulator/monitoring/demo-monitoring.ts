import type { Labels } from '#lib/domain/alarm/fact.ts';
import { day, minute, second } from '#lib/domain/time/length.ts';
import type { Log } from '../../runtime/log.ts';
import type { Scheduler } from '../controllers/scheduler.ts';
import type { DemoFleet } from '../fleet/demo-fleet.ts';
import type { AlertingRule } from './alerting-rule.ts';
import { createAlertmanager } from './alertmanager.ts';
import type { PrometheusBoard, SentAlert } from './board.ts';
import { demoConfig, demoSilences, externalLabels, isDropped, leftAlerts } from './demo-alertmanager.ts';
import { demoRules, ruleNames } from './demo-rules.ts';
import { drainedCluster, readAlone } from './demo-intention.ts';
import { startEvaluator } from './evaluator.ts';
import { createExporter } from './kube-state-metrics.ts';
import { startMonitoringServer } from './monitoring-server.ts';
import type { MonitoringServer, Program } from './monitoring-server.ts';
import type { Series } from './series.ts';

/** An alarm source as plumbline.yaml names it. */
export interface SimulatedSource {
  readonly name: string;
  readonly prometheus?: string;
  readonly alertmanager?: string;
  readonly clusterLabel?: string;
  readonly clusters?: readonly string[];
}

/** The simulated monitoring of a fleet. */
export interface Monitoring {
  readonly sources: readonly SimulatedSource[];
  readonly server: MonitoringServer;
  stop(): Promise<void>;
}

/** Parts that it is started with. */
export interface MonitoringDeps {
  readonly fleet: DemoFleet;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/** Paths of the programs on the one server. */
export const paths = {
  prometheus: '/prometheus',
  alertmanager: '/alertmanager',
  alone: `/${readAlone}/prometheus`,
} as const;

const interval = 15 * second;

/** One node that is drained, on the cluster whose alerts that holds back. */
const drained: Series = {
  metric: 'kube_node_spec_unschedulable',
  labels: { cluster: drainedCluster, node: 'ip-10-4-17-201', job: 'kube-state-metrics', namespace: 'monitoring' },
};

/** Since when an alert of the story's opening has been true (ms); null for one that begins with it. */
function restoredBy({ ledger }: DemoFleet, startedAt: number) {
  return ({ name }: AlertingRule, labels: Labels): number | null => {
    if (name === ruleNames.watchdog) return startedAt - 20 * day;
    if (name === ruleNames.drained) return startedAt - 55 * minute;
    // Its clock began with the end of the last pass, as it does over and over.
    if (name === ruleNames.failedInAsia) return startedAt - 14 * second;
    const ref = {
      cluster: labels['cluster'] ?? '',
      group: labels['customresource_group'] ?? '',
      kind: labels['customresource_kind'] ?? '',
      namespace: labels['exported_namespace'] ?? '',
      name: labels['name'] ?? '',
    };
    return ledger.of(ref, startedAt)?.since ?? null;
  };
}

/** Alerts that reach the Alertmanager, of all that the Prometheus would send. */
function relabelled(alerts: readonly SentAlert[]): readonly SentAlert[] {
  return alerts
    .filter(({ labels }) => !isDropped(labels))
    .map((alert) => ({ ...alert, labels: { ...alert.labels, ...externalLabels } }));
}

/**
 * Starts the demo's monitoring on a fleet whose story has begun: a Prometheus and an Alertmanager that speak for all clusters but
 * one, in which the alarms of the opening stand as they would after so long; and a Prometheus of that one, which is not available.
 */
export async function startDemoMonitoring({ fleet, scheduler, log }: MonitoringDeps): Promise<Monitoring> {
  const startedAt = scheduler.now();
  const now = (): number => scheduler.now();
  const exporters = [...fleet.clusters]
    .filter(([name]) => name !== readAlone)
    .map(([name, { cluster }]) => createExporter(name, cluster.store));
  function* series(): Generator<Series> {
    for (const exporter of exporters) yield* exporter.series();
    if (fleet.clusters.has(drainedCluster)) yield drained;
  }
  const alertmanager = createAlertmanager(demoConfig, demoSilences(startedAt), now);
  alertmanager.receive(leftAlerts(startedAt));
  const evaluator = startEvaluator({
    scheduler,
    interval,
    rules: demoRules,
    series,
    restored: restoredBy(fleet, startedAt),
    send: (alerts) => alertmanager.receive(relabelled(alerts)),
  });
  const alone: PrometheusBoard = { groups: () => [], series: () => [] };
  const programs = new Map<string, Program>([
    [paths.prometheus, { program: 'prometheus', board: { groups: evaluator.groups, series } }],
    [paths.alertmanager, { program: 'alertmanager', board: alertmanager }],
    [paths.alone, { program: 'prometheus', board: alone }],
  ]);
  const server = await startMonitoringServer({ log, programs, now });
  server.setReach(paths.alone, 'unavailable');
  const fleetSource: SimulatedSource = {
    name: 'monitoring',
    prometheus: server.url(paths.prometheus),
    alertmanager: server.url(paths.alertmanager),
    clusterLabel: 'cluster',
  };
  const aloneSource: SimulatedSource = {
    name: readAlone,
    prometheus: server.url(paths.alone),
    clusters: [readAlone],
  };
  const sources = [fleetSource, ...(fleet.clusters.has(readAlone) ? [aloneSource] : [])];
  return { sources, server, stop: () => server.stop() };
}
