import type { Labels, Matcher, Route } from '#lib/domain/alarm/fact.ts';
import type { AlertingRule } from './alerting-rule.ts';
import type { Series } from './series.ts';

/** An alert as a Prometheus shows it. `activeAt` in ms since the epoch. */
export interface RuleAlert {
  readonly labels: Labels;
  readonly annotations: Labels;
  readonly state: 'pending' | 'firing';
  readonly activeAt: number;
  readonly value: number;
}

/** A rule as it was evaluated last (ms since the epoch). */
export interface RuleStanding {
  readonly rule: AlertingRule;
  readonly health: 'ok' | 'err';
  readonly error: string | null;
  readonly evaluatedAt: number;
  alerts(): Iterable<RuleAlert>;
}

/** Rules that are evaluated together, every so many ms. */
export interface RuleGroup {
  readonly file: string;
  readonly name: string;
  readonly interval: number;
  readonly rules: readonly RuleStanding[];
}

/** Knowledge of a Prometheus: each thing is made when it is asked for. */
export interface PrometheusBoard {
  groups(): readonly RuleGroup[];
  series(): Iterable<Series>;
}

/** An alert on its way to an Alertmanager. Times in ms since the epoch. */
export interface SentAlert {
  readonly labels: Labels;
  readonly annotations: Labels;
  readonly startsAt: number;
  readonly endsAt: number;
  /** Expression of its rule. */
  readonly query: string;
}

/** An alert as an Alertmanager has it. Times in ms since the epoch. */
export interface KeptAlert extends SentAlert {
  readonly fingerprint: string;
  readonly updatedAt: number;
  readonly silencedBy: readonly string[];
  readonly inhibitedBy: readonly string[];
  readonly receivers: readonly string[];
}

/** A silence of an Alertmanager. Times in ms since the epoch. */
export interface Silence {
  readonly id: string;
  readonly matchers: readonly Matcher[];
  readonly startsAt: number;
  readonly endsAt: number;
  readonly updatedAt: number;
  readonly createdBy: string;
  readonly comment: string;
}

/** While an alert that matches `source` is there, those that match `target` and have equal labels `equal` are held back. */
export interface Inhibition {
  readonly source: readonly Matcher[];
  readonly target: readonly Matcher[];
  readonly equal: readonly string[];
}

/** A receiver with its integrations: `pagerduty_configs` and the like, as they stand in the configuration; {} calls nobody. */
export interface Receiver {
  readonly name: string;
  readonly integrations: { readonly [name: string]: readonly object[] };
}

/** Configuration of an Alertmanager. */
export interface AlertmanagerConfig {
  readonly route: Route;
  readonly inhibitions: readonly Inhibition[];
  readonly receivers: readonly Receiver[];
}

/** Knowledge of an Alertmanager: each thing is made when it is asked for. Times in ms since the epoch. */
export interface AlertmanagerBoard {
  readonly config: AlertmanagerConfig;
  readonly startedAt: number;
  alerts(): Iterable<KeptAlert>;
  silences(): readonly Silence[];
}
