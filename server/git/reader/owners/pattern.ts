/** One or many characters of a pattern. */
export interface Token {
  readonly matches: (character: string) => boolean;
  /** once; any number of times; at least once. */
  readonly times: 'once' | 'any' | 'some';
}

/** Takes note of work that was done, in steps of some nanoseconds; throws where it was enough. */
export type Spend = (steps: number) => void;

/** True if a text is what tokens stand for, from its beginning to its end. Takes at most length times tokens steps, whatever they are. */
export function matchesTokens(tokens: readonly Token[], text: string, spend: Spend): boolean {
  let now: States = { is: new Uint8Array(tokens.length + 1), first: 0, last: 0 };
  let next: States = { is: new Uint8Array(tokens.length + 1), first: 0, last: -1 };
  now.is[0] = 1;
  for (const character of text) {
    rest(tokens, now);
    spend(2 + now.last - now.first);
    step(tokens, character, now, next);
    if (next.last < 0) return false;
    [now, next] = [next, now];
  }
  rest(tokens, now);
  return now.is[tokens.length] === 1;
}

/** States between two tokens that are reached: all of them lie from `first` to `last`. */
interface States {
  readonly is: Uint8Array;
  first: number;
  last: number;
}

/** Takes the states in `now` on by one character into `next`, and leaves none. */
function step(tokens: readonly Token[], character: string, now: States, next: States): void {
  [next.first, next.last] = [tokens.length, -1];
  for (let state = now.first; state <= now.last; state += 1) {
    const isReached = now.is[state] === 1;
    now.is[state] = 0;
    const token = tokens[state];
    if (!isReached || token?.matches(character) !== true) continue;
    const from = token.times === 'once' ? state + 1 : state;
    next.is[from] = 1;
    next.is[state + 1] = 1;
    next.first = Math.min(next.first, from);
    next.last = state + 1;
  }
}

/** Adds the states that are reached without a character. */
function rest(tokens: readonly Token[], states: States): void {
  for (let state = states.first; state <= states.last; state += 1) {
    if (states.is[state] !== 1 || tokens[state]?.times !== 'any') continue;
    states.is[state + 1] = 1;
    states.last = Math.max(states.last, state + 1);
  }
}

/** Tokens of plain characters, each once for all patterns: a file may hold a million of them. */
const literals = new Map<string, Token>();
const mostLiterals = 1_000;

/** A token for one character. */
export function literal(character: string): Token {
  const known = literals.get(character);
  if (known !== undefined) return known;
  const made: Token = { matches: (other) => other === character, times: 'once' };
  if (literals.size < mostLiterals) literals.set(character, made);
  return made;
}

const anyOne: Token = { matches: () => true, times: 'once' };
const anyNumber: Token = { matches: () => true, times: 'any' };

/** Segments of a path pattern; null stands for any number of segments. */
export type Glob = readonly (readonly Token[] | null)[];

/** True if the segments of a path are what a glob stands for. */
export function matchesGlob(glob: Glob, segments: readonly string[], spend: Spend): boolean {
  let [at, segment] = [0, 0];
  let retry: { readonly at: number; readonly segment: number } | null = null;
  while (segment < segments.length) {
    const tokens = glob[at];
    if (tokens === null) {
      retry = { at, segment };
      at += 1;
    } else if (tokens !== undefined && matchesTokens(tokens, segments[segment] ?? '', spend)) {
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
      if (tokens.at(-1)?.times !== 'any') tokens.push(anyNumber);
    } else if (character === '?') tokens.push(anyOne);
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
