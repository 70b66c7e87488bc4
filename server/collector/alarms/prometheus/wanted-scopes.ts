import type { AlarmFact, RuleFact } from '#lib/domain/alarm/fact.ts';
import { exportedScope } from '#lib/domain/alarm/selector/scope.ts';
import { formatCount } from '#lib/format/number.ts';
import { most } from '../left-out.ts';
import { byText } from '../words.ts';

/** The scopes that a Prometheus is asked for, everything that is exported first, then those of its rules; and a sentence on those that a bound leaves out. */
export function wantedScopes(
  rules: readonly RuleFact[],
  prefixes: readonly string[],
): { readonly scopes: readonly string[]; readonly cut: readonly string[] } {
  const read = rules.flatMap((rule) => rule.selectors ?? []).map(({ scope }) => scope);
  const scopes = [...new Set([exportedScope(prefixes), ...read.toSorted(byText)])];
  if (scopes.length <= most.scopes) return { scopes, cut: [] };
  const text = `Its rules read ${formatCount(scopes.length)} sets of series; ${formatCount(most.scopes)} of them are asked for.`;
  return { scopes: scopes.slice(0, most.scopes), cut: [text] };
}

/** Tests if each scope that is wanted was asked for, in vain or not: its rules are read before its series. */
export function areScopesAsked(facts: readonly AlarmFact[], prefixes: readonly string[]): boolean {
  const asked = new Set(facts.flatMap((fact) => (fact.type === 'scope-standing' ? [fact.key] : [])));
  const rules = facts.filter((fact) => fact.type === 'rule');
  return wantedScopes(rules, prefixes).scopes.every((scope) => asked.has(scope));
}
