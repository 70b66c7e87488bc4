import type { Labels } from '#lib/domain/alarm/fact.ts';
import { minute, second } from '#lib/domain/time/length.ts';
import type { Log } from '../../runtime/log.ts';
import { commonKinds, groupResource } from '../api/kinds.ts';
import type { SimulatedCluster } from '../fleet/simulated-cluster.ts';
import { annotationsOf, each } from './alerting-rule.ts';
import type { AlertingRule } from './alerting-rule.ts';
import { receiversOf } from './alertmanager.ts';
import type { AlertmanagerBoard, KeptAlert, PrometheusBoard, RuleAlert } from './board.ts';
import { demoConfig } from './demo-alertmanager.ts';
import type { Monitoring } from './demo-monitoring.ts';
import { fingerprintOf } from './fingerprint.ts';
import { metrics } from './kube-state-metrics.ts';
import { startMonitoringServer } from './monitoring-server.ts';
import type { Program } from './monitoring-server.ts';
import type { Series } from './series.ts';

/**
 * Size of the monitoring of a generated fleet: so many alerts fire, evenly over so many series, one series for each object. `all`: of every object that there is
 * when it is asked for the first time.
 */
export interface MonitoringPlan {
  readonly alerts: number;
  readonly series: number | 'all';
}

/** An object of which there is a series. */
export interface ExportedObject {
  readonly cluster: string;
  readonly group: string;
  readonly kind: string;
  readonly version: string;
  readonly namespace: string;
  readonly name: string;
}

/** Parts of the monitoring of a generated fleet. `now` gives ms since the epoch. */
export interface GeneratedDeps {
  readonly plan: MonitoringPlan;
  readonly log: Log;
  now(): number;
  /** The fleet's objects, in the same order each time. */
  objects(): Iterable<ExportedObject>;
}

const aside: ReadonlySet<string> = new Set(
  [commonKinds.event, commonKinds.lease, commonKinds.namespace, commonKinds.deployment].map(groupResource),
);

/** Objects of reconcilers on the clusters of a fleet. */
export function* exportedObjects(clusters: Iterable<SimulatedCluster>): Generator<ExportedObject> {
  for (const { name: cluster, store } of clusters)
    for (const kind of store.kinds()) {
      if (aside.has(groupResource(kind))) continue;
      const { group, version } = kind;
      for (const { namespace, name } of store.store(groupResource(kind))?.sorted() ?? [])
        yield { cluster, group, kind: kind.kind, version, namespace, name };
    }
}

const naming = ['cluster', 'customresource_group', 'customresource_kind', 'exported_namespace', 'name'] as const;
const state = { [metrics.flux]: 'ready', [metrics.crossplane]: 'synced' } as const;

function metricOf({ group }: ExportedObject): typeof metrics.flux | typeof metrics.crossplane {
  return group.endsWith('toolkit.fluxcd.io') ? metrics.flux : metrics.crossplane;
}

function namesOf({ cluster, group, kind, namespace, name }: ExportedObject): Labels {
  return {
    cluster,
    customresource_group: group,
    customresource_kind: kind,
    ...(namespace === '' ? {} : { exported_namespace: namespace }),
    name,
  };
}

function ruleOn(metric: typeof metrics.flux | typeof metrics.crossplane, name: string): AlertingRule {
  return {
    file: '/etc/prometheus/rules/fleet.yaml',
    group: 'fleet',
    name,
    query: `max by (${naming.join(', ')}) (${metric}{${state[metric]}!="True"}) == 1`,
    holds: 5 * minute,
    labels: { severity: 'page' },
    annotations: { summary: '{{ $labels.name }} is not as in git' },
    evaluate: each(metric, (labels) => labels[state[metric]] !== 'True', naming),
  };
}

const rules = [ruleOn(metrics.flux, 'FluxObjectNotReady'), ruleOn(metrics.crossplane, 'CrossplaneNotSynced')] as const;

/** Everything is told from the objects each time, one by one; nothing is kept. */
function createBoards({ plan, objects, now }: GeneratedDeps) {
  const startedAt = now();
  const activeAt = startedAt - 20 * minute;
  let all: number | null = null;

  function* exported(): Generator<{ readonly object: ExportedObject; readonly isFailing: boolean }> {
    const most = plan.series === 'all' ? (all ??= countUpTo(objects(), Infinity)) : plan.series;
    const step = Math.max(1, Math.floor(most / Math.max(1, plan.alerts)));
    let count = 0;
    for (const object of objects()) {
      if (count === most) return;
      yield { object, isFailing: count % step === 0 && count / step < plan.alerts };
      count++;
    }
  }

  function* alertsOf(rule: AlertingRule, metric: string): Generator<RuleAlert> {
    for (const { object, isFailing } of exported())
      if (isFailing && metricOf(object) === metric) {
        const labels = { alertname: rule.name, ...namesOf(object), ...rule.labels };
        yield { labels, annotations: annotationsOf(rule, labels), state: 'firing', activeAt, value: 1 };
      }
  }

  function* series(): Generator<Series> {
    for (const { object, isFailing } of exported()) {
      const metric = metricOf(object);
      const status = isFailing ? 'False' : 'True';
      const states = metric === metrics.flux ? { ready: status } : { ready: status, synced: status };
      const labels = {
        ...namesOf(object),
        customresource_version: object.version,
        job: 'kube-state-metrics',
        ...states,
      };
      yield { metric, labels };
    }
  }

  const standings = [
    [rules[0], metrics.flux],
    [rules[1], metrics.crossplane],
  ] as const;
  const prometheus: PrometheusBoard = {
    groups: () => [
      {
        file: rules[0].file,
        name: rules[0].group,
        interval: 15 * second,
        rules: standings.map(([rule, metric]) => ({
          rule,
          health: 'ok',
          error: null,
          evaluatedAt: now(),
          alerts: () => alertsOf(rule, metric),
        })),
      },
    ],
    series,
  };
  const alertmanager: AlertmanagerBoard = {
    config: demoConfig,
    startedAt,
    silences: () => [],
    *alerts(): Generator<KeptAlert> {
      for (const [rule, metric] of standings)
        for (const { labels, annotations } of alertsOf(rule, metric)) {
          const held = { silencedBy: [], inhibitedBy: [], receivers: receiversOf(demoConfig.route, labels) };
          const times = { startsAt: activeAt + rule.holds, endsAt: now() + 4 * minute, updatedAt: now() };
          yield { labels, annotations, query: rule.query, fingerprint: fingerprintOf(labels), ...times, ...held };
        }
    },
  };
  return { prometheus, alertmanager };
}

function countUpTo(objects: Iterable<ExportedObject>, most: number): number {
  let counted = 0;
  for (const _ of objects) if (++counted === most) break;
  return counted;
}

/** Starts the monitoring of a generated fleet. Throws a RangeError where the fleet has fewer objects than series, or those fewer than alerts. */
export async function startGeneratedMonitoring(deps: GeneratedDeps): Promise<Monitoring> {
  const { plan, log, now } = deps;
  const wanted = plan.series === 'all' ? plan.alerts : plan.series;
  const found = countUpTo(deps.objects(), wanted);
  if (found < wanted) throw new RangeError(`${wanted} series need as many objects, and the fleet has ${found}`);
  if (plan.alerts > wanted) throw new RangeError(`${plan.alerts} alerts need as many series, not ${wanted}`);
  const { prometheus, alertmanager } = createBoards(deps);
  const programs = new Map<string, Program>([
    ['/prometheus', { program: 'prometheus', board: prometheus }],
    ['/alertmanager', { program: 'alertmanager', board: alertmanager }],
  ]);
  const server = await startMonitoringServer({ log, programs, now });
  const urls = { prometheus: server.url('/prometheus'), alertmanager: server.url('/alertmanager') };
  return {
    sources: [{ name: 'monitoring', ...urls, clusterLabel: 'cluster' }],
    server,
    stop: () => server.stop(),
  };
}
