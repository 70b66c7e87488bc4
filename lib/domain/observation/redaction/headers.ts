import { spansBehind, type Finder } from './span.ts';

/** The header, its scheme if it has one, and the credentials: one value, or parameters with commas (Digest, AWS4-HMAC-SHA256). */
const authorization =
  /(authorization["']?\s{0,3}[:=]\s{0,3}(?:\[(?!redacted\]))?["']?((?:[A-Za-z][\w-]{0,31}[ \t]{1,3})?))(?:[\w-]{1,40}=(?:"[^"]{0,500}"|[^\s,;"']{1,500})(?:,\s{0,2}[\w-]{1,40}=(?:"[^"]{0,500}"|[^\s,;"']{1,500})){1,20}|[^\s,;"'{}[\])]+)/gi;

/** The first word behind the header's name: the whole credential, where there is no scheme. */
const withoutScheme = /(authorization["']?\s{0,3}[:=]\s{0,3}(?:\[(?!redacted\]))?["']?)[^\s,;"'{}[\])]+/gi;

/** Schemes after which anything is a credential. After another word only what looks like one is. */
const knownScheme =
  /^(?:bearer|basic|token|digest|negotiate|ntlm|api-?key|key|oauth|aws4-hmac-sha256|sharedkey(?:lite)?|hawk|signature|splunk|jwt|ssws|bot|genie-?key|dpop|scram-sha-\d+|googlelogin)\b/i;

/** Without the header's name: "sent Basic dXNlcjpjYW5hcnk=". */
const scheme = /(\b(?:bearer|basic)\s{1,3})[\w.~+/=-]{6,}/gi;

/** `X-Auth-Key: x`; what is called token, secret or API key is found by its name (named-values.ts). */
const ownHeader =
  /(\b(?:x-[\w-]{0,30}(?:key|auth|signature|session)|(?:private|job|deploy)-token)["']?\s{0,3}:\s{0,3}(?:\[(?!redacted\]))?["']?)[^\s,;"'{}[\])]+/gi;

/** From the first pair of a cookie header to its last. */
const cookies =
  /(cookie["']?\s{0,3}[:=]\s{0,3}\[?["']?)[\w.!#$%&*+^`|~-]{1,128}=[^\s;,"']{0,4000}(?:;[ \t]?[\w.!#$%&*+^`|~-]{1,128}(?:=[^\s;,"']{0,4000})?){0,50}/gi;

/** Credentials in headers of HTTP. */
export const headers: readonly Finder[] = [
  { words: ['authorization'], find: (text) => spansBehind(text, authorization, isCredentialOf) },
  { words: ['authorization'], find: (text) => spansBehind(text, withoutScheme, isWholeCredential) },
  { words: ['bearer', 'basic'], find: (text) => spansBehind(text, scheme, isCredential) },
  { words: ['x-', '-token'], find: (text) => spansBehind(text, ownHeader) },
  { words: ['cookie'], find: (text) => spansBehind(text, cookies) },
];

function isCredentialOf(value: string, match: RegExpExecArray): boolean {
  const before = match[2] ?? '';
  return before !== '' && (knownScheme.test(before) || isCredential(value));
}

function isWholeCredential(value: string, match: RegExpExecArray): boolean {
  if (knownScheme.test(value)) return false;
  const isLast = /^[ \t]*(?:["'\n,;\]})]|$)/.test(match.input.slice(match.index + match[0].length));
  return isCredential(value) || (isLast && !/^(?:required|failed|denied|invalid|missing|forbidden)\W*$/i.test(value));
}

/** "bearer authentication" is a word, "bearer abc123" is none. */
function isCredential(value: string): boolean {
  return value.length >= 20 || /[0-9=+/]|\w\.\w/.test(value) || /[a-z][A-Z]/.test(value);
}
