import type { RuleFact } from '../fact.ts';

/** Rules of a source. */
export interface RuleBook {
  put(fact: RuleFact): void;
  remove(fact: RuleFact): void;
  get(key: string): RuleFact | null;
  all(): Iterable<RuleFact>;
  named(name: string): Iterable<RuleFact>;
  /** Those that read at least one metric that names objects. */
  reading(): Iterable<RuleFact>;
  /** True if one could not be taken apart, so that it may read anything. */
  hasUnread(): boolean;
}

/** Makes an empty one. */
export function ruleBook(): RuleBook {
  const rules = new Map<string, RuleFact>();
  const byName = new Map<string, Set<RuleFact>>();
  const reading = new Set<RuleFact>();
  const unread = new Set<RuleFact>();
  return {
    put(fact) {
      rules.set(fact.key, fact);
      byName.set(fact.name, (byName.get(fact.name) ?? new Set()).add(fact));
      if (fact.selectors === null) unread.add(fact);
      else if (fact.selectors.length > 0) reading.add(fact);
    },
    remove(fact) {
      rules.delete(fact.key);
      const named = byName.get(fact.name);
      named?.delete(fact);
      if (named?.size === 0) byName.delete(fact.name);
      unread.delete(fact);
      reading.delete(fact);
    },
    get: (key) => rules.get(key) ?? null,
    all: () => rules.values(),
    named: (name) => byName.get(name) ?? [],
    reading: () => reading,
    hasUnread: () => unread.size > 0,
  };
}
