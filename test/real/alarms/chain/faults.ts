import { parse, stringify } from 'yaml';
import { isForeignObject, listAt, objectAt, textAt, type ForeignObject } from '#lib/foreign.ts';
import type { MonitoringFiles } from './monitoring.ts';
import type { Team } from './objects.ts';

/** Files that `plumbline rules` has written, by name. */
export interface WrittenFiles {
  readonly role: string;
  readonly stateMetrics: string;
  readonly rules: string;
  readonly alertmanager: string;
}

/** Lines of a pager: who is called, by webhook. */
interface Called {
  readonly url: string;
}

const oncall = 'oncall';
const nobody = 'null';

/** The files as they are written, but for durations, and who is called filled in as they ask for. */
export function mended({ rules, alertmanager }: WrittenFiles, called: Called): MonitoringFiles {
  const parts = objectOf(soon(alertmanager).replaceAll('fill-in', oncall));
  const route = { receiver: nobody, ...objectAt(parts, 'route') };
  return { rules: soon(rules), relabel: [], alertmanager: { ...parts, route, receivers: receivers(called) } };
}

/** Durations of the files: a fault is told within seconds. */
function soon(text: string): string {
  return text
    .replaceAll('12m30s', '3s')
    .replaceAll('interval: 30s', 'interval: 1s')
    .replaceAll('group_wait: 30s', 'group_wait: 1s')
    .replaceAll('group_interval: 1m', 'group_interval: 1s');
}

/** The configuration of kube-state-metrics that lacks one kind, and calls the metric of Crossplane otherwise. */
export function brokenExport({ stateMetrics }: WrittenFiles): string {
  const config = objectOf(stateMetrics);
  const resources = listAt(config, 'spec', 'resources')
    .filter(isForeignObject)
    .filter((one) => textAt(one, 'groupVersionKind', 'kind') !== 'HelmRepository')
    .map((one) => {
      const isOfNop = textAt(one, 'groupVersionKind', 'group') === 'nop.crossplane.io';
      return isOfNop ? { ...one, metricNamePrefix: 'crossplane_managed' } : one;
    });
  return stringify({ ...config, spec: { resources } });
}

/** Rule of each team, made of the one that is written. That of `called` is the same. */
const edits: Readonly<Record<Team, (rule: Rule) => Rule>> = {
  called: (rule) => rule,
  elsewhere: ({ expr, ...rule }) => ({ ...rule, expr: expr.replace('"elsewhere"', '"else-where"') }),
  // Two Kustomizations on the right side: Prometheus does not know which of them is meant.
  fails: ({ expr, ...rule }) => ({
    ...rule,
    expr: `(${expr}) * on (customresource_kind) gotk_resource_info{exported_namespace="fails"}`,
  }),
  asleep: ({ expr, ...rule }) => ({ ...rule, expr: expr.replace('ready!="True"', 'ready="Unknown"') }),
  late: (rule) => ({ ...rule, for: '1h' }),
  resets: ({ expr, ...rule }) => ({ ...rule, expr: expr.replace('ready!="True"', 'ready="False"'), for: '6s' }),
  undelivered: (rule) => rule,
  silenced: (rule) => rule,
  inhibited: (rule) => rule,
  muted: (rule) => rule,
  unheard: (rule) => rule,
  unrouted: (rule) => rule,
};

/** Everything broken at once, each team's alarm at a link of its own; sources have no rule any more. */
export function broken(written: WrittenFiles, called: Called): MonitoringFiles {
  const rules = listAt(objectOf(soon(written.rules)), 'groups').flatMap((group) =>
    listAt(group, 'rules').flatMap(ruleOf),
  );
  const [failure] = rules.filter(({ alert }) => alert === 'FluxReconciliationFailure');
  if (failure === undefined) throw new Error('plumbline rules writes no FluxReconciliationFailure');
  const own = Object.entries(edits).map(([team, edit]) => {
    const expr = failure.expr.replace('ready!="True"', `ready!="True",exported_namespace="${team}"`);
    return edit({ ...failure, expr, alert: `TeamFailure_${team}` });
  });
  const kept = rules.filter(({ alert }) => alert.startsWith('CloudResource') || alert === 'FluxSuspended');
  const maintenance = { alert: 'ClusterMaintenance', expr: 'vector(1)' };
  const interval = '1s';
  return {
    rules: stringify({ groups: [{ name: 'teams', interval, rules: [...own, ...kept, maintenance] }] }),
    relabel: [{ source_labels: ['exported_namespace'], regex: 'undelivered', action: 'drop' }],
    alertmanager: brokenRoutes(called),
  };
}

function brokenRoutes(called: Called): object {
  const of = (team: Team): readonly string[] => [`exported_namespace="${team}"`];
  const timing = { group_wait: '1s', group_interval: '1s', group_by: ['alertname', 'exported_namespace', 'name'] };
  const routes = [
    { receiver: nobody, matchers: of('unheard') },
    // As the Prometheus operator adds it to the route of an AlertmanagerConfig of this namespace.
    { receiver: oncall, matchers: [...of('unrouted'), 'namespace="monitoring"'] },
    { receiver: oncall, matchers: of('muted'), mute_time_intervals: ['always'] },
    { receiver: oncall, matchers: ['plumbline="alarm"', 'exported_namespace!="unrouted"'] },
  ];
  return {
    route: { receiver: nobody, ...timing, routes },
    inhibit_rules: [{ source_matchers: ['alertname="ClusterMaintenance"'], target_matchers: of('inhibited') }],
    time_intervals: [{ name: 'always', time_intervals: [{ times: [{ start_time: '00:00', end_time: '24:00' }] }] }],
    receivers: receivers(called),
  };
}

function receivers({ url }: Called): readonly object[] {
  return [{ name: nobody }, { name: oncall, webhook_configs: [{ url, send_resolved: false }] }];
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly [field: string]: unknown;
}

function ruleOf(rule: unknown): readonly Rule[] {
  const [alert, expr] = [textAt(rule, 'alert'), textAt(rule, 'expr')];
  return alert === null || expr === null ? [] : [{ ...objectAt(rule), alert, expr }];
}

function objectOf(text: string): ForeignObject {
  const value: unknown = parse(text);
  return isForeignObject(value) ? value : {};
}
