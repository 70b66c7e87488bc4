import type { RuleSelector } from '../fact.ts';
import { type Expression, readExpression, type Selector } from './expression.ts';
import { keptLabels } from './kept-labels.ts';
import { headsOf, mayBegin } from './name-pattern.ts';
import { isOnState, scopeText } from './scope.ts';

/** The expression of a rule: its selectors, and the labels that it keeps. */
export interface RuleReading {
  /** null: it could not be taken apart. */
  readonly selectors: readonly RuleSelector[] | null;
  /** null: it keeps all labels, or could not be taken apart. */
  readonly keeps: readonly string[] | null;
}

/** No rule that people write has more. */
const mostSelectors = 64;

/** Longest scope, in UTF-16 units: it goes into an address. */
const longestScope = 2_000;

/** The selectors and labels of an expression, taken apart once. `prefixes`: how metrics begin that name objects. */
export function readRule(query: string, prefixes: readonly string[]): RuleReading {
  const expression = readExpression(query);
  if (expression === null) return { selectors: null, keeps: null };
  const found = new Map<string, RuleSelector>();
  for (const selector of selectorsIn(expression, prefixes)) {
    const one = ruleSelector(selector, prefixes);
    found.set(JSON.stringify(one), one);
  }
  const isWhole = found.size <= mostSelectors && [...found.values()].every(({ scope }) => scope.length <= longestScope);
  const selectors = [...found].sort(([a], [b]) => (a < b ? -1 : Number(a > b))).map(([, one]) => one);
  return { selectors: isWhole ? selectors : null, keeps: keptLabels(expression) };
}

/**
 * The selectors by which an expression reads series that name objects, each once, in one order; null where it could not be taken apart.
 * What only takes away is not read: the right of `unless`, the right of `and` where the left has any. `absent` reads an object only
 * where it asks for a state. A selector without a name is read where its pattern may begin with a prefix, or where it asks for a state or
 * a kind: any other reads everything alike.
 */
export function selectorsOf(query: string, prefixes: readonly string[]): readonly RuleSelector[] | null {
  return readRule(query, prefixes).selectors;
}

/** Labels that the outermost aggregation of an expression keeps, sorted; null where it keeps all. */
export function keepsOf(query: string): readonly string[] | null {
  return readRule(query, []).keeps;
}

function selectorsIn(expression: Expression, prefixes: readonly string[]): readonly Selector[] {
  switch (expression.type) {
    case 'selector':
      return namesObjects(expression.selector, prefixes) ? [expression.selector] : [];
    case 'aggregation':
      return expression.arguments.flatMap((each) => selectorsIn(each, prefixes));
    case 'call': {
      const read = expression.arguments.flatMap((each) => selectorsIn(each, prefixes));
      return expression.name.startsWith('absent') ? read.filter(({ matchers }) => matchers.some(isOnState)) : read;
    }
    case 'binary': {
      const left = selectorsIn(expression.left, prefixes);
      if (expression.operator === 'Unless' || (expression.operator === 'And' && left.length > 0)) return left;
      return [...left, ...selectorsIn(expression.right, prefixes)];
    }
    case 'text':
    case 'number':
      return [];
  }
}

const kindLabels: ReadonlySet<string> = new Set(['customresource_kind', 'kind', 'exported_kind']);

function namesObjects({ metric, matchers }: Selector, prefixes: readonly string[]): boolean {
  if (metric !== null) return prefixes.some((prefix) => metric.startsWith(prefix));
  const patterns = matchers.filter(({ name, operator }) => name === '__name__' && operator === '=~');
  const heads = patterns.map(({ value }) => headsOf(value));
  if (heads.some((each) => mayBegin(each, prefixes))) return true;
  // A pattern that says how names begin, and none of ours: other metrics.
  if (heads.some((each) => each.every((head) => head !== ''))) return false;
  return matchers.some((matcher) => isOnState(matcher) || kindLabels.has(matcher.name));
}

function ruleSelector({ metric, matchers }: Selector, prefixes: readonly string[]): RuleSelector {
  const states = matchers.filter(isOnState);
  const rest = matchers.filter((matcher) => !isOnState(matcher));
  // Without it a pattern such as `.+` would ask for every series that there is.
  const named = { name: '__name__', operator: '=~', value: `(?:${prefixes.join('|')}).*` } as const;
  const key = (one: object): string => JSON.stringify(one);
  const unique = new Map(states.map((state) => [key(state), state]));
  return {
    metric,
    scope: scopeText(metric, metric === null ? [...rest, named] : rest),
    states: [...unique].sort(([a], [b]) => (a < b ? -1 : Number(a > b))).map(([, state]) => state),
  };
}
