import { countedVerdicts } from '../check/own-count.ts';
import {
  factKey,
  type AlarmFact,
  type ReceiverFact,
  type RoutingFact,
  type RuleFact,
  type SilenceFact,
} from '../fact.ts';
import type { AlarmSource } from '../source.ts';
import type { AlertType, NamedAlert, Place } from './alert-book.ts';
import { scopesOfRule, type RuleBook } from './rule-book.ts';
import type { ScopeBook } from './scope-book.ts';
import { emptyShelves, shelve, unshelve, type About } from './shelves.ts';

/** Clusters of which a fact tells something else than before; `all`: of each that the source covers. */
export type Touched = readonly string[] | 'all';

/** Facts of one alarm source, laid out for questions about objects. */
export interface SourceBook {
  source(): AlarmSource;
  /** Every alert. */
  alerts(): Iterable<NamedAlert>;
  /**
   * Alerts of a type that may mean an object: those that name it, then of those that name no object the ones whose rule reads metrics that name
   * objects.
   */
  about(type: AlertType, ref: Place): Iterable<NamedAlert>;
  /** Scopes that the rules read which an alert may be of: of Prometheus its own, of an Alertmanager those of its name. */
  scopesOf(alert: NamedAlert): readonly string[];
  /** Of the same rules those that count objects by their verdicts. */
  countingOf(alert: NamedAlert): readonly RuleFact[];
  readonly rules: Omit<RuleBook, 'put' | 'remove'>;
  readonly scopes: Pick<ScopeBook, 'holds' | 'on' | 'held' | 'standing' | 'standings'>;
  readonly silences: ReadonlyMap<string, SilenceFact>;
  readonly receivers: ReadonlyMap<string, ReceiverFact>;
  readonly routings: ReadonlyMap<string, RoutingFact>;
  /** True if the source speaks for a cluster: it is configured to, or its series and alerts name it. */
  covers(cluster: string): boolean;
  /** Clusters that it covers. */
  clusters(): Iterable<string>;
}

/** A book that is written. */
export interface WrittenBook extends SourceBook {
  /** Takes another record of the source itself. */
  rename(source: AlarmSource): void;
  put(fact: AlarmFact): Touched;
  /** Takes out the fact of a key (`factKey`). */
  remove(key: string): Touched;
  facts(): Iterable<AlarmFact>;
}

/** Label of every alert that tells its name. */
const nameLabel = 'alertname';

/** Name of an alert; '' where it has none. */
export function alertName({ labels }: Pick<NamedAlert['fact'], 'labels'>): string {
  return Object.hasOwn(labels, nameLabel) ? (labels[nameLabel] ?? '') : '';
}

/** Makes the book of a source that has told nothing yet. */
export function sourceBook(first: AlarmSource): WrittenBook {
  let source = first;
  const spokenFor = new Set(first.attribution.clusters);
  const facts = new Map<string, AlarmFact>();
  const shelves = emptyShelves();
  const mentions = new Map<string, number>();
  /** By cluster, then by type and namespace, the alerts that name no object and may mean any there. */
  const groups = new Map<string, Map<string, readonly NamedAlert[]>>();

  /** Counts what names a cluster: while anything does, the source covers it. */
  function mention(about: About, by: 1 | -1): Touched {
    if (about === 'all') {
      groups.clear();
      return 'all';
    }
    const { cluster } = about;
    if (cluster === null) return [];
    groups.delete(cluster);
    const count = (mentions.get(cluster) ?? 0) + by;
    if (count <= 0) mentions.delete(cluster);
    else mentions.set(cluster, count);
    return [cluster];
  }

  function remove(key: string): Touched {
    const fact = facts.get(key);
    if (fact === undefined) return [];
    facts.delete(key);
    return mention(unshelve(shelves, fact), -1);
  }

  function scopesOfAlert({ fact }: NamedAlert): readonly string[] {
    if (fact.type === 'notice') return shelves.rules.scopesNamed(alertName(fact));
    const rule = shelves.rules.get(fact.rule);
    return rule === null ? [] : scopesOfRule(rule);
  }

  function countingOf({ fact }: NamedAlert): readonly RuleFact[] {
    if (fact.type === 'notice') return shelves.rules.countingNamed(alertName(fact));
    const rule = shelves.rules.get(fact.rule);
    return rule !== null && countedVerdicts(rule).length > 0 ? [rule] : [];
  }

  function groupsIn(type: AlertType, cluster: string, namespace: string | null): readonly NamedAlert[] {
    const onCluster = groups.get(cluster) ?? new Map<string, readonly NamedAlert[]>();
    groups.set(cluster, onCluster);
    const key = namespace === null ? type : `${type} ${namespace}`;
    const kept = onCluster.get(key);
    if (kept !== undefined) return kept;
    const made = [...shelves.alerts.unnamed(type, cluster, namespace)].filter(
      (alert) => scopesOfAlert(alert).length > 0 || countingOf(alert).length > 0,
    );
    onCluster.set(key, made);
    return made;
  }

  return {
    source: () => source,
    rename: (next) => void (source = next),
    ...shelves,
    alerts: shelves.alerts.all,
    *about(type, ref) {
      yield* shelves.alerts.named(type, ref);
      yield* groupsIn(type, ref.cluster, ref.namespace);
      yield* groupsIn(type, ref.cluster, null);
    },
    scopesOf: scopesOfAlert,
    countingOf,
    put(fact) {
      const before = facts.get(factKey(fact));
      const touched = both(remove(factKey(fact)), mention(shelve(shelves, fact, source.attribution), 1));
      facts.set(factKey(fact), fact);
      return before !== undefined && isRenewed(before, fact) ? [] : touched;
    },
    remove,
    facts: () => facts.values(),
    covers: (cluster) => spokenFor.has(cluster) || mentions.has(cluster),
    clusters: () => new Set([...source.attribution.clusters, ...mentions.keys()]),
  };
}

/** Tests if a fact says nothing else of any object than before: a rule that was evaluated again, a scope with another number of series. */
function isRenewed(before: AlarmFact, after: AlarmFact): boolean {
  if (before.type === 'rule' && after.type === 'rule') return textOfRule(before) === textOfRule(after);
  if (before.type === 'scope-standing' && after.type === 'scope-standing')
    return (before.series === null) === (after.series === null);
  return false;
}

function textOfRule(rule: RuleFact): string {
  return JSON.stringify({ ...rule, evaluatedAt: null, firedAt: null });
}

function both(a: Touched, b: Touched): Touched {
  return a === 'all' || b === 'all' ? 'all' : [...a, ...b];
}
