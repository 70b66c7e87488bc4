import type { SyntaxNode, Tree } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';
import type { Matcher } from '../fact.ts';
import { unquoted } from './string-literal.ts';

/** A selector of series as it is written. */
export interface Selector {
  /** Name of the metric; null where it is matched by a pattern, or by nothing. */
  readonly metric: string | null;
  /** Those on other labels, and on `__name__` where no name is given. */
  readonly matchers: readonly Matcher[];
}

/** An expression of PromQL, as far as it matters which series it reads and which labels it keeps. */
export type Expression =
  | { readonly type: 'selector'; readonly selector: Selector }
  | {
      readonly type: 'aggregation';
      /** Name of the operator in lower case. */
      readonly operator: string;
      /** null where it aggregates over all labels. */
      readonly grouping: { readonly type: 'by' | 'without'; readonly labels: readonly string[] } | null;
      readonly arguments: readonly Expression[];
    }
  | { readonly type: 'call'; readonly name: string; readonly arguments: readonly Expression[] }
  | {
      readonly type: 'binary';
      /** Name of its node in the grammar of PromQL: And, Or, Unless, Mul, Gtr, ... */
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
      /** null where series are matched by all their labels. */
      readonly matching: { readonly type: 'on' | 'ignoring'; readonly labels: readonly string[] } | null;
      /** Side of which several series may match one of the other, and the labels that come from that other one. */
      readonly many: { readonly side: 'left' | 'right'; readonly labels: readonly string[] } | null;
    }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'number' };

/** Longest expression that is taken apart, in UTF-16 units. */
const longestQuery = 131_072;

/** Nobody's rule is nested deeper. */
const deepest = 500;

/** The expression that a text of PromQL is; null where it is none, or too long or nested too deeply. Takes a time that grows with its length alone. */
export function readExpression(query: string): Expression | null {
  if (query.length > longestQuery || nestsTooDeeply(query)) return null;
  const tree = treeOf(query);
  if (tree === null) return null;
  const cursor = tree.cursor();
  do if (cursor.type.isError) return null;
  while (cursor.next());
  const [whole, another] = childrenOf(tree.topNode).filter(isExpression);
  if (whole === undefined || another !== undefined) return null;
  return expressionOf(whole, query, 0);
}

/** Gives up at the first mistake: to go on behind each takes the parser many seconds where a text is nothing else. */
const strict = parser.configure({ strict: true });

function treeOf(query: string): Tree | null {
  try {
    return strict.parse(query);
  } catch {
    return null;
  }
}

/** The parser takes some ten times longer for brackets in brackets without end. One within a text counts too: nobody opens so many there. */
function nestsTooDeeply(query: string): boolean {
  let depth = 0;
  for (const [sign] of query.matchAll(/[()[\]{}]/g)) {
    depth += '([{'.includes(sign) ? 1 : -1;
    if (depth > deepest) return true;
  }
  return false;
}

const wrappers: ReadonlySet<string> = new Set([
  'ParenExpr',
  'UnaryExpr',
  'OffsetExpr',
  'StepInvariantExpr',
  'SubqueryExpr',
  'AnchoredExpr',
  'SmoothedExpr',
  'MatrixSelector',
]);

const others: ReadonlySet<string> = new Set([
  'AggregateExpr',
  'BinaryExpr',
  'FunctionCall',
  'VectorSelector',
  'StringLiteral',
  'NumberDurationLiteral',
]);

function isExpression({ name }: SyntaxNode): boolean {
  return wrappers.has(name) || others.has(name);
}

function expressionOf(node: SyntaxNode, query: string, depth: number): Expression | null {
  if (depth > deepest) return null;
  switch (node.name) {
    case 'AggregateExpr':
      return aggregationOf(node, query, depth);
    case 'BinaryExpr':
      return binaryOf(node, query, depth);
    case 'FunctionCall': {
      const name = childOf(node, 'FunctionIdentifier');
      const given = argumentsOf(node, query, depth);
      return name === null || given === null
        ? null
        : { type: 'call', name: textOf(name, query).toLowerCase(), arguments: given };
    }
    case 'VectorSelector': {
      const selector = selectorOf(node, query);
      return selector === null ? null : { type: 'selector', selector };
    }
    case 'StringLiteral': {
      const text = unquoted(textOf(node, query));
      return text === null ? null : { type: 'text', text };
    }
    case 'NumberDurationLiteral':
      return { type: 'number' };
    default: {
      const inner = childrenOf(node).find(isExpression);
      return inner === undefined ? null : expressionOf(inner, query, depth + 1);
    }
  }
}

function argumentsOf(node: SyntaxNode, query: string, depth: number): readonly Expression[] | null {
  const body = childOf(node, 'FunctionCallBody');
  const given = body === null ? [] : childrenOf(body).filter(isExpression);
  const read = given.map((each) => expressionOf(each, query, depth + 1)).filter((each) => each !== null);
  return read.length === given.length ? read : null;
}

function aggregationOf(node: SyntaxNode, query: string, depth: number): Expression | null {
  const operator = childOf(node, 'AggregateOp');
  const given = argumentsOf(node, query, depth);
  if (operator === null || given === null) return null;
  const modifier = childOf(node, 'AggregateModifier');
  const labels = modifier === null ? [] : labelsIn(childOf(modifier, 'GroupingLabels'), query);
  if (labels === null) return null;
  const type = modifier !== null && childOf(modifier, 'Without') !== null ? 'without' : 'by';
  return {
    type: 'aggregation',
    operator: textOf(operator, query).toLowerCase(),
    grouping: modifier === null ? null : { type, labels },
    arguments: given,
  };
}

function binaryOf(node: SyntaxNode, query: string, depth: number): Expression | null {
  const children = childrenOf(node);
  const [first, second] = children.filter(isExpression);
  const operator = children.find((child) => !isExpression(child))?.name;
  if (first === undefined || second === undefined || operator === undefined) return null;
  const left = expressionOf(first, query, depth + 1);
  const right = expressionOf(second, query, depth + 1);
  const clause = childOf(node, 'MatchingModifierClause');
  const matched = clause === null ? { matching: null, many: null } : matchingOf(clause, query);
  return left === null || right === null || matched === null
    ? null
    : { type: 'binary', operator, left, right, ...matched };
}

function matchingOf(clause: SyntaxNode, query: string) {
  const [first = null, second = null] = childrenOf(clause).filter(({ name }) => name === 'GroupingLabels');
  const labels = labelsIn(first, query);
  const brought = labelsIn(second, query);
  if (labels === null || brought === null) return null;
  const side = sideOf(clause);
  const type = childOf(clause, 'On') !== null ? ('on' as const) : ('ignoring' as const);
  return { matching: { type, labels }, many: side === null ? null : { side, labels: brought } };
}

function sideOf(clause: SyntaxNode): 'left' | 'right' | null {
  if (childOf(clause, 'GroupLeft') !== null) return 'left';
  return childOf(clause, 'GroupRight') === null ? null : 'right';
}

function labelsIn(node: SyntaxNode | null, query: string): readonly string[] | null {
  if (node === null) return [];
  const named = childrenOf(node).filter(({ name }) => name === 'LabelName' || name === 'QuotedLabelName');
  const labels = named.map((each) => labelOf(each, query)).filter((label) => label !== null);
  return labels.length === named.length ? labels : null;
}

function labelOf(node: SyntaxNode, query: string): string | null {
  return node.name === 'QuotedLabelName' ? unquoted(textOf(node, query)) : textOf(node, query);
}

const operators = { EqlSingle: '=', Neq: '!=', EqlRegex: '=~', NeqRegex: '!~' } as const;

function selectorOf(node: SyntaxNode, query: string): Selector | null {
  const named = childOf(node, 'Identifier');
  let metric = named === null ? null : textOf(named, query);
  const matchers: Matcher[] = [];
  const list = childOf(node, 'LabelMatchers');
  for (const child of list === null ? [] : childrenOf(list)) {
    if (child.name === 'QuotedLabelName') {
      metric = labelOf(child, query);
      if (metric === null) return null;
      continue;
    }
    if (child.name !== 'UnquotedLabelMatcher' && child.name !== 'QuotedLabelMatcher') continue;
    const matcher = matcherOf(child, query);
    if (matcher === null) return null;
    if (matcher.name === '__name__' && matcher.operator === '=') metric = matcher.value;
    else matchers.push(matcher);
  }
  return { metric, matchers };
}

function matcherOf(node: SyntaxNode, query: string): Matcher | null {
  const label = childOf(node, 'LabelName') ?? childOf(node, 'QuotedLabelName');
  const sign = childOf(node, 'MatchOp')?.firstChild?.name;
  const literal = childOf(node, 'StringLiteral');
  if (label === null || literal === null) return null;
  const name = labelOf(label, query);
  const value = unquoted(textOf(literal, query));
  const operator = operatorNamed(sign);
  return name === null || value === null || operator === null ? null : { name, operator, value };
}

function operatorNamed(sign: string | undefined): Matcher['operator'] | null {
  switch (sign) {
    case 'EqlSingle':
    case 'Neq':
    case 'EqlRegex':
    case 'NeqRegex':
      return operators[sign];
    default:
      return null;
  }
}

function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
}

/** The first child of a name. The tree's own search goes through all that is above a node first: a chain of some hundred would be gone through for each of them. */
function childOf(node: SyntaxNode, name: string): SyntaxNode | null {
  return childrenOf(node).find((child) => child.name === name) ?? null;
}

function textOf({ from, to }: SyntaxNode, query: string): string {
  return query.slice(from, to);
}
