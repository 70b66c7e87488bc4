/** Text in the place of something secret. */
export const redacted = '[redacted]';

/** Longest message kept in an observation, in UTF-16 units. */
export const longestMessage = 4096;

/**
 * Cheap first look (this runs for every message of a fleet): text with none of these, and without a long run of letters and
 * digits, holds nothing that a rule below would take out. Every rule must be reachable from here. Lower case.
 */
const signs = (
  'token secret passw passphrase pwd credential bearer basic authorization key sig akia asia gho_ ghp_ ghs_ ghu_ ghr_ ' +
  'github_pat glpat- xox npm_ hvs. aiza sg. eyj sk- -----begin data'
).split(' ');

/** Short texts that were found clean: a fleet says the same few thousand messages over and over. */
const foundClean = new Set<string>();
const mostFoundClean = 4096;

const privateKey = /-----BEGIN[^-]{0,40}-----(?:(?!-----END)[\s\S])*(?:-----END[^-]{0,40}-----)?/g;
const webToken = /eyJ[\w-]{4,}\.[\w-]+(?:\.[\w-]*)?/g;
const knownToken =
  /\b(?:(?:AKIA|ASIA)[0-9A-Z]{12,}|gh[opsur]_\w{16,}|github_pat_\w{16,}|glpat-[\w-]{12,}|xox[abprs]-[\w-]{8,}|npm_\w{24,}|hvs\.[\w-]{12,}|AIza[\w-]{30,}|SG\.[\w-]{10,}\.[\w-]{10,}|sk-[\w-]{20,})/g;
const scheme = /\b(bearer|basic)\s+([\w.~+/=-]{6,})/gi;
const named =
  /((?:token|secret|password|passwd|passphrase|pwd|credentials?|authorization|api[_-]?key|access[_-]?key|account[_-]?key|private[_-]?key|signature|sig)[\w-]{0,24}["']?\s{0,3}[:=]\s{0,3})("(?:[^"\\]|\\.)*"|'[^']*'|[^\s,;&"'{}[\])]+)/gi;
const secretData = /((?:string)?data["']?\s{0,3}:\s{0,3})(\{[^}]*\}?)/gi;
const longRun = /[A-Za-z0-9+/_=-]{32,}/g;
/** A long run that is not the hash of a revision, which nearly every message of Flux has. */
const doubtfulRun =
  /(?<![A-Za-z0-9+/_=-])(?!(?:(?<=sha1:)[0-9a-f]{40}|(?<=sha256:)[0-9a-f]{64})(?![A-Za-z0-9+/_=-]))[A-Za-z0-9+/_=-]{32,}/;
/** User information: from :// to the last @ of an authority, which ends at a space or control, " # ' / < > ? \ or `. */
const userInfo = /:\/\/[^[\p{Cc}--[\x7f-\x9f]] "#'\/<>?\\`]*@/gv;
const secretManifest = /kind["']?\s{0,3}:\s{0,3}["']?Secret\b/i;
const manifestData = /(?:string)?data["']?\s{0,3}:/i;
const beyondAscii = /[^\t\n\r -~]/;
const unseen = /[[\p{Cc}\p{Cf}]--[\t\n\r]]/gv;

/**
 * A message of a cluster without what may be secret in it: user information in URLs, tokens of known shape, bearer and
 * basic values, values behind names such as password or token, private keys, data of Secrets, long base64 or hex text.
 * Revisions (`sha1:...`, `sha256:...`), paths and names stay readable. Letters that nobody sees, or that turn the direction of
 * what follows, are written as their numbers: `\u{202e}`. At most `longest` characters; linear in the length.
 */
export function redact(text: string, longest: number = longestMessage): string {
  if (text.length <= longest && foundClean.has(text)) return text;
  const short = text.length > longest * 2 ? withoutLastSummary(text.slice(0, longest * 2)) : text;
  const clean = legible(isSuspicious(short) ? withoutSecrets(short) : short);
  if (clean === text && text.length <= 256) rememberClean(text);
  return clean.length > longest ? `${clean.slice(0, longest - 1)}…` : clean;
}

/** A URL without its user information and without secrets in its query. */
export function redactUrl(url: string): string {
  return redact(withoutUserInfo(url));
}

/** A text that reads as it is: control, format and direction characters (Unicode Cc and Cf) are written out. */
function legible(text: string): string {
  if (!beyondAscii.test(text)) return text;
  return text.replace(unseen, (letter) => `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`);
}

function isSuspicious(text: string): boolean {
  if (text.includes('@') && text.includes('://')) return true;
  if (doubtfulRun.test(text)) return true;
  const lower = text.toLowerCase();
  return signs.some((sign) => lower.includes(sign));
}

function rememberClean(text: string): void {
  if (foundClean.size >= mostFoundClean) foundClean.clear();
  foundClean.add(text);
}

function withoutSecrets(text: string): string {
  let clean = text.includes('-----BEGIN') ? text.replace(privateKey, redacted) : text;
  clean = withoutUserInfo(clean);
  const manifest = secretManifest.exec(clean) === null ? null : manifestData.exec(clean);
  if (manifest !== null) clean = `${clean.slice(0, manifest.index + manifest[0].length)} ${redacted}`;
  return clean
    .replace(secretData, `$1${redacted}`)
    .replace(webToken, redacted)
    .replace(scheme, (whole, word: string, value: string) => (isCredential(value) ? `${word} ${redacted}` : whole))
    .replace(named, (whole, name: string, value: string) => (isScheme(value) ? whole : `${name}${redacted}`))
    .replace(knownToken, redacted)
    .replace(longRun, (run, index: number, whole: string) => (isSecretRun(run, whole, index) ? redacted : run));
}

/** Cuts user information out of every URL in a text. */
function withoutUserInfo(text: string): string {
  return text.replace(userInfo, '://');
}

function withoutLastSummary(text: string): string {
  const space = Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n'));
  return text.slice(0, Math.max(space, 0));
}

/** "bearer authentication" is a word, "bearer abc123" is none. */
function isCredential(value: string): boolean {
  return value.length >= 20 || /[0-9=+/]|\w\.\w/.test(value) || /[a-z][A-Z]/.test(value);
}

/** Leaves "Authorization: Bearer" to the rule for schemes, which has been there already. */
function isScheme(value: string): boolean {
  return value === redacted || /^(?:bearer|basic)$/i.test(value);
}

/** Long hex that is no revision, or a long run in which letters of both cases and digits change often, as in base64. */
function isSecretRun(run: string, whole: string, index: number): boolean {
  const bare = run.replace(/[=_-]+$/, '');
  if (/^[0-9a-f]+$/i.test(bare)) return /[0-9]/.test(bare) && /[a-f]/i.test(bare) && !namesRevision(bare, whole, index);
  const count = (pattern: RegExp): number => bare.match(pattern)?.length ?? 0;
  const changes = count(/[0-9]+|[A-Z]+|[a-z]+|[^0-9A-Za-z]+/g);
  return /[0-9]/.test(bare) && count(/[A-Z]/g) >= 3 && count(/[a-z]/g) >= 3 && changes / bare.length > 0.28;
}

/** A commit or digest: behind sha1: or sha256:, a path's slash, an @, or the word commit or revision; of a hash's length. */
function namesRevision(hex: string, whole: string, index: number): boolean {
  if (hex.length !== 40 && hex.length !== 64) return false;
  const ahead = whole.slice(Math.max(0, index - 12), index);
  return /(?:sha1:|sha256:|[/@]|commit:? ?['"]?|revision:? ?['"]?)$/i.test(ahead);
}
