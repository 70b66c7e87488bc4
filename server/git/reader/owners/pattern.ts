/** One or many characters of a pattern. */
export interface Token {
  readonly matches: (character: string) => boolean;
  /** once; any number of times; at least once. */
  readonly times: 'once' | 'any' | 'some';
}

/** True if a text is what tokens stand for, from its beginning to its end. Takes length times tokens, whatever they are. */
export function matchesTokens(tokens: readonly Token[], text: string): boolean {
  let states = reach(tokens, [0]);
  for (const character of text) {
    const next: number[] = [];
    for (const state of states) {
      const token = tokens[state];
      if (token?.matches(character) !== true) continue;
      if (token.times !== 'once') next.push(state);
      next.push(state + 1);
    }
    if (next.length === 0) return false;
    states = reach(tokens, next);
  }
  return states.has(tokens.length);
}

/** States with those behind them that take no character. */
function reach(tokens: readonly Token[], states: readonly number[]): ReadonlySet<number> {
  const all = new Set(states);
  for (const state of all) if (tokens[state]?.times === 'any') all.add(state + 1);
  return all;
}

/** A token for one character. */
export function literal(character: string): Token {
  return { matches: (other) => other === character, times: 'once' };
}

/** Segments of a path pattern; null stands for any number of segments. */
export type Glob = readonly (readonly Token[] | null)[];

/** True if the segments of a path are what a glob stands for. */
export function matchesGlob(glob: Glob, segments: readonly string[]): boolean {
  let [at, segment] = [0, 0];
  let retry: { readonly at: number; readonly segment: number } | null = null;
  while (segment < segments.length) {
    const tokens = glob[at];
    if (tokens === null) {
      retry = { at, segment };
      at += 1;
    } else if (tokens !== undefined && matchesTokens(tokens, segments[segment] ?? '')) {
      at += 1;
      segment += 1;
    } else if (retry !== null) {
      retry = { at: retry.at, segment: retry.segment + 1 };
      [at, segment] = [retry.at + 1, retry.segment];
    } else return false;
  }
  return glob.slice(at).every((tokens) => tokens === null);
}

/** A segment with `*`, `?` and, where `ranges`, `[a-z]`; `\` takes the next character as it is. null: it is none. */
export function globSegment(text: string, ranges: boolean): readonly Token[] | null {
  const tokens: Token[] = [];
  const characters = Array.from(text);
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? '';
    if (character === '*') {
      if (tokens.at(-1)?.times !== 'any') tokens.push({ matches: () => true, times: 'any' });
    } else if (character === '?') tokens.push({ matches: () => true, times: 'once' });
    else if (character === '[' && ranges) {
      const end = characters.indexOf(']', at + 2);
      if (end < 0) return null;
      tokens.push(classToken(characters.slice(at + 1, end)));
      at = end;
    } else if (character === '\\') {
      at += 1;
      tokens.push(literal(characters[at] ?? '\\'));
    } else tokens.push(literal(character));
  }
  return tokens;
}

function classToken(characters: readonly string[]): Token {
  const isNot = characters[0] === '^' || characters[0] === '!';
  const members = isNot ? characters.slice(1) : characters;
  const ranges: (readonly [string, string])[] = [];
  for (let at = 0; at < members.length; at += 1) {
    const first = members[at] ?? '';
    const last = members[at + 1] === '-' ? members[at + 2] : undefined;
    ranges.push([first, last ?? first]);
    if (last !== undefined) at += 2;
  }
  const isMember = (character: string): boolean => ranges.some(([from, to]) => from <= character && character <= to);
  return { matches: (character) => isMember(character) !== isNot, times: 'once' };
}
