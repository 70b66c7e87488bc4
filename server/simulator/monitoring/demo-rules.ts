import type { Labels } from '#lib/domain/alarm/fact.ts';
import { hour, minute } from '#lib/domain/time/length.ts';
import { always, each, failing, moreThan } from './alerting-rule.ts';
import type { AlertingRule } from './alerting-rule.ts';
import { metrics } from './kube-state-metrics.ts';
import { labelsTest } from './series.ts';

/** Labels that name an object, and that no commit changes. */
const naming = ['cluster', 'customresource_group', 'customresource_kind', 'exported_namespace', 'name'] as const;
const byNames = `max by (${naming.join(', ')})`;

/** Names of the rules that others speak of. */
export const ruleNames = {
  production: 'FluxObjectNotReady',
  staging: 'FluxObjectNotReadyStaging',
  failedInAsia: 'FluxReconciliationFailed',
  drained: 'NodesDrained',
  watchdog: 'Watchdog',
} as const;

/** Which clusters and kinds the rules read, as they stand in their selectors. The rest is left out by mistake. */
const read = {
  appliers: 'Kustomization|HelmRelease',
  production: '(eu|us)-.+',
  asia: 'ap-.+',
  /** stg-edge came later, and nobody thought of it. stg-ap has a Prometheus of its own. */
  staging: 'sbx-.+|stg-(eu|us)',
} as const;

type Made = Pick<AlertingRule, 'name' | 'query' | 'holds' | 'evaluate'> & {
  readonly severity: string;
  readonly labels?: Labels;
  readonly summary: string;
};

function rule(file: string, group: string, { severity, labels, summary, ...made }: Made): AlertingRule {
  return {
    file: `/etc/prometheus/rules/${file}.yaml`,
    group,
    ...made,
    labels: { ...labels, severity },
    annotations: { summary },
  };
}

function selectsAppliers(clusters: string): (labels: Labels) => boolean {
  return labelsTest([
    { name: 'cluster', operator: '=~', value: clusters },
    { name: 'customresource_kind', operator: '=~', value: read.appliers },
  ]);
}

function notReady(name: string, clusters: string, holds: number, severity: string): AlertingRule {
  const isRead = selectsAppliers(clusters);
  const selector = `cluster=~"${clusters}",customresource_kind=~"${read.appliers}",ready!="True"`;
  return rule('flux', 'flux', {
    name,
    query: `${byNames} (${metrics.flux}{${selector}}) == 1`,
    holds,
    severity,
    summary: '{{ $labels.customresource_kind }} {{ $labels.name }} on {{ $labels.cluster }} is not ready',
    evaluate: each(metrics.flux, (labels) => labels['ready'] !== 'True' && isRead(labels), naming),
  });
}

/** Its clock begins anew whenever Ready is Unknown at an evaluation, and with each revision. */
function failedInAsia(): AlertingRule {
  const isRead = selectsAppliers(read.asia);
  const selector = `cluster=~"${read.asia}",customresource_kind=~"${read.appliers}",ready="False"`;
  return rule('flux-asia', 'flux', {
    name: ruleNames.failedInAsia,
    query: `${metrics.flux}{${selector}} == 1`,
    holds: 10 * minute,
    severity: 'page',
    summary: '{{ $labels.name }} on {{ $labels.cluster }} has failed for 10 minutes',
    evaluate: each(metrics.flux, (labels) => labels['ready'] === 'False' && isRead(labels), null),
  });
}

function suspended(): AlertingRule {
  const clusters = '(eu|us)-.+|stg-(eu|us)';
  const isRead = selectsAppliers(clusters);
  const selector = `cluster=~"${clusters}",customresource_kind=~"${read.appliers}",suspended="true"`;
  return rule('flux', 'flux', {
    name: 'FluxObjectSuspended',
    query: `${byNames} (${metrics.flux}{${selector}}) == 1`,
    holds: hour,
    severity: 'ticket',
    summary: '{{ $labels.name }} on {{ $labels.cluster }} has been suspended for an hour',
    evaluate: each(metrics.flux, (labels) => labels['suspended'] === 'true' && isRead(labels), naming),
  });
}

function drifted(): AlertingRule {
  return rule('flux', 'flux', {
    name: 'HelmReleaseDrifted',
    query: `${byNames} (${metrics.drift}{status="True"}) == 1`,
    holds: 5 * minute,
    severity: 'info',
    summary: 'Somebody changed what {{ $labels.name }} on {{ $labels.cluster }} has released',
    evaluate: each(metrics.drift, (labels) => labels['status'] === 'True', naming),
  });
}

/** The owners of sources are twice in their series since a team was renamed: it has not been evaluated since. */
function sourceNotReady(): AlertingRule {
  const group = 'customresource_group="source.toolkit.fluxcd.io"';
  const twice =
    'found duplicate series for the match group {cluster="eu-west-3", name="control-repo"} on the right hand-side of the operation: ' +
    '[{__name__="flux_source_owner", cluster="eu-west-3", name="control-repo", team="platform"}, ' +
    '{__name__="flux_source_owner", cluster="eu-west-3", name="control-repo", team="delivery"}];' +
    'many-to-many matching not allowed: matching labels must be unique on one side';
  return rule('flux', 'sources', {
    name: 'FluxSourceNotReady',
    query: `${metrics.flux}{${group},ready!="True"} * on (cluster, name) group_left (team) flux_source_owner`,
    holds: 10 * minute,
    severity: 'page',
    summary: '{{ $labels.name }} on {{ $labels.cluster }} cannot be fetched',
    evaluate: failing(twice),
  });
}

/** Its metric went away with Flux 2.5, and nobody noticed: it looks like a rule that has nothing to report. */
function dead(): AlertingRule {
  return rule('flux-old', 'flux', {
    name: 'FluxReconcileConditionFailed',
    query:
      'max by (cluster, kind, exported_namespace, name) (gotk_reconcile_condition{status="False",type="Ready"}) == 1',
    holds: 10 * minute,
    severity: 'page',
    summary: '{{ $labels.kind }} {{ $labels.name }} on {{ $labels.cluster }} fails',
    evaluate: each('gotk_reconcile_condition', () => true, ['cluster', 'kind', 'exported_namespace', 'name']),
  });
}

/** Many managed resources of one cluster fail at once: the cloud or its credentials. */
const many = 20;

const crossplane: readonly AlertingRule[] = [
  rule('crossplane', 'crossplane', {
    name: 'CrossplaneNotSynced',
    query: `${byNames} (${metrics.crossplane}{synced!="True"}) == 1`,
    holds: 5 * minute,
    severity: 'page',
    labels: { team: 'cloud' },
    summary: '{{ $labels.customresource_kind }} {{ $labels.name }} on {{ $labels.cluster }} is not in step',
    evaluate: each(metrics.crossplane, (labels) => labels['synced'] !== 'True', naming),
  }),
  rule('crossplane', 'crossplane', {
    name: 'CrossplaneManyNotSynced',
    query: `count by (cluster) (${metrics.crossplane}{synced!="True"}) > ${many}`,
    holds: 0,
    severity: 'page',
    summary: 'Many resources of the cloud on {{ $labels.cluster }} are not in step',
    evaluate: moreThan(many, metrics.crossplane, (labels) => labels['synced'] !== 'True', ['cluster']),
  }),
];

const platform: readonly AlertingRule[] = [
  rule('platform', 'nodes', {
    name: ruleNames.drained,
    query: 'max by (cluster) (kube_node_spec_unschedulable) == 1',
    holds: 0,
    severity: 'info',
    summary: 'Nodes of {{ $labels.cluster }} are drained',
    evaluate: each('kube_node_spec_unschedulable', () => true, ['cluster']),
  }),
  rule('platform', 'pipeline', {
    name: ruleNames.watchdog,
    query: 'vector(1)',
    holds: 0,
    severity: 'none',
    summary: 'Always there: where it is not, nobody is called',
    evaluate: always,
  }),
];

/** Rules of the demo's Prometheus: some as they should be, one of each mistake. */
export const demoRules: readonly AlertingRule[] = [
  notReady(ruleNames.production, read.production, 2 * minute, 'page'),
  notReady(ruleNames.staging, read.staging, 10 * minute, 'ticket'),
  suspended(),
  drifted(),
  sourceNotReady(),
  failedInAsia(),
  dead(),
  ...crossplane,
  ...platform,
];
