import type { Matcher } from '../fact.ts';
import { quoted } from './string-literal.ts';

/** Labels that tell the state of an object, or what changes while it is the same one. */
const stateLabels: ReadonlySet<string> = new Set([
  'ready',
  'synced',
  'suspended',
  'status',
  'reason',
  'revision',
  'condition',
  'type',
  'message',
  'value',
  'severity',
  // Of Argo CD.
  'sync_status',
  'health_status',
  'skip_reconcile',
  // Of what `plumbline rules` writes for Crossplane and tofu-controller.
  'synced_reason',
  'healthy',
  'installed',
  'revision_healthy',
  'runtime_healthy',
  'runtime_healthy_reason',
  'desired_state',
  'established',
  'offered',
  'paused',
  'state_locked',
  'break_the_glass',
]);

/** Labels that name an object, its cluster aside: those of `wantedOf` (lib/domain/pager/given.ts), and the job that exported them. */
export const objectLabels = [
  'customresource_group',
  'customresource_kind',
  'kind',
  'exported_kind',
  'exported_namespace',
  'namespace',
  'exported_name',
  'name',
  'resource',
  'job',
];

/** True if a matcher is on a state: which objects a rule reads does not depend on it. */
export function isOnState({ name }: Matcher): boolean {
  return stateLabels.has(name);
}

/** The scope of a metric and matchers, as PromQL: one text for one set of series, however a rule writes it. */
export function scopeText(metric: string | null, matchers: readonly Matcher[]): string {
  const isPlain = metric !== null && /^[A-Za-z_:][A-Za-z0-9_:]*$/.test(metric);
  const texts = [...new Set(matchers.map(matcherText))].sort(byText);
  const inside = metric === null || isPlain ? texts : [quoted(metric), ...texts];
  const braces = inside.length === 0 ? '' : `{${inside.join(',')}}`;
  return isPlain ? `${metric}${braces}` : braces;
}

function matcherText({ name, operator, value }: Matcher): string {
  return `${/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : quoted(name)}${operator}${quoted(value)}`;
}

function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/**
 * The scope of everything that may name an object: all metrics with these prefixes, but for those that measure. By it what a rule leaves out is
 * known from what no target exports. Prefixes are letters, digits, _ and :.
 */
export function exportedScope(prefixes: readonly string[]): string {
  return scopeText(null, [
    { name: '__name__', operator: '=~', value: `(${prefixes.join('|')}).+` },
    { name: '__name__', operator: '!~', value: '.+_(bucket|sum|count|total|seconds)' },
  ]);
}

/** The question for the objects that the series of a scope name; `clusterLabel`: the label that names their cluster. */
export function scopeQuery(scope: string, clusterLabel: string): string {
  return `group by (${[...new Set([clusterLabel, ...objectLabels])].join(', ')}) (${scope})`;
}
