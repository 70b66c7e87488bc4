import type { Matcher } from '#lib/domain/alarm/fact.ts';
import { foreignName, unkeptTextAt } from '#lib/foreign-words.ts';
import { at, isForeignObject, objectAt } from '#lib/foreign.ts';
import { byText, labelValue } from '../words.ts';

/** Matchers that were read, and how many were not. `isWhole`: all were, each with the value that it has. */
export interface ReadMatchers {
  readonly matchers: readonly Matcher[];
  readonly lost: number;
  readonly isWhole: boolean;
}

const mostMatchers = 64;

/** The matchers of a route, of every style that Alertmanager has had: `match`, `match_re` and `matchers`. */
export function readMatchers(route: unknown): ReadMatchers {
  const found: Matcher[] = [];
  let lost = 0;
  for (const [key, operator] of [
    ['match', '='],
    ['match_re', '=~'],
  ] as const)
    for (const name of Object.keys(objectAt(route, key)).sort(byText)) {
      const value = unkeptTextAt(route, key, name);
      if (value === null) lost += 1;
      else found.push({ name, operator, value });
    }
  const written = at(route, 'matchers') ?? [];
  const lines: readonly unknown[] = Array.isArray(written) ? written : [written];
  for (const line of lines) {
    const text = isForeignObject(line) ? null : unkeptTextAt({ line }, 'line');
    const matchers = text === null ? null : matchersIn(text);
    if (matchers === null) lost += 1;
    else found.push(...matchers);
  }
  const matchers = found.slice(0, mostMatchers).map(keptOf);
  lost += found.length - matchers.length;
  const isWhole = lost === 0 && matchers.every((kept, index) => isSame(kept, found[index]));
  return { matchers, lost, isWhole };
}

/** A matcher as it is kept: its name and value are cut, cleaned and redacted. */
function keptOf({ name, operator, value }: Matcher): Matcher {
  return { name: foreignName(name), operator, value: labelValue(name, value) };
}

/** Whatever else is kept of a matcher matches something else. */
function isSame(kept: Matcher, written: Matcher | undefined): boolean {
  return kept.name === written?.name && kept.value === written.value;
}

/** One matcher up to the comma behind it: a name, an operator, a value, each quoted or not. */
const matcher = /\s*("(?:[^"\\]|\\[^])*"|[^\s"=!~{},]+)\s*(=~|!~|!=|=)\s*("(?:[^"\\]|\\[^])*"|[^",{}]*)\s*(?:,|$)/y;

/** The matchers of one line, in braces or not; null where it is none. */
function matchersIn(line: string): readonly Matcher[] | null {
  if (line.length > 20_000) return null;
  const trimmed = line.trim();
  const text = trimmed.startsWith('{') && trimmed.endsWith('}') ? trimmed.slice(1, -1) : trimmed;
  const found: Matcher[] = [];
  let from = 0;
  while (from < text.length) {
    matcher.lastIndex = from;
    const [whole = '', name = '', sign, value = ''] = matcher.exec(text) ?? [];
    const operator = operatorOf(sign);
    if (whole === '' || operator === null) return null;
    found.push({ name: unquoted(name), operator, value: unquoted(value) });
    from += whole.length;
  }
  return found;
}

function operatorOf(sign: string | undefined): Matcher['operator'] | null {
  return sign === '=' || sign === '!=' || sign === '=~' || sign === '!~' ? sign : null;
}

/** Alertmanager knows three escapes; behind any other letter the backslash stays. */
function unquoted(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text.trim();
  return text.slice(1, -1).replace(/\\(["\\n])/g, (_, letter: string) => (letter === 'n' ? '\n' : letter));
}
