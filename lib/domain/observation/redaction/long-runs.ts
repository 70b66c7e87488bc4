import { withoutEnd } from '../../../text/without-end.ts';
import { secretSpan, type Finder, type Span } from './span.ts';

const longRun = /(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_=-]{32,}/g;

/** Base64 and hex that is long enough to be a key, and no commit or digest. */
export const longRuns: readonly Finder[] = [{ words: [], find: secretRuns }];

function secretRuns(text: string): readonly Span[] {
  const spans: Span[] = [];
  for (const { 0: run, index } of text.matchAll(longRun)) {
    if (isSecretRun(run, text, index)) spans.push(secretSpan(index, index + run.length));
  }
  return spans;
}

/**
 * Long hex that is no revision, or a long run in which letters of both cases and digits change often, as in base64; letters of one
 * case without any other sign, as in base32 and base36.
 */
function isSecretRun(run: string, whole: string, index: number): boolean {
  const bare = withoutEnd(run, '=_-');
  if (/^[0-9a-f]+$/i.test(bare)) return /[0-9]/.test(bare) && /[a-f]/i.test(bare) && !namesRevision(bare, whole, index);
  if (isOfWords(bare)) return false;
  const count = (pattern: RegExp): number => bare.match(pattern)?.length ?? 0;
  const changes = count(/[0-9]+|[A-Z]+|[a-z]+|[^0-9A-Za-z]+/g);
  if (/^(?:[a-z0-9]{32,}|[A-Z0-9]{32,})$/.test(bare)) return count(/[0-9]/g) >= 3 && changes / bare.length > 0.28;
  return /[0-9]/.test(bare) && count(/[A-Z]/g) >= 3 && count(/[a-z]/g) >= 3 && changes / bare.length > 0.28;
}

/** A path or a long name, in which only words, numbers and commits stand between its signs. */
function isOfWords(run: string): boolean {
  const parts = run.split(/[/_=+-]+/);
  return (
    parts.length > 1 &&
    parts.every((part) => /^(?:[a-z]*(?:[A-Z][a-z]+)*\d{0,5}|[A-Z]+\d{0,5}|v\d[a-z\d]{0,8}|[0-9a-f]{40})$/.test(part))
  );
}

/**
 * A commit or digest: of a hash's length, and alone, or behind the name of the hash, a path's slash, an @, or the word commit or
 * revision.
 */
function namesRevision(hex: string, whole: string, index: number): boolean {
  const ahead = whole.slice(Math.max(0, index - 12), index);
  if (hex.length === 128) return ahead.endsWith('sha512:');
  if (hex.length !== 40 && hex.length !== 64) return false;
  return hex === whole || /(?:sha1:|sha256:|[/@]|commit:? ?['"]?|revision:? ?['"]?)$/i.test(ahead);
}
