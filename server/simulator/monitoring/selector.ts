import type { Matcher } from '#lib/domain/alarm/fact.ts';
import { matchesNothing } from './series.ts';

/** A text that was read, or why it cannot be, as Prometheus says it. */
export type Parsed<T> = { readonly value: T } | { readonly error: string };

/** A query that is answered: `group by (labels) (selector)`. */
export interface GroupQuery {
  readonly by: readonly string[];
  readonly matchers: readonly Matcher[];
}

const metricName = /[a-zA-Z_:][a-zA-Z0-9_:]*/y;
const labelName = /[a-zA-Z_][a-zA-Z0-9_]*/y;
const operator = /=~|!~|!=|=/y;
const quoted = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`/y;
const longest = 20_000;

class ParseError extends Error {}

/** Reads a text from its beginning, token by token. */
function createScanner(text: string) {
  let position = 0;

  function fail(expected: string): never {
    const found = text.slice(position, position + 10);
    const what = found === '' ? 'end of input' : JSON.stringify(found);
    throw new ParseError(`1:${position + 1}: parse error: unexpected ${what}, expected ${expected}`);
  }

  function space(): void {
    while (/\s/.test(text[position] ?? '')) position++;
  }

  function match(pattern: RegExp): string | null {
    space();
    pattern.lastIndex = position;
    const found = pattern.exec(text)?.[0] ?? null;
    if (found !== null) position += found.length;
    return found;
  }

  return {
    fail,
    match,
    must: (pattern: RegExp, expected: string): string => match(pattern) ?? fail(expected),
    /** True, and read, where the text goes on with `token`. */
    takes(token: string): boolean {
      space();
      const found = text.startsWith(token, position);
      if (found) position += token.length;
      return found;
    },
    isDone(): boolean {
      space();
      return position === text.length;
    },
  };
}

type Scanner = ReturnType<typeof createScanner>;

const escapes: { readonly [letter: string]: string } = { n: '\n', t: '\t', r: '\r' };

function unquote(text: string): string {
  const inner = text.slice(1, -1);
  if (text.startsWith('`')) return inner;
  return inner.replace(/\\(.)/gs, (_, letter: string) => escapes[letter] ?? letter);
}

function readMatcher(scanner: Scanner): Matcher {
  const name = scanner.must(labelName, 'identifier');
  const found = scanner.must(operator, 'label matching operator');
  const value = unquote(scanner.must(quoted, 'string'));
  switch (found) {
    case '=':
    case '!=':
    case '=~':
    case '!~':
      return { name, operator: found, value };
    default:
      return scanner.fail('label matching operator');
  }
}

function readSelector(scanner: Scanner): readonly Matcher[] {
  const metric = scanner.match(metricName);
  const matchers: Matcher[] = metric === null ? [] : [{ name: '__name__', operator: '=', value: metric }];
  if (scanner.takes('{')) {
    while (!scanner.takes('}')) {
      matchers.push(readMatcher(scanner));
      if (scanner.takes('}')) break;
      if (!scanner.takes(',')) scanner.fail('"," or "}"');
    }
  } else if (metric === null) scanner.fail('a selector of series');
  if (matchesNothing(matchers))
    throw new ParseError('1:1: parse error: vector selector must contain at least one non-empty matcher');
  return matchers;
}

function readNames(scanner: Scanner): readonly string[] {
  if (!scanner.takes('(')) scanner.fail('"("');
  const names: string[] = [];
  while (!scanner.takes(')')) {
    names.push(scanner.must(labelName, 'label'));
    if (scanner.takes(')')) break;
    if (!scanner.takes(',')) scanner.fail('"," or ")"');
  }
  return names;
}

function parse<T>(text: string, read: (scanner: Scanner) => T): Parsed<T> {
  if (text.length > longest) return { error: 'the simulator reads no such long query' };
  const scanner = createScanner(text);
  try {
    const value = read(scanner);
    return scanner.isDone() ? { value } : scanner.fail('end of input');
  } catch (error) {
    if (error instanceof ParseError) return { error: error.message };
    // A pattern that is none.
    if (error instanceof SyntaxError) return { error: `1:1: parse error: error parsing regexp: ${error.message}` };
    throw error;
  }
}

/** Reads a selector of series: a metric's name, matchers in braces, or both. */
export function parseSelector(text: string): Parsed<readonly Matcher[]> {
  return parse(text, readSelector);
}

/** Reads the one form of query that the simulator answers. */
export function parseGroupQuery(text: string): Parsed<GroupQuery> {
  return parse(text, (scanner) => {
    if (scanner.match(/group\b/y) === null || scanner.match(/by\b/y) === null)
      scanner.fail('group by (labels) (selector): the simulator evaluates nothing else');
    const by = readNames(scanner);
    if (!scanner.takes('(')) scanner.fail('"("');
    const matchers = readSelector(scanner);
    if (!scanner.takes(')')) scanner.fail('")"');
    return { by, matchers };
  });
}
