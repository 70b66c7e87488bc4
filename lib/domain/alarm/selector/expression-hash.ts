import { textHash } from '../object-hash.ts';
import { readExpression, type Expression } from './expression.ts';

/**
 * A number for what an expression reads and how, however it is written: Prometheus prints a rule in its own form. Numbers, ranges and offsets are not
 * looked at. Null where it cannot be taken apart.
 */
export function expressionHash(query: string): number | null {
  const expression = readExpression(query);
  return expression === null ? null : textHash(JSON.stringify(plain(expression)));
}

/** Prometheus leaves out `by ()` and `ignoring ()`, which say nothing. */
function plain(expression: Expression): unknown {
  switch (expression.type) {
    case 'selector': {
      const { metric, matchers } = expression.selector;
      return [
        metric,
        matchers.map(({ name, operator, value }) => JSON.stringify([name, operator, value])).sort(byText),
      ];
    }
    case 'aggregation': {
      const { operator, grouping, arguments: given } = expression;
      const isNothing = grouping === null || (grouping.type === 'by' && grouping.labels.length === 0);
      return [operator, isNothing ? null : [grouping.type, sorted(grouping.labels)], given.map(plain)];
    }
    case 'call':
      return [expression.name, expression.arguments.map(plain)];
    case 'binary': {
      const { operator, left, right, matching, many } = expression;
      const isNothing = matching === null || (matching.type === 'ignoring' && matching.labels.length === 0);
      const on = isNothing ? null : [matching.type, sorted(matching.labels)];
      return [operator, plain(left), plain(right), on, many === null ? null : [many.side, sorted(many.labels)]];
    }
    case 'text':
      return ['text', expression.text];
    case 'number':
      return 'number';
  }
}

function sorted(labels: readonly string[]): readonly string[] {
  return [...labels].sort(byText);
}

function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
