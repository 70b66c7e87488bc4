/** Longest pattern that is looked at, and most of its alternatives. */
const longest = 1_024;
const mostAlternatives = 100;
/** Most wildcards of one alternative: with more a match could take long. */
const mostWildcards = 3;

/**
 * True if a pattern of Prometheus (RE2, for the whole value) matches a value. Null where the pattern has more than alternatives of plain letters, ".",
 * ".*" and ".+": it is not run, for it is foreign, and JavaScript's patterns may take for ever where RE2 does not.
 */
export function plainMatch(pattern: string, value: string): boolean | null {
  if (pattern.length > longest) return null;
  const inside = /^\^?\((?:\?:)?([^()]*)\)\$?$/.exec(pattern)?.[1] ?? pattern.replace(/^\^/, '').replace(/\$$/, '');
  const alternatives = inside.split('|');
  if (alternatives.length > mostAlternatives) return null;
  const compiled = alternatives.map(compile);
  let matches = false;
  for (const one of compiled) {
    if (one === null) return null;
    matches ||= one.test(value);
  }
  return matches;
}

function compile(alternative: string): RegExp | null {
  let source = '';
  let wildcards = 0;
  for (const [part] of alternative.matchAll(/\\.|\.[*+]|[\s\S]/gu)) {
    if (part === '.*' || part === '.+') {
      wildcards += 1;
      source += part;
    } else if (part === '.') source += part;
    else if (part.length > 1 && part.startsWith('\\')) {
      if (!/^\\[^A-Za-z0-9]$/.test(part)) return null;
      source += RegExp.escape(part.slice(1));
    } else if (/[\\^$*+?()[\]{}|]/.test(part)) return null;
    else source += RegExp.escape(part);
  }
  return wildcards > mostWildcards ? null : new RegExp(`^(?:${source})$`, 's');
}
