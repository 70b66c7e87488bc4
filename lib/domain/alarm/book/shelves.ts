import type { AlarmFact, ReceiverFact, RoutingFact, SilenceFact } from '../fact.ts';
import type { ClusterAttribution } from '../source.ts';
import { alertBook, type AlertBook } from './alert-book.ts';
import { ruleBook, type RuleBook } from './rule-book.ts';
import { scopeBook, type ScopeBook } from './scope-book.ts';

/** Facts of a source, each type where it is found again. */
export interface Shelves {
  readonly alerts: AlertBook;
  readonly rules: RuleBook;
  readonly scopes: ScopeBook;
  readonly silences: Map<string, SilenceFact>;
  readonly receivers: Map<string, ReceiverFact>;
  readonly routings: Map<string, RoutingFact>;
}

/** Empty ones. */
export function emptyShelves(): Shelves {
  const maps = { silences: new Map(), receivers: new Map(), routings: new Map() };
  return { alerts: alertBook(), rules: ruleBook(), scopes: scopeBook(), ...maps };
}

/** The cluster that a fact is about: null for none that is known; `all`: everything that the source covers may be told otherwise. */
export type About = { readonly cluster: string | null } | 'all';

/** Puts a fact where it belongs. */
export function shelve(shelves: Shelves, fact: AlarmFact, attribution: ClusterAttribution): About {
  switch (fact.type) {
    case 'alert':
    case 'notice':
      return { cluster: shelves.alerts.put(fact, attribution) };
    case 'scope':
      shelves.scopes.put(fact);
      return { cluster: fact.cluster };
    case 'rule':
      shelves.rules.put(fact);
      return 'all';
    case 'scope-standing':
      shelves.scopes.stand(fact);
      return 'all';
    case 'silence':
      shelves.silences.set(fact.key, fact);
      return 'all';
    case 'receiver':
      shelves.receivers.set(fact.key, fact);
      return 'all';
    case 'routing':
      shelves.routings.set(fact.key, fact);
      return 'all';
  }
}

/** Takes a fact away. */
export function unshelve(shelves: Shelves, fact: AlarmFact): About {
  switch (fact.type) {
    case 'alert':
    case 'notice':
      return { cluster: shelves.alerts.remove(fact) };
    case 'scope':
      shelves.scopes.remove(fact);
      return { cluster: fact.cluster };
    case 'rule':
      shelves.rules.remove(fact);
      return 'all';
    case 'scope-standing':
      shelves.scopes.unstand(fact);
      return 'all';
    case 'silence':
      shelves.silences.delete(fact.key);
      return 'all';
    case 'receiver':
      shelves.receivers.delete(fact.key);
      return 'all';
    case 'routing':
      shelves.routings.delete(fact.key);
      return 'all';
  }
}
