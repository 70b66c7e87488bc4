/** Labels of an alert or a rule. */
export interface Labels {
  readonly [name: string]: string;
}

/** A matcher on a label, as Prometheus and Alertmanager have it. A pattern matches whole values. */
export interface Matcher {
  readonly name: string;
  readonly operator: '=' | '!=' | '=~' | '!~';
  readonly value: string;
}

/** A selector of series in the expression of a rule, taken apart. */
export interface RuleSelector {
  /** Name of the metric; null where it is matched by a pattern. */
  readonly metric: string | null;
  /** Key of the scope: the selector without its matchers on states. */
  readonly scope: string;
  /** Its matchers on labels that tell a state (ready, synced, suspended, reason, ...). */
  readonly states: readonly Matcher[];
}

/** An alerting rule as it is loaded. Durations in ms, times in ms since the epoch. */
export interface RuleFact {
  readonly type: 'rule';
  /** File, group, name and a number among equals: the same rule has the same key at each reading. */
  readonly key: string;
  /** The alert's name. */
  readonly name: string;
  readonly group: string;
  readonly file: string;
  readonly query: string;
  /** For how long its condition must be true before it fires. */
  readonly holds: number;
  /** Time between two evaluations. */
  readonly interval: number;
  readonly labels: Labels;
  readonly health: 'ok' | 'err' | 'unknown';
  readonly error: string | null;
  readonly evaluatedAt: number | null;
  /** null: its expression could not be taken apart. */
  readonly selectors: readonly RuleSelector[] | null;
  /** Labels that its aggregation keeps; null where it does not aggregate: it keeps them all. */
  readonly keeps: readonly string[] | null;
  /** When any alert of it fired last, as far as Plumbline saw; null for never. */
  readonly firedAt: number | null;
}

/** An alert as Prometheus has it. Times in ms since the epoch. */
export interface AlertFact {
  readonly type: 'alert';
  readonly key: string;
  /** Key of its rule. */
  readonly rule: string;
  readonly labels: Labels;
  readonly state: 'pending' | 'firing';
  /** When the condition became true. */
  readonly activeAt: number;
}

/** An alert as an Alertmanager has it, which is not over. Times in ms since the epoch. */
export interface NoticeFact {
  readonly type: 'notice';
  /** The Alertmanager's address, a blank and the fingerprint. */
  readonly key: string;
  /** Its address. */
  readonly alertmanager: string;
  readonly fingerprint: string;
  readonly labels: Labels;
  readonly startsAt: number;
  /** untold: active, and its Alertmanager does not say whether a time interval mutes it, as those before 0.28. */
  readonly state: 'active' | 'suppressed' | 'unprocessed' | 'untold';
  /** Ids of silences. */
  readonly silencedBy: readonly string[];
  /** Fingerprints of alerts. */
  readonly inhibitedBy: readonly string[];
  /** Names of time intervals. */
  readonly mutedBy: readonly string[];
  /** Names of receivers. */
  readonly receivers: readonly string[];
}

/** A silence that is active or will be. Times in ms since the epoch. */
export interface SilenceFact {
  readonly type: 'silence';
  /** Its id. */
  readonly key: string;
  readonly state: 'active' | 'pending';
  readonly startsAt: number;
  readonly endsAt: number;
  readonly by: string;
  readonly comment: string;
  readonly matchers: readonly Matcher[];
}

/** A receiver of an Alertmanager: its name and what it calls with, nothing of its addresses or keys. */
export interface ReceiverFact {
  readonly type: 'receiver';
  /** The Alertmanager's address, a blank and the name (`receiverKey`). */
  readonly key: string;
  /** Its address. */
  readonly alertmanager: string;
  readonly name: string;
  /** Integrations without "_configs", e.g. ["pagerduty", "slack"]; empty: it calls nobody. */
  readonly calls: readonly string[];
}

/** A node of a routing tree, flattened: the tree is in the keys of its nodes. */
export interface Route {
  readonly receiver: string;
  readonly matchers: readonly Matcher[];
  readonly continues: boolean;
  readonly routes: readonly Route[];
  /** False where a matcher of it, or a route right beneath it, was not read: then nobody knows what it takes, or whom that reaches. */
  readonly isWhole: boolean;
}

/** The routing tree of an Alertmanager. */
export interface RoutingFact {
  readonly type: 'routing';
  /** The Alertmanager's address. */
  readonly key: string;
  readonly root: Route;
}

/** Objects of one cluster that the series of a scope name. */
export interface ScopeFact {
  readonly type: 'scope';
  /** Scope and cluster. */
  readonly key: string;
  readonly scope: string;
  /** null: the series name no cluster, and the source speaks for several. */
  readonly cluster: string | null;
  /** Number of series. */
  readonly series: number;
  /** By kind in lower case ("" where the series name none): the sorted hashes of the objects that they name (`objectHash`). */
  readonly objects: { readonly [kind: string]: readonly number[] };
}

/** A scope that was asked for: how many series there are of it, or why that is not known. */
export interface ScopeStanding {
  readonly type: 'scope-standing';
  /** The scope. */
  readonly key: string;
  /** null where it is not known. */
  readonly series: number | null;
  /** Why it is not known, a sentence; null where it is. */
  readonly reason: string | null;
}

/** One thing that an alarm source tells. A source has one fact of each type and key. */
export type AlarmFact =
  | RuleFact
  | AlertFact
  | NoticeFact
  | SilenceFact
  | ReceiverFact
  | RoutingFact
  | ScopeFact
  | ScopeStanding;

/** One text for one fact of a source. */
export function factKey({ type, key }: Pick<AlarmFact, 'type' | 'key'>): string {
  return `${type}/${key}`;
}
