import type { Matcher } from '#lib/domain/alarm/fact.ts';
import type { FleetKind, FleetKinds } from './fleet-kinds.ts';
import { metricName } from './kube-state-metrics.ts';
import { onCluster, type RuleSettings } from './object-rules.ts';
import { literalPattern, selectorText } from './promql.ts';
import { type AlertRule, ruleLabels } from './rule.ts';

/** Most pairs of a kind and a cluster whose series are asked for one by one: more would not fit into one object of Kubernetes. */
export const mostPairs = 4_000;
/** Most clusters in one expression: whoever takes it apart goes one deeper for each. */
const mostInOne = 50;

const exporter: Matcher = { name: 'job', operator: '=~', value: '.*kube-state-metrics.*' };

/** Rules on the metrics themselves: an alert on series that are gone looks like an alert that has nothing to say. */
export interface MetricRules {
  readonly rules: readonly AlertRule[];
  /** Series that they do not watch, a sentence each. */
  readonly leftOut: readonly string[];
}

/** Alerts on what exports the state of objects: the series of each kind on each cluster that has it, and the targets of kube-state-metrics. */
export function metricRules(fleet: FleetKinds, settings: RuleSettings): MetricRules {
  const watched = fleet.clusters.slice(0, mostPairs);
  const clusterMatcher = matcherOfCluster(fleet.clusters, settings.naming);
  const targets = targetRules(watched, clusterMatcher, settings);
  const seen = fleet.kinds.filter(({ clusters }) => clusters.length > 0);
  const pairs = seen.reduce((sum, { clusters }) => sum + clusters.length, 0);
  if (pairs <= mostPairs) {
    const absent = seen.flatMap((kind) =>
      absentRules(kind, kind.clusters, kindMatchers(kind), clusterMatcher, settings),
    );
    return { rules: [...absent, ...targets], leftOut: [] };
  }
  const whole = [...Map.groupBy(seen, metricName).values()].flatMap((kinds) => {
    const having = new Set(kinds.flatMap((kind) => kind.clusters));
    const clusters = watched.filter((cluster) => having.has(cluster));
    return kinds.slice(0, 1).flatMap((first) => absentRules(first, clusters, [], clusterMatcher, settings));
  });
  const unwatched = fleet.clusters.length - watched.length;
  return {
    rules: [...whole, ...targets],
    leftOut: [
      `absent series are alarmed on by metric and cluster, not by kind, for ${pairs} kinds on clusters are more than ${mostPairs}`,
      ...(unwatched > 0 ? [`absent series of ${unwatched} clusters beyond the first ${mostPairs}`] : []),
    ],
  };
}

/** Of one cluster alone series may lack the label: its Prometheus adds it on the way out. */
function matcherOfCluster(
  { length }: readonly string[],
  { label: name, valuesOf }: RuleSettings['naming'],
): (cluster: string) => Matcher {
  return (cluster) => {
    const values = [...(length === 1 ? [''] : []), ...valuesOf(cluster)];
    const [only = '', another] = values;
    return another === undefined
      ? { name, operator: '=', value: only }
      : { name, operator: '=~', value: values.map(literalPattern).join('|') };
  };
}

function kindMatchers({ group, kind }: FleetKind): readonly Matcher[] {
  return [
    { name: 'customresource_group', operator: '=', value: group },
    { name: 'customresource_kind', operator: '=', value: kind },
  ];
}

function absentRules(
  kind: FleetKind,
  clusters: readonly string[],
  matchers: readonly Matcher[],
  clusterMatcher: (cluster: string) => Matcher,
  { hold, naming }: RuleSettings,
): readonly AlertRule[] {
  const metric = metricName(kind);
  const about = matchers.length === 0 ? '' : ' of {{ $labels.customresource_kind }}';
  const told = Object.fromEntries(matchers.map(({ name, value }) => [name, value]));
  const selectors = clusters.map((cluster) => selectorText(metric, [clusterMatcher(cluster), ...matchers]));
  return anyAbsent(selectors, {
    alert: 'ReconcilerMetricAbsent',
    for: hold,
    labels: { ...ruleLabels('critical'), metric, ...told },
    annotations: {
      summary: `There are no series ${metric}${about}${onCluster(naming)}.`,
      description:
        'No alarm on these objects can sound: look at the targets and the log of kube-state-metrics. Where they were removed on purpose, write the rules anew.',
    },
  });
}

/** Rules that are true where any of these selectors has no series. Each has labels of its own: `promtool check rules` refuses two that are alike. */
function anyAbsent(selectors: readonly string[], rule: Omit<AlertRule, 'expr'>): readonly AlertRule[] {
  return Array.from({ length: Math.ceil(selectors.length / mostInOne) }, (_, part) => {
    const some = selectors.slice(part * mostInOne, (part + 1) * mostInOne);
    const { alert, for: hold, labels, annotations } = rule;
    return {
      alert,
      expr: some.map((selector) => `absent(${selector})`).join('\nor\n'),
      for: hold,
      labels: part === 0 ? labels : { ...labels, part: String(part + 1) },
      annotations,
    };
  });
}

function targetRules(
  clusters: readonly string[],
  clusterMatcher: (cluster: string) => Matcher,
  { hold, naming }: RuleSettings,
): readonly AlertRule[] {
  const description = 'No alarm on objects can sound while their state is not scraped.';
  const labels = ruleLabels('critical');
  const down: AlertRule = {
    alert: 'KubeStateMetricsDown',
    expr: `min by (${naming.label}) (${selectorText('up', [exporter])}) == 0`,
    for: hold,
    labels,
    annotations: { summary: `A target of kube-state-metrics is down${onCluster(naming)}.`, description },
  };
  const selectors = clusters.map((cluster) => selectorText('up', [clusterMatcher(cluster), exporter]));
  const annotations = { summary: `kube-state-metrics is no target${onCluster(naming)}.`, description };
  return [down, ...anyAbsent(selectors, { alert: 'KubeStateMetricsAbsent', for: hold, labels, annotations })];
}
