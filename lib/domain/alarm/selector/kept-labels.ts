import type { Expression } from './expression.ts';

/** These give series of what they take, as they are. */
const picking: ReadonlySet<string> = new Set(['topk', 'bottomk', 'limitk', 'limit_ratio']);

/** Labels of what an expression gives, sorted; null for all that its series have. */
export function keptLabels(expression: Expression): readonly string[] | null {
  const kept = labelsOf(expression);
  return kept === null ? null : [...kept].sort((a, b) => (a < b ? -1 : Number(a > b)));
}

type Kept = ReadonlySet<string> | null;

function labelsOf(expression: Expression): Kept {
  switch (expression.type) {
    case 'selector':
      return null;
    case 'aggregation':
      return ofAggregation(expression);
    case 'call':
      return ofCall(expression);
    case 'binary':
      return ofBinary(expression);
    case 'text':
    case 'number':
      return new Set();
  }
}

function ofAggregation({
  operator,
  grouping,
  arguments: given,
}: Extract<Expression, { readonly type: 'aggregation' }>): Kept {
  const inner = ofInput(given);
  if (picking.has(operator)) return inner;
  if (grouping?.type === 'without') return without(inner, grouping.labels);
  const [first] = given;
  const counted = operator === 'count_values' && first?.type === 'text' ? [first.text] : [];
  return new Set([...(grouping?.labels ?? []), ...counted]);
}

/** Labels of the vector among arguments; those of numbers and texts are none. */
function ofInput(given: readonly Expression[]): Kept {
  const vector = given.findLast(({ type }) => type !== 'text' && type !== 'number');
  return vector === undefined ? new Set() : labelsOf(vector);
}

function ofCall({ name, arguments: given }: Extract<Expression, { readonly type: 'call' }>): Kept {
  switch (name) {
    case 'absent':
    case 'absent_over_time':
      return ofAbsent(given[0]);
    case 'vector':
    case 'scalar':
    case 'time':
    case 'pi':
      return new Set();
    case 'label_replace':
    case 'label_join': {
      const inner = given[0] === undefined ? null : labelsOf(given[0]);
      const [, target] = given;
      return inner === null || target?.type !== 'text' ? inner : new Set([...inner, target.text]);
    }
    default:
      return ofInput(given.filter((argument) => !isOfOneNumber(argument)));
  }
}

function isOfOneNumber(expression: Expression): boolean {
  return expression.type === 'call' && (expression.name === 'scalar' || expression.name === 'time');
}

/** Prometheus takes labels from the matchers that say one value. */
function ofAbsent(expression: Expression | undefined): Kept {
  if (expression?.type !== 'selector') return new Set();
  return new Set(expression.selector.matchers.filter(({ operator }) => operator === '=').map(({ name }) => name));
}

function ofBinary(expression: Extract<Expression, { readonly type: 'binary' }>): Kept {
  const { operator, matching, many } = expression;
  if (isNumber(expression.left)) return labelsOf(expression.right);
  const left = labelsOf(expression.left);
  if (isNumber(expression.right) || operator === 'And' || operator === 'Unless') return left;
  const right = labelsOf(expression.right);
  if (operator === 'Or') return left === null || right === null ? null : new Set([...left, ...right]);
  if (many !== null) {
    const side = many.side === 'left' ? left : right;
    return side === null ? null : new Set([...side, ...many.labels]);
  }
  if (matching?.type === 'on') return new Set(matching.labels);
  return matching === null ? (left ?? right) : without(left ?? right, matching.labels);
}

function isNumber(expression: Expression): boolean {
  if (expression.type === 'binary') return isNumber(expression.left) && isNumber(expression.right);
  return expression.type === 'number' || isOfOneNumber(expression);
}

function without(kept: Kept, labels: readonly string[]): Kept {
  return kept === null ? null : new Set([...kept].filter((label) => !labels.includes(label)));
}
