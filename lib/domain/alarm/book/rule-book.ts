import type { Verdict } from '../../verdict/verdict.ts';
import { watchesPause } from '../check/rule-condition.ts';
import { countedVerdicts } from '../check/own-count.ts';
import { bestFitting } from '../check/rule-fit.ts';
import type { RuleFact } from '../fact.ts';
import { isEvaluated } from './well-rule.ts';

/** A scope, and by which rule its objects are read. */
export interface ScopeReader {
  readonly scope: string;
  /** The rule that fits best of those that read it; `well`: of those that are well, null where none is. */
  readonly rule: RuleFact;
  readonly well: RuleFact | null;
}

/** Rules of a source. */
export interface RuleBook {
  put(fact: RuleFact): void;
  remove(fact: RuleFact): void;
  get(key: string): RuleFact | null;
  all(): Iterable<RuleFact>;
  named(name: string): Iterable<RuleFact>;
  /** Those that read at least one metric that names objects. */
  reading(): Iterable<RuleFact>;
  /**
   * Scopes that are read by any rule that may tell of an object of a verdict, each once: there are few, and thousands of rules. `readAt` (ms) as for
   * `isEvaluated`.
   */
  readers(readAt: number | null, verdict: Verdict): readonly ScopeReader[];
  /** Scopes that the rules of a name read, each once. */
  scopesNamed(name: string): readonly string[];
  /** Rules of a name that count objects by their verdicts. */
  countingNamed(name: string): readonly RuleFact[];
  /** True if one could not be taken apart, so that it may read anything. */
  hasUnread(): boolean;
}

/** Makes an empty one. */
export function ruleBook(): RuleBook {
  const rules = new Map<string, RuleFact>();
  const byName = new Map<string, Set<RuleFact>>();
  const reading = new Set<RuleFact>();
  const unread = new Set<RuleFact>();
  const scopes = new Map<string, readonly string[]>();
  const counting = new Map<string, readonly RuleFact[]>();
  let readers: { readonly readAt: number | null; readonly of: Map<Verdict, readonly ScopeReader[]> } | null = null;

  function forget({ name }: RuleFact): void {
    readers = null;
    scopes.delete(name);
    counting.delete(name);
  }

  return {
    put(fact) {
      forget(fact);
      rules.set(fact.key, fact);
      byName.set(fact.name, (byName.get(fact.name) ?? new Set()).add(fact));
      if (fact.selectors === null) unread.add(fact);
      else if (fact.selectors.length > 0) reading.add(fact);
    },
    remove(fact) {
      forget(fact);
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
    readers(readAt, verdict) {
      if (readers?.readAt !== readAt) readers = { readAt, of: new Map() };
      const found = readers.of.get(verdict) ?? readersFor(reading, readAt, verdict);
      readers.of.set(verdict, found);
      return found;
    },
    scopesNamed(name) {
      const kept = scopes.get(name);
      if (kept !== undefined) return kept;
      const rules = byName.get(name);
      // Of foreign names only those of rules are kept: they go as their rules go.
      if (rules === undefined) return [];
      const made = scopesOf(rules);
      scopes.set(name, made);
      return made;
    },
    countingNamed(name) {
      const kept = counting.get(name);
      if (kept !== undefined) return kept;
      const rules = byName.get(name);
      if (rules === undefined) return [];
      const made = [...rules].filter((rule) => countedVerdicts(rule).length > 0);
      counting.set(name, made);
      return made;
    },
    hasUnread: () => unread.size > 0,
  };
}

/** Scopes that rules read, each once. */
export function scopesOf(rules: Iterable<RuleFact>): readonly string[] {
  const scopes = new Set<string>();
  for (const { selectors } of rules) for (const { scope } of selectors ?? []) scopes.add(scope);
  return [...scopes];
}

function readersFor(reading: Iterable<RuleFact>, readAt: number | null, verdict: Verdict): readonly ScopeReader[] {
  const byScope = new Map<string, RuleFact[]>();
  for (const rule of reading) {
    if (verdict !== 'suspended' && watchesPause(rule)) continue;
    for (const scope of scopesOf([rule])) {
      const rules = byScope.get(scope) ?? [];
      rules.push(rule);
      byScope.set(scope, rules);
    }
  }
  return Array.from(byScope).flatMap(([scope, rules]) => {
    const rule = bestFitting(rules, verdict);
    const evaluated = rules.filter((one) => isEvaluated(one, readAt));
    return rule === null ? [] : [{ scope, rule, well: bestFitting(evaluated, verdict) }];
  });
}
