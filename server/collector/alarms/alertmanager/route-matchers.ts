import type { Matcher } from '#lib/domain/alarm/fact.ts';
import { foreignName, longestWord, unkeptTextAt } from '#lib/foreign-words.ts';
import { at, isForeignObject, objectAt } from '#lib/foreign.ts';
import { byText, labelValue } from '../words.ts';

/** Matchers that were read, and how many were not. `isWhole`: all were, each with the value that it has. */
export interface ReadMatchers {
  readonly matchers: readonly Matcher[];
  readonly lost: number;
  readonly isWhole: boolean;
}

const mostMatchers = 64;

/** Most matchers of one route that are taken apart, and the longest lines of them together (UTF-16 units). */
const mostTaken = 1_000;
const longestLine = 20_000;

/** The matchers of a route, of every style that Alertmanager has had: `match`, `match_re` and `matchers`. `room`: how long those of all routes may still be (UTF-16 units). */
export function readMatchers(route: unknown, room: { text: number }): ReadMatchers {
  const found: Matcher[] = [];
  let lost = 0;
  for (const [key, operator] of [
    ['match', '='],
    ['match_re', '=~'],
  ] as const)
    for (const name of Object.keys(objectAt(route, key)).sort(byText)) {
      const value = found.length < mostTaken ? unkeptTextAt(route, key, name) : null;
      if (value === null) lost += 1;
      else found.push({ name, operator, value });
    }
  const written = at(route, 'matchers') ?? [];
  const lines: readonly unknown[] = Array.isArray(written) ? written : [written];
  let left = longestLine;
  for (const line of lines) {
    const text = isForeignObject(line) ? null : unkeptTextAt({ line }, 'line');
    left -= text?.length ?? 0;
    const matchers = text === null || left < 0 || found.length >= mostTaken ? null : matchersIn(text);
    if (matchers === null) lost += 1;
    else found.push(...matchers);
  }
  const matchers: Matcher[] = [];
  for (const each of found.slice(0, mostMatchers)) {
    room.text -= Math.min(each.name.length + each.value.length, 2 * longestWord);
    if (room.text < 0) break;
    matchers.push(keptOf(each));
  }
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

/**
 * One matcher up to the comma behind it: a name, an operator, a value, each quoted or not, the last with the blanks around it. No two repetitions that
 * follow each other take the same letters: it would be tried for hours how a thousand blanks are shared out.
 */
const matcher = /\s*("(?:[^"\\]|\\[^])*"|[^\s"=!~{},]+)\s*(=~|!~|!=|=)(\s*"(?:[^"\\]|\\[^])*"\s*|[^",{}]*)(?:,|$)/y;

/** The matchers of one line, in braces or not; null where it is none. */
function matchersIn(line: string): readonly Matcher[] | null {
  const trimmed = line.trim();
  const text = trimmed.startsWith('{') && trimmed.endsWith('}') ? trimmed.slice(1, -1) : trimmed;
  const found: Matcher[] = [];
  let from = 0;
  while (from < text.length) {
    matcher.lastIndex = from;
    const [whole = '', name = '', sign, value = ''] = matcher.exec(text) ?? [];
    const operator = operatorOf(sign);
    if (whole === '' || operator === null) return null;
    found.push({ name: unquoted(name), operator, value: unquoted(value.trim()) });
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
