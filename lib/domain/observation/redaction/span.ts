/** Text in the place of something secret. */
export const redacted = '[redacted]';

/** A part of a text that must not be kept, as UTF-16 offsets, and what stands in its place. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly instead: string;
}

/** One way to find secrets. */
export interface Finder {
  /** A text without any of these (lower case) holds nothing for it. None: it is asked of every text. */
  readonly words: readonly string[];
  /** Where the secrets of a text are, in any order. Linear in the length of the text. */
  readonly find: (text: string) => readonly Span[];
}

/** A span of something secret. */
export function secretSpan(from: number, to: number): Span {
  return { from, to, instead: redacted };
}

/**
 * Spans of what a global pattern matches behind its first group: `/(password=)\S+/g`. With `isSecret`, of those matches alone that
 * it says are secret, by the value and the whole match.
 */
export function spansBehind(
  text: string,
  pattern: RegExp,
  isSecret: (value: string, match: RegExpExecArray) => boolean = () => true,
): readonly Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(pattern)) {
    const from = match.index + (match[1]?.length ?? 0);
    const to = match.index + match[0].length;
    if (to > from && isSecret(text.slice(from, to), match)) spans.push(secretSpan(from, to));
  }
  return spans;
}

/** A text with every span replaced. Of spans that overlap the outer one counts; two that cross become one secret. */
export function masked(text: string, spans: readonly Span[]): string {
  let clean = '';
  let kept = 0;
  for (const { from, to, instead } of merged(spans)) {
    clean += text.slice(kept, from) + instead;
    kept = to;
  }
  return clean + text.slice(kept);
}

function merged(spans: readonly Span[]): readonly Span[] {
  const apart: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    const last = apart.at(-1);
    if (last === undefined || span.from >= last.to) apart.push(span);
    else if (span.to > last.to) apart[apart.length - 1] = secretSpan(last.from, span.to);
  }
  return apart;
}
