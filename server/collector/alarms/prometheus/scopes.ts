import type { AlarmFact } from '#lib/domain/alarm/fact.ts';
import { scopeQuery } from '#lib/domain/alarm/selector/scope.ts';
import { nextDue, orFailed, type ProgramDeps, seldom } from '../source/program.ts';
import { readScope, type ScopeReading, unknownScope } from './read-scope.ts';

/** Scopes of the rules of one Prometheus, asked for one after another. */
export interface Scopes {
  /** Replaces the scopes that are asked for. */
  want(scopes: readonly string[]): void;
  /** When the next one is due (ms since the epoch); Infinity for none. */
  dueAt(): number;
  /** Asks for the one that is due first. */
  run(): Promise<void>;
  facts(): readonly AlarmFact[];
  cut(): readonly string[];
}

/** Prometheus itself ends a query after this (s), before it is given up here. */
const queryTimeout = '9s';

/** Begins with what is stored: it stands until its scope is asked for, or no rule has it any more. */
export function readScopes({ entry, ask, clock, log, random, signal, turn, stored, onRead }: ProgramDeps): Scopes {
  const { attribution } = entry;
  const known = new Map<string, ScopeReading>(storedScopes(stored));
  const due = new Map<string, number>();
  let all: readonly AlarmFact[] | null = null;

  function first(): { readonly scope: string; readonly at: number } | null {
    let found: { readonly scope: string; readonly at: number } | null = null;
    for (const [scope, at] of due) if (found === null || at < found.at) found = { scope, at };
    return found;
  }

  return {
    want(scopes) {
      const wanted = new Set(scopes);
      for (const scope of [...known.keys(), ...due.keys()])
        if (!wanted.has(scope)) {
          known.delete(scope);
          due.delete(scope);
        }
      for (const scope of wanted) if (!due.has(scope)) due.set(scope, clock.now());
      all = null;
    },
    dueAt: () => first()?.at ?? Infinity,
    async run() {
      const next = first();
      if (next === null) return;
      const { scope } = next;
      const from = clock.now();
      due.set(scope, nextDue(from, seldom, random));
      const reading = await orFailed(log, async () => {
        const query = scopeQuery(scope, attribution.label);
        const answer = await ask('/api/v1/query', { query, timeout: queryTimeout });
        return answer.type === 'ok' ? readScope(scope, answer.body, attribution, turn) : answer;
      });
      if (signal.aborted) return;
      known.set(scope, 'facts' in reading ? reading : unknownScope(scope, reading.reason));
      all = null;
      onRead(from, []);
    },
    facts: () => (all ??= [...known.values()].flatMap(({ facts }) => facts)),
    cut: () => [...known.values()].flatMap(({ cut }) => cut),
  };
}

function storedScopes(stored: readonly AlarmFact[]): readonly (readonly [string, ScopeReading])[] {
  const facts = stored.filter((fact) => fact.type === 'scope' || fact.type === 'scope-standing');
  const byScope = Map.groupBy(facts, (fact) => (fact.type === 'scope' ? fact.scope : fact.key));
  return [...byScope].map(([scope, found]) => [scope, { facts: found, cut: [] }]);
}
