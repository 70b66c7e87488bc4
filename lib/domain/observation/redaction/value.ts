import { secretSpan, type Span } from './span.ts';

/** Signs that languages put ahead of a quote or bracket: `b'x'`, `Some("x")`, `aws.String("x")`; and a tag or an anchor of YAML. */
const prefix = /(?:!!|&)\w{1,16}[ \t]{1,3}|[&*]?[\w.!]{1,40}(?=["'[({])/y;
const opened = /["'`]/;
const brackets: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')', '<': '>' };
/** A plan: the value that was, and the one that is to be. */
const arrow = /[ \t]{1,64}(?:->|=>|→)[ \t]{1,64}/y;
/** Words in brackets in the place of a value: `(sensitive value)`. */
const inPlace = /\([a-z ]{1,40}\)/y;
/** A variable, whose bracket belongs to it. */
const variable = /\$(?:\{[\w.]{1,128}\}|\([A-Z][A-Z0-9_]{0,128}\))/y;
const plain = /[^\s,;&"'`{}[\])<>|]/;
/** An object that says where a secret is, rather than the secret. Its fields are looked at one by one. */
const refers = /secretRef|secretKeyRef|secretName|valueFrom|existingSecret|"source"/i;
const farEnough = 400;

/** The end of the value that begins at an offset; the offset itself where none begins there. Behind an arrow is a second one. */
export function endOfValue(text: string, from: number): number {
  const first = endOfOne(text, from);
  const second = endOfMatch(arrow, text, first === from ? (endOfMatch(inPlace, text, from) ?? from) : first);
  if (second === null) return first;
  const end = endOfOne(text, second);
  return end === second ? first : end;
}

function endOfOne(text: string, from: number): number {
  const start = endOfMatch(prefix, text, from) ?? from;
  const letter = text.charAt(start);
  if (opened.test(letter)) return endOfQuotes(text, start);
  if (letter === '{' || letter === '[') {
    return refers.test(text.slice(start, start + farEnough)) ? from : endOfBraces(text, start);
  }
  if (letter === '(' || letter === '<')
    return endOfWordIn(text, start) ?? (start > from ? endOfPlain(text, from) : from);
  return plain.test(letter) ? endOfPlain(text, endOfMatch(variable, text, start) ?? start) : from;
}

/** The end of what a quote opens, or three of them; one that is escaped or doubled does not close. Of the text if none closes. */
function endOfQuotes(text: string, from: number): number {
  const quote = text.charAt(from);
  const three = quote.repeat(3);
  if (text.startsWith(three, from)) {
    const end = text.indexOf(three, from + 3);
    return end === -1 ? text.length : end + 3;
  }
  for (let index = from + 1; index < text.length; index += 1) {
    const letter = text.charAt(index);
    if (letter === '\\' && quote !== '`') index += 1;
    else if (letter !== quote) continue;
    else if (text.charAt(index + 1) === quote && index > from + 1) index += 1;
    else return index + 1;
  }
  return text.length;
}

/** The end of what a brace opens, texts in quotes skipped; of the text where it is not closed. */
export function endOfBraces(text: string, from: number): number {
  let depth = 0;
  let quoted = false;
  for (let index = from; index < text.length; index += 1) {
    const letter = text.charAt(index);
    if (letter === '\\') index += 1;
    else if (letter === '"') quoted = !quoted;
    else if (!quoted && (letter === '{' || letter === '[')) depth += 1;
    else if (!quoted && (letter === '}' || letter === ']')) depth -= 1;
    if (depth === 0) return index + 1;
  }
  return text.length;
}

/** `(x)`, `<x>`, `("x y")`: one word or text in quotes. What has several words tells something: `(known after apply)`. */
function endOfWordIn(text: string, from: number): number | null {
  const inner = opened.test(text.charAt(from + 1)) ? endOfQuotes(text, from + 1) : from + 1;
  let end = inner;
  while (end < text.length && !/[\s()<>]/.test(text.charAt(end))) end += 1;
  return text.charAt(end) === brackets[text.charAt(from)] ? end + 1 : null;
}

/**
 * The end of a value without quotes. A comma, semicolon or & ends it where another pair follows, or nothing of the word; a bracket
 * or quote that closes where no letter follows.
 */
function endOfPlain(text: string, from: number): number {
  for (let index = from; index < text.length; index += 1) {
    const letter = text.charAt(index);
    if (!/[\s,;&"'`{}[\]()<>|]/.test(letter)) continue;
    if (/\s/.test(letter) || endsPlain(text, index, letter)) return index;
  }
  return text.length;
}

const nextPair = /.[\w.\-%[\]]{1,64}["']?[=:]/y;

function endsPlain(text: string, at: number, letter: string): boolean {
  const next = text.charAt(at + 1);
  if (/[,;&]/.test(letter)) return !/[\w!$%*+./@^~-]/.test(next) || endOfMatch(nextPair, text, at) !== null;
  if (letter === '<') return /[/!\s]|^$/.test(next);
  return /[\])}>"'`]/.test(letter) && !/[\w!$%*+@^~-]/.test(next);
}

function endOfMatch(pattern: RegExp, text: string, from: number): number | null {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : null;
}

/** A name with its sign, and how to tell its value. */
export interface NamedValue {
  /** A global pattern of the name and the sign behind it. */
  readonly head: RegExp;
  /** False if no value there is secret; by the first letter of the value. What is in it is then looked at by itself. */
  readonly mayHold: (match: RegExpExecArray, first: string) => boolean;
  readonly isSecret: (value: string, match: RegExpExecArray) => boolean;
  /** True if the value goes on to the end of its line. */
  readonly isOfLine: (match: RegExpExecArray) => boolean;
}

/** Spans of the values behind names that tell that they are secret. */
export function valuesBehind(text: string, { head, mayHold, isSecret, isOfLine }: NamedValue): readonly Span[] {
  const spans: Span[] = [];
  let done = 0;
  for (const match of text.matchAll(head)) {
    const from = match.index + match[0].length;
    const first = text.charAt(from);
    if (from < done || !mayHold(match, first)) continue;
    const to = endOfValue(text, from);
    if (to === from) continue;
    if (isSecret(text.slice(from, to), match)) {
      done = /["'`[{(<]/.test(first) || !isOfLine(match) ? to : endOfLine(text, to);
      spans.push(secretSpan(from, done));
    } else done = from + 1;
  }
  return spans;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  const to = end === -1 ? text.length : end;
  return text.charAt(to - 1) === '\r' ? to - 1 : to;
}
