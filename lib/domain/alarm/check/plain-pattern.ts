/** Longest pattern that is looked at, and most of its alternatives. */
const longest = 1_024;
const mostAlternatives = 100;

/** Letters that may still be looked at, of patterns and of values: a foreign pattern looks at each letter of a value a thousand times. */
export interface Looking {
  left: number;
}

/** For one pattern by itself. */
const mostLetters = 20_000;

/**
 * True if a pattern of Prometheus (RE2, for the whole value) matches a value. Null where the pattern has more than alternatives of plain letters, ".",
 * ".*" and ".+": it is foreign, so it is not run as a pattern of JavaScript, which may take for ever where RE2 does not. Null, too, where more letters would
 * have to be looked at than `looking` has left.
 */
export function plainMatch(pattern: string, value: string, looking: Looking = { left: mostLetters }): boolean | null {
  looking.left -= pattern.length;
  if (pattern.length > longest || looking.left < 0) return null;
  const inside = /^\^?\((?:\?:)?([^()]*)\)\$?$/.exec(pattern)?.[1] ?? pattern.replace(/^\^/, '').replace(/\$$/, '');
  const alternatives = inside.split('|');
  if (alternatives.length > mostAlternatives) return null;
  const read = alternatives.map(tokensOf);
  let isMatch = false;
  for (const tokens of read) {
    if (tokens === null) return null;
    isMatch ||= matchesTokens(tokens, value, looking);
  }
  return looking.left < 0 ? null : isMatch;
}

/** A letter; `any` for one letter, `rest` for as many as there are. */
type Token = { readonly letter: string } | 'any' | 'rest';

function tokensOf(alternative: string): readonly Token[] | null {
  const tokens: Token[] = [];
  for (const [part] of alternative.matchAll(/\\[^]|\.[*+]|[^]/g)) {
    if (part === '.+') tokens.push('any', 'rest');
    else if (part === '.*') tokens.push('rest');
    else if (part === '.') tokens.push('any');
    else if (part.length > 1) {
      if (!/^\\[^A-Za-z0-9]$/.test(part)) return null;
      tokens.push({ letter: part.slice(1) });
    } else if (/[\\^$*+?()[\]{}|]/.test(part)) return null;
    else tokens.push({ letter: part });
  }
  return tokens;
}

/** Where a `rest` was met last: what follows it is tried again one letter further on, so at most tokens times letters are looked at. */
function matchesTokens(tokens: readonly Token[], value: string, looking: Looking): boolean {
  let [at, token] = [0, 0];
  let again: { at: number; token: number } | null = null;
  while (at < value.length) {
    looking.left -= 1;
    if (looking.left < 0) return false;
    const wanted = tokens[token];
    if (wanted === 'rest') {
      token += 1;
      again = { at, token };
    } else if (wanted !== undefined && (wanted === 'any' || wanted.letter === value[at])) {
      at += 1;
      token += 1;
    } else if (again === null) return false;
    else {
      again.at += 1;
      ({ at, token } = again);
    }
  }
  return tokens.slice(token).every((left) => left === 'rest');
}
