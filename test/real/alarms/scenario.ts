import { stringify } from 'yaml';

/** Labels of a series, and its value at each half minute: 1, or null where it is gone (stale). */
export interface Played {
  readonly metric: string;
  readonly labels: { readonly [name: string]: string };
  readonly from: readonly (1 | 0 | null)[];
}

/** Series that Prometheus is played, and which alerts fire when: "14m": ["FluxSuspended checkout"]. */
export interface Scenario {
  readonly name: string;
  readonly series: readonly Played[];
  readonly fires: { readonly [at: string]: readonly string[] };
  /** Alerts that are looked at, a pattern; all on objects where absent. */
  readonly among?: string;
  /** Of alerts on this kind alone. */
  readonly kind?: string;
  readonly externalLabels?: { readonly [name: string]: string } | undefined;
}

/** Half minutes that are played. */
export const length = 60;

/** A state that lasts from one half minute to another. */
export function during(begin: number, end = length): Played['from'] {
  return Array.from({ length }, (_, at) => (at >= begin && at < end ? 1 : null));
}

/** A state that is there in some half minutes of each round. */
export function inRounds(of: number, has: (at: number) => boolean): Played['from'] {
  return Array.from({ length }, (_, at) => (has(at % of) ? 1 : null));
}

const onObjects = '(?:Flux|CloudResource|Crossplane|ArgoCD|Terraform|Pulumi).*';

/** A scenario as a file of `promtool test rules`. */
export function testFile(rules: string, { series, fires, among = onObjects, kind, externalLabels }: Scenario): string {
  const ofKind = kind === undefined ? '' : `,customresource_kind=${JSON.stringify(kind)}`;
  return fileOf(
    rules,
    { series, externalLabels },
    {
      promql_expr_test: Object.entries(fires).map(([at, alerts]) => ({
        // Name of the alert, of the object and of its cluster in one label: what fires is what is expected, and nothing else.
        expr: `count by (told) (label_join(ALERTS{alertstate="firing",alertname=~${JSON.stringify(among)}${ofKind}}, "told", " ", "alertname", "name", "cluster"))`,
        eval_time: at,
        exp_samples: alerts.map((alert) => ({ labels: `{told=${JSON.stringify(alert)}}`, value: 1 })),
      })),
    },
  );
}

/** One alert with all that it says, as a file of `promtool test rules`. */
export interface Told {
  readonly at: string;
  readonly alert: string;
  readonly labels: { readonly [name: string]: string };
  readonly annotations: { readonly [name: string]: string };
}

/** The words of an alert, as a file of `promtool test rules`. */
export function toldFile(rules: string, played: Pick<Scenario, 'series' | 'externalLabels'>, told: Told): string {
  const expected = { exp_labels: told.labels, exp_annotations: told.annotations };
  return fileOf(rules, played, {
    alert_rule_test: [{ eval_time: told.at, alertname: told.alert, exp_alerts: [expected] }],
  });
}

function fileOf(
  rules: string,
  { series, externalLabels }: Pick<Scenario, 'series' | 'externalLabels'>,
  tests: object,
): string {
  const input = series.map((one) => ({ series: seriesText(one), values: valuesText(one.from) }));
  return stringify({
    rule_files: [rules],
    evaluation_interval: '30s',
    tests: [{ interval: '30s', external_labels: externalLabels ?? {}, input_series: input, ...tests }],
  });
}

function seriesText({ metric, labels }: Played): string {
  const inside = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `${metric}{${inside.join(',')}}`;
}

/** A series that ends is marked stale once, as a scrape that lacks it does. */
function valuesText(from: Played['from']): string {
  return from
    .map((value, at) => {
      if (value !== null) return String(value);
      return at > 0 && from[at - 1] !== null ? 'stale' : '_';
    })
    .join(' ');
}
