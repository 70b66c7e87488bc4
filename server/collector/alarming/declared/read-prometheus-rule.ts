import { foreignMessage, unkeptTextAt, wordAt } from '#lib/foreign-words.ts';
import { listAt } from '#lib/foreign.ts';
import { expressionHash } from '#lib/domain/alarm/selector/expression-hash.ts';
import { selectorsOf } from '#lib/domain/alarm/selector/selectors.ts';
import type { DeclaredRule, PrometheusRuleFact } from '#lib/domain/alarm/declared/declared.ts';
import { readPromDuration } from '#lib/domain/alarm/declared/prom-duration.ts';
import { readObject } from './read-object.ts';

/**
 * Most rules that are looked at of one object, most that are kept of them, and the longest expressions together that are taken apart (UTF-16 units):
 * each unit takes some 2 µs on the thread of all clusters. Names are cleaned of what is kept alone: one may take a millisecond.
 */
const mostRules = 2_000;
const mostKept = 200;
const mostText = 131_072;

/**
 * The rules that a PrometheusRule declares, of those that read metrics which name objects; null where it has none, or no name. `prefixes`: how these
 * metrics begin. Recording rules are none.
 */
export function readPrometheusRule(object: unknown, prefixes: readonly string[]): PrometheusRuleFact | null {
  const read = readObject(object);
  if (read === null) return null;
  const all = listAt(object, 'spec', 'groups').flatMap((group) =>
    listAt(group, 'rules').map((rule) => ({ group, rule })),
  );
  const rules: DeclaredRule[] = [];
  let lost = Math.max(0, all.length - mostRules);
  let left = mostText;
  for (const { group, rule } of all.slice(0, mostRules)) {
    // The operator takes a number for an expression, too: it reads nothing.
    const query = unkeptTextAt(rule, 'expr');
    if ((unkeptTextAt(rule, 'alert') ?? '') === '' || query === null) continue;
    left -= query.length;
    // No other would be kept: whether it reads objects is not asked.
    const selectors = left < 0 || rules.length >= mostKept ? null : selectorsOf(query, prefixes);
    if (selectors === null) lost += 1;
    else if (selectors.length > 0) rules.push(declaredRule(group, rule, query));
  }
  return rules.length + lost === 0 ? null : { type: 'prometheus-rule', ...read, rules, lost };
}

function declaredRule(group: unknown, rule: unknown, query: string): DeclaredRule {
  return {
    group: wordAt(group, 'name') ?? '',
    name: wordAt(rule, 'alert') ?? '',
    expression: expressionHash(foreignMessage(query)),
    holds: holdsOf(rule),
  };
}

function holdsOf(rule: unknown): number | null {
  const text = unkeptTextAt(rule, 'for') ?? '';
  return text === '' ? 0 : readPromDuration(text);
}
