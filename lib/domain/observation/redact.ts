import { legible } from './legible.ts';
import { masked } from './redaction/span.ts';
import { secretSpans } from './redaction/secret-spans.ts';
import type { Span } from './redaction/span.ts';

/** Longest message kept in an observation, in UTF-16 units. */
export const longestMessage = 4096;

/** Short texts that were found clean: a fleet says the same few thousand messages over and over. */
const foundClean = new Set<string>();
const mostFoundClean = 4096;

/**
 * A text of a cluster without what may be secret in it, escaped or not: user information in addresses, credentials in headers and
 * cookies, values behind names such as password or token, values that the API server refused, private keys, data of Secrets,
 * tokens of known shape, long base64 or hex text. Best effort: a secret that looks like a word is not known from one.
 * Revisions (`sha1:...`, `sha256:...`), paths and names stay readable. Letters that nobody sees, or that turn the direction of
 * what follows, are written as their numbers: `\u{202e}`. At most `longest` characters, the last of them … where it was cut;
 * linear in the length.
 */
export function redact(text: string, longest: number = longestMessage): string {
  if (text.length <= longest && foundClean.has(text)) return text;
  const isLong = text.length > longest * 2;
  const short = isLong ? withoutLastWord(text.slice(0, longest * 2)) : text;
  const spans = secretSpans(short);
  const clean = legible(spans.length === 0 ? short : masked(short, spans));
  if (clean === text && text.length <= 256) rememberClean(text);
  return isLong || clean.length > longest ? `${clean.slice(0, longest - 1)}…` : clean;
}

/**
 * A path without what may be secret in it: what is found in the whole and what is found in each of its parts alone, for a path is
 * no long run of letters, and a part may be a key.
 */
export function redactPath(path: string, longest: number): string {
  const parts = path.split('/');
  // The last part was cut: what is secret in it would not be known as such.
  const kept = path.length > longest * 2 && parts.length > 1 ? parts.slice(0, -1) : parts;
  const whole = kept.join('/');
  if (kept.length === 1 || [whole, ...kept].every((part) => redact(part, longest) === part))
    return redact(whole, longest);
  const clean = legible(masked(whole, [...secretSpans(whole), ...spansOfParts(kept)]));
  return clean.length > longest ? `${clean.slice(0, longest - 1)}…` : clean;
}

function spansOfParts(parts: readonly string[]): readonly Span[] {
  const spans: Span[] = [];
  let start = 0;
  for (const part of parts) {
    for (const { from, to, instead } of secretSpans(part)) spans.push({ from: from + start, to: to + start, instead });
    start += part.length + 1;
  }
  return spans;
}

/** A URL without its user information and without secrets in its query. */
export function redactUrl(url: string): string {
  return redact(url);
}

function rememberClean(text: string): void {
  if (foundClean.size >= mostFoundClean) foundClean.clear();
  foundClean.add(text);
}

/** The cut may go through a secret, whose beginning would not be known as one. */
function withoutLastWord(text: string): string {
  return text.slice(0, Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n'), 0));
}
