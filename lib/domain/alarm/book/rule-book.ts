import type { RuleFact } from '../fact.ts';

/** What reads the objects of a scope. */
export interface ScopeReader {
  readonly scope: string;
  /** A rule that reads it; `well`: one that is, null where none is. */
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
  /** Scopes that are read by any rule, each once: there are few, and thousands of rules. `readAt` as for `isWellAt`. */
  readers(readAt: number | null): readonly ScopeReader[];
  /** Scopes that the rules of a name read, each once. */
  scopesNamed(name: string): readonly string[];
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
  let readers: { readonly readAt: number | null; readonly of: readonly ScopeReader[] } | null = null;

  function forget({ name }: RuleFact): void {
    readers = null;
    scopes.delete(name);
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
    readers(readAt) {
      if (readers?.readAt !== readAt) readers = { readAt, of: readersAt(reading, readAt) };
      return readers.of;
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
    hasUnread: () => unread.size > 0,
  };
}

/** Scopes that rules read, each once. */
export function scopesOf(rules: Iterable<RuleFact>): readonly string[] {
  const scopes = new Set<string>();
  for (const { selectors } of rules) for (const { scope } of selectors ?? []) scopes.add(scope);
  return [...scopes];
}

function readersAt(reading: Iterable<RuleFact>, readAt: number | null): readonly ScopeReader[] {
  const readers = new Map<string, ScopeReader>();
  for (const rule of reading) {
    const isWell = isWellAt(rule, readAt);
    for (const scope of scopesOf([rule])) {
      const before = readers.get(scope) ?? { scope, rule, well: null };
      readers.set(scope, before.well === null && isWell ? { ...before, well: rule } : before);
    }
  }
  return [...readers.values()];
}

/**
 * True of a rule without an error that was evaluated no longer than three of its intervals before the reading that told of it (`readAt`, ms; null for
 * none): between two readings nobody knows of its evaluations.
 */
export function isWellAt({ health, evaluatedAt, interval }: RuleFact, readAt: number | null): boolean {
  return health === 'ok' && evaluatedAt !== null && readAt !== null && readAt < evaluatedAt + 3 * interval;
}
