import { type Looking, plainMatch } from '../check/plain-pattern.ts';

/** Marks that redaction writes in place of a secret, and at the end of what was cut. */
const doctored = /…|\[redacted\]/;

/** Letters that a pattern for one line counts for beside its own: each line is held against each alternative. */
const each = 20;

/**
 * True if a message has a part that a pattern of Go (RE2, without flags) matches. Null where that is not known: the pattern has more than
 * plain letters, "." and alternatives, or it does not match a message that is not whole, or more letters would have to be looked at than `looking` has left.
 */
export function messageMatches(pattern: string, message: string, looking: Looking): boolean | null {
  const lines = message.split('\n');
  const answers = alternativesOf(pattern).map((alternative) => {
    const opens = alternative.startsWith('^');
    const closes = /(?<!\\)\$$/.test(alternative);
    const inside = alternative.slice(opens ? 1 : 0, closes ? -1 : undefined);
    if (inside === '') return null;
    const whole = `${opens ? '' : '.*'}${inside}${closes ? '' : '.*'}`;
    // "." is no line break in Go, so what matches stands in one line; ^ and $ are those of the text.
    const places = lines.filter((_, at) => (!opens || at === 0) && (!closes || at === lines.length - 1));
    return anyOf(places.map((line) => lineMatches(whole, line, looking)));
  });
  const found = anyOf(answers);
  return found === false && (message === '' || doctored.test(message)) ? null : found;
}

function lineMatches(pattern: string, line: string, looking: Looking): boolean | null {
  looking.left -= each;
  return looking.left < 0 ? null : plainMatch(pattern, line, looking);
}

/** The alternatives of a pattern; those in one group around it, too. */
function alternativesOf(pattern: string): readonly string[] {
  const inside = /^\((?:\?:)?([^()]*)\)$/.exec(pattern)?.[1] ?? pattern;
  // Alternatives within a group, or a class, are none of the pattern: what is left has a bracket, and is not plain.
  return inside.split('|');
}

function anyOf(answers: readonly (boolean | null)[]): boolean | null {
  if (answers.includes(true)) return true;
  return answers.includes(null) ? null : false;
}
