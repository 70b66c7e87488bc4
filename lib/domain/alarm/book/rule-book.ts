import type { Verdict } from '../../verdict/verdict.ts';
import { watchesPause } from '../check/rule-condition.ts';
import { countedVerdicts } from '../check/own-count.ts';
import { bestFitting } from '../check/rule-fit.ts';
import type { RuleFact } from '../fact.ts';
import { isEvaluated } from './well-rule.ts';

/** By which rule the objects of a scope are read. */
export interface ScopeReader {
  /** Of the scope among all that rules read. */
  readonly place: number;
  /** The rule that fits best of those that read it; `well`: of those that are well, null where none is. */
  readonly rule: RuleFact;
  readonly well: RuleFact | null;
}

/** Scopes that rules read: some are asked for, and hundreds of thousands may be read. */
export interface ScopeReaders {
  /** Number of scopes that are read. */
  readonly size: number;
  /** null of one that no rule reads. */
  of(scope: string): ScopeReader | null;
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
  /** Scopes that are read by any rule that may tell of an object of a verdict. `readAt` (ms) as for `isEvaluated`. */
  readers(readAt: number | null, verdict: Verdict): ScopeReaders;
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
  /** By whether what is paused alone counts as well. */
  const byScope = new Map<boolean, RulesByScope>();
  let readers: { readonly readAt: number | null; readonly of: Map<Verdict, ScopeReaders> } | null = null;

  function rulesFor(verdict: Verdict): RulesByScope {
    const isPaused = verdict === 'suspended';
    const found = byScope.get(isPaused) ?? rulesByScope(reading, isPaused);
    byScope.set(isPaused, found);
    return found;
  }

  function forget({ name }: RuleFact): void {
    readers = null;
    byScope.clear();
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
      const found = readers.of.get(verdict) ?? readersFor(rulesFor(verdict), readAt, verdict);
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

/** Scopes of rules: of thousands that are loaded hardly one changes between two questions. */
const known = new WeakMap<RuleFact, readonly string[]>();

/** Scopes that a rule reads, each once. */
export function scopesOfRule(rule: RuleFact): readonly string[] {
  const found = known.get(rule) ?? [...new Set((rule.selectors ?? []).map(({ scope }) => scope))];
  known.set(rule, found);
  return found;
}

/** Scopes that rules read, each once. */
function scopesOf(rules: Iterable<RuleFact>): readonly string[] {
  const scopes = new Set<string>();
  for (const rule of rules) for (const scope of scopesOfRule(rule)) scopes.add(scope);
  return [...scopes];
}

type RulesByScope = ReadonlyMap<string, { readonly place: number; readonly rules: RuleFact[] }>;

function rulesByScope(reading: Iterable<RuleFact>, withPauses: boolean): RulesByScope {
  const found = new Map<string, { readonly place: number; readonly rules: RuleFact[] }>();
  for (const rule of reading) {
    if (!withPauses && watchesPause(rule)) continue;
    for (const scope of scopesOfRule(rule)) {
      const of = found.get(scope);
      if (of === undefined) found.set(scope, { place: found.size, rules: [rule] });
      else of.rules.push(rule);
    }
  }
  return found;
}

function readersFor(byScope: RulesByScope, readAt: number | null, verdict: Verdict): ScopeReaders {
  const made = new Map<string, ScopeReader>();

  function make(scope: string): ScopeReader | null {
    const of = byScope.get(scope);
    const rule = of === undefined ? null : bestFitting(of.rules, verdict);
    if (of === undefined || rule === null) return null;
    const evaluated = of.rules.filter((one) => isEvaluated(one, readAt));
    const reader = { place: of.place, rule, well: bestFitting(evaluated, verdict) };
    made.set(scope, reader);
    return reader;
  }

  return { size: byScope.size, of: (scope) => made.get(scope) ?? make(scope) };
}
