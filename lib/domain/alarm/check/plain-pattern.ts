/** Longest pattern that is looked at, longest value, and most alternatives. */
const longest = 1_024;
const mostAlternatives = 100;

/** Part of a pattern: one letter, any letter, or any number of letters. */
type Part = { readonly letter: string } | 'any' | 'many';

/**
 * True if a pattern of Prometheus (RE2, for the whole value) matches a value. Null where the pattern has more than alternatives of plain letters, ".",
 * ".*" and ".+": it is foreign, and JavaScript's patterns may take for ever where RE2 does not, so none is run.
 */
export function plainMatch(pattern: string, value: string): boolean | null {
  if (pattern.length > longest || value.length > longest) return null;
  const inside = /^\^?\((?:\?:)?([^()]*)\)\$?$/.exec(pattern)?.[1] ?? pattern.replace(/^\^/, '').replace(/\$$/, '');
  const alternatives = inside.split('|');
  if (alternatives.length > mostAlternatives) return null;
  let matches = false;
  for (const alternative of alternatives) {
    const parts = partsOf(alternative);
    if (parts === null) return null;
    matches ||= matchesWhole(parts, Array.from(value));
  }
  return matches;
}

/** The parts of one alternative; null where it has others. */
function partsOf(alternative: string): readonly Part[] | null {
  const parts: Part[] = [];
  for (const [text] of alternative.matchAll(/\\.|\.[*+]|[\s\S]/gu)) {
    if (text === '.*') parts.push('many');
    else if (text === '.+') parts.push('any', 'many');
    else if (text === '.') parts.push('any');
    else if (/^\\[^A-Za-z0-9]$/.test(text)) parts.push({ letter: text.slice(1) });
    else if (/[\\^$*+?()[\]{}|]/.test(text)) return null;
    else parts.push({ letter: text });
  }
  return parts;
}

/** Goes through the value once for each part: `reached` holds after how many letters the parts so far may end. */
function matchesWhole(parts: readonly Part[], letters: readonly string[]): boolean {
  let reached = [true, ...letters.map(() => false)];
  for (const part of parts) {
    let before = false;
    reached = reached.map((here, at) => {
      if (part === 'many') return (before ||= here);
      const after = before && (part === 'any' || part.letter === letters[at - 1]);
      before = here;
      return after;
    });
  }
  return reached.at(-1) === true;
}
