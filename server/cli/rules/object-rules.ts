import type { Matcher } from '#lib/domain/alarm/fact.ts';
import type { StateAlert } from '#lib/domain/alarm/state-metric.ts';
import type { ClusterNaming } from './cluster-naming.ts';
import type { FleetKind } from './fleet-kinds.ts';
import { metricName } from './kube-state-metrics.ts';
import { literalPattern, selectorText } from './promql.ts';
import { type AlertRule, ruleLabels } from './rule.ts';

/**
 * Labels that tell one object from another and never change while it is away: with a revision or a reason among them each change of it would begin the
 * `for` anew. Where series have no label of the cluster it is left out, and comes as an external label.
 */
export function objectLabels({ label }: ClusterNaming): readonly string[] {
  return [label, ...ownLabels];
}

const ownLabels = ['customresource_group', 'customresource_kind', 'exported_namespace', 'name'];

/** The cluster in a template of a rule: by the series, or by the external labels of the Prometheus. */
function clusterTemplate({ label }: ClusterNaming): string {
  return `(or $labels.${label} $externalLabels.${label})`;
}

/** The end of a sentence in a template of a rule: " on eu-west-3". */
export function onCluster(naming: ClusterNaming): string {
  return `{{ with ${clusterTemplate(naming)} }} on {{ . }}{{ end }}`;
}

const objectTemplate =
  '{{ $labels.customresource_kind }} {{ with $labels.exported_namespace }}{{ . }}/{{ end }}{{ $labels.name }}';

/** Values that the rules share. */
export interface RuleSettings {
  /** The `for` of the rules, as Prometheus writes it. */
  readonly hold: string;
  /** Where people reach the pages, without an end slash; null where that is not known: alerts then carry no link. */
  readonly publicUrl: string | null;
  readonly naming: ClusterNaming;
}

/** The alerts on objects of these kinds: each metric's, as far as there are kinds that they are about. */
export function objectRules(kinds: readonly FleetKind[], settings: RuleSettings): readonly AlertRule[] {
  return [...Map.groupBy(kinds, metricName)].flatMap(([name, exported]) =>
    (exported[0]?.metric.alerts ?? [])
      .filter((alert) => exported.some(({ group }) => isAbout(alert, group)))
      .map((alert) => ruleOf(name, alert, settings)),
  );
}

function isAbout({ only, except }: StateAlert, group: string): boolean {
  return (only?.includes(group) ?? true) && !(except?.includes(group) ?? false);
}

function groupMatchers({ only, except }: StateAlert): readonly Matcher[] {
  const named = (operator: '=~' | '!~', groups: readonly string[]): Matcher => ({
    name: 'customresource_group',
    operator,
    value: groups.map(literalPattern).join('|'),
  });
  return [...(only === undefined ? [] : [named('=~', only)]), ...(except === undefined ? [] : [named('!~', except)])];
}

function ruleOf(metric: string, alert: StateAlert, settings: RuleSettings): AlertRule {
  const selectors = alert.when.map((matchers) => selectorText(metric, [...groupMatchers(alert), ...matchers]));
  return {
    alert: alert.alert,
    expr: `max by (${objectLabels(settings.naming).join(', ')}) (\n  ${selectors.join('\n  or\n  ')}\n) == 1`,
    for: settings.hold,
    labels: ruleLabels(alert.severity),
    annotations: {
      summary: `${objectTemplate} ${alert.says}${onCluster(settings.naming)}.`,
      description: `${alert.means} It has been so for ${settings.hold} at least.`,
      ...objectLink(settings),
    },
  };
}

/** The link back to the object, as docs/pager-links.md has it. */
function objectLink({ publicUrl, naming }: RuleSettings): AlertRule['annotations'] {
  if (publicUrl === null) return {};
  const parts = ownLabels.map((label) => `&${label}={{ $labels.${label} | urlquery }}`);
  return { plumbline_url: `${publicUrl}/go?cluster={{ ${clusterTemplate(naming)} | urlquery }}${parts.join('')}` };
}
