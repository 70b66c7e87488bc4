import { secretSpan, spansBehind, type Finder, type Span } from './span.ts';
import { valuesBehind, type NamedValue } from './value.ts';

const words: readonly string[] =
  'token secret passw passp passcode pwd kennwort cred key session connect.sid sig'.split(' ');
const shortWords: readonly string[] = 'pass pw psk otp assertion _key _auth _dsn _salt _pat _pin _jwt _cookie'.split(
  ' ',
);

/**
 * A name that says that its value is secret, up to the value: `db_password: "x"`, `token=x`, `"apiKey" => 'x'`, `--token x`,
 * `"--token", "x"`, also in columns and with the value on the next line. Groups: the name, what follows the word within the name, the
 * sign between.
 */
const named =
  /((?:token|secret|passw(?:or[dt])?|passphrase|passcode|pwd|kennwort|credentials?|creds|(?:api|access|account|private|encryption|signing|master|shared|client|license|ssh|session|subscription)[ _-]?key|session[_-]?id|jsessionid|phpsessid|[_-]session|connect\.sid|signature|(?<![a-z])sig(?![a-z]))([\w.-]{0,24}))["'`]?(?:[ \t]string|[ \t]?\.)?([ \t]{0,64}(?::[ \t]{0,3}\r?\n[ \t]{1,64}(?:- )?(?![\w.-]{1,64}:(?:\s|$))|(?::{0,3}=>?|=>|\?=|\|\||:)[ \t]{0,64})|(?<=--[\w-]{1,64})[ \t]{1,3}|(?<=--[\w-]{1,64}["'])[ \t]{0,3},[ \t]{0,3})(?:\(\*?(?:string|u?int\d{0,2}|float\d\d|bool|[\w.]{1,20}\.\w{1,20})\)\s?(?:\(len=\d{1,6}\)\s?|\(0x[\da-f]{1,16}\)\s?)?)?/gi;

/** PASS, also as the end of a name (`DB_PASS=`, `dbPass:`), but not of compass; other ends of environment variables. */
const shortNamed =
  /((?:(?<![A-Za-z])(?:[Pp]ass|PASS)|(?<=[a-z0-9])P(?:ass|w)|(?<![A-Za-z])(?:pw|psk|otp|assertion)|(?<=[Dd]b|[Uu]ser|[Rr]oot|[Aa]dmin|smtp|redis|pg|ftp|mail|ldap)pass|(?<=[A-Z0-9]_)(?:KEY|PW|AUTH|DSN|SALT|PAT|PIN|JWT|COOKIE)))["']?([ \t]{0,64}(?::[ \t]{0,3}\r?\n[ \t]{1,64}(?:- )?(?![\w.-]{1,64}:(?:\s|$))|(?::{0,3}=>?|=>|\?=|\|\||:)[ \t]{0,64}))/g;

/** `PASSWORD 'x'` and `IDENTIFIED BY 'x'` of SQL; `login x password y` of .netrc. */
const spoken =
  /((?:passw(?:or)?d|passphrase|identified (?:with \S{1,64} )?by|password for \S{1,64} =)\s{1,3}(?:(?:is|was|to)\s{1,3})?)("[^"\n]{1,500}"|'[^'\n]{1,500}'|`[^`\n]{1,500}`)|(\blogin\s{1,3}\S{1,128}\s{1,3}password\s{1,3})\S{1,500}/gi;

/** `<password>x</password>`, `<entry key="password">x</entry>`. */
const element =
  /(<(?=[A-Za-z])[\w:.\s="'-]{0,40}(?:token|secret|password|passphrase|api_?key|credentials?)[\w.-]{0,24}["']?>\s{0,40}(?:<!\[CDATA\[)?)[^<\s][^<]{0,2000}/gi;

/** `password hunter2`: behind the bare word only what is no word, nor the name of a method. */
const bare =
  /((?<![A-Za-z])passw(?:or)?d (?:is |was |to )?)(?=[A-Za-z]*\d)(?=\d*[A-Za-z])(?!(?:oauth|sha|base|argon|pbkdf|x5|v)\d)[^\s"',;:]{6,200}/gi;

/** `Incorrect API key provided: x`, `invalid token "x"`. */
const toldOf =
  /(\b(?:api key provided: |(?:invalid|bad|expired|incorrect|wrong) (?:(?:access|api|auth|bearer|session) ?)?(?:token|password|passphrase|(?<=api ?)key):? (?=["'])))(?:"[^"\n]{1,500}"|'[^'\n]{1,500}'|[^\s"']{1,500})/gi;

/** Parameters of queries and forms that are secret there alone. */
const parameter = /([?&](?:key|code|otp|assertion|pw|auth|hmac|jwt)=)[^\s&"'<>#]{1,2000}/gi;

/** `setProperty("API_TOKEN", "x")`. */
const argument =
  /(\w\(["'][\w.-]{0,64}(?:token|secret|password|passphrase|api_?key)[\w.-]{0,24}["'],\s{0,3})(?:"[^"]{1,2000}"|'[^']{1,2000}')/gi;

/** A secret name of YAML up to the block scalar that is its value. */
const block =
  /(?:token|secret|passw(?:or)?d|passphrase|pass|credentials?|key)[\w.-]{0,24}["']?:[ \t]{0,3}[|>][-+\d]{0,2}[ \t]{0,3}\n/gi;

/** The mapping that only Secrets have. */
const stringData = /stringData["']?:[ \t]{0,3}\n/g;

/** `auth` of a Docker configuration and `_auth` of .npmrc. Alone, `auth:` needs a value that is base64. */
const dockerAuth =
  /(["']auth["']\s{0,3}:\s{0,3}|\b_auth\s{0,3}=\s{0,3}|\.dockerc\w{1,20}["']?\s{0,3}[:=]\s{0,3})("[^"]{1,4000}(?:"|$)|[\w+/=-]{4,4000})/g;
const bareAuth = /(\bauth\s{0,3}[:=]\s{0,3})[A-Za-z0-9+/]{8,4000}={0,2}/g;

const longNames: NamedValue = {
  head: named,
  mayHold: mayHoldSecret,
  isSecret: isNamedSecret,
  isOfLine: isOnItsLine,
};
const shortNames: NamedValue = {
  head: shortNamed,
  mayHold: (match) => !isPublic(match),
  isSecret: (value, match) => !isNothing(value) && !tellsOfPass(value, match),
  isOfLine: isOnItsLine,
};

/** Values that stand behind a name which says that they are secret. */
export const namedValues: readonly Finder[] = [
  { words, find: (text) => valuesBehind(text, longNames) },
  { words: shortWords, find: (text) => valuesBehind(text, shortNames) },
  { words: ['passw', 'passphrase', 'identified '], find: (text) => [...text.matchAll(spoken)].map(spokenSpan) },
  { words: ['passw'], find: (text) => spansBehind(text, bare) },
  { words: ['api key', 'token', 'passw', 'passp', ' key'], find: (text) => spansBehind(text, toldOf, isAnything) },
  {
    words: ['key=', 'code=', 'otp=', 'assertion=', 'pw=', 'auth=', 'hmac=', 'jwt='],
    find: (text) => spansBehind(text, parameter, (value) => !/^\d{1,3}:?$/.test(value) && isAnything(value)),
  },
  {
    words: ['token', 'secret', 'passw', 'passphrase', 'key', 'credential'],
    find: (text) => spansBehind(text, element),
  },
  { words: ['token', 'secret', 'passw', 'passphrase', 'key'], find: (text) => spansBehind(text, argument) },
  { words: ['|\n', '>\n', '|-', '>-', '|+', '>+'], find: (text) => blocksOf(text, block) },
  { words: ['stringdata'], find: (text) => blocksOf(text, stringData) },
  {
    words: ['auth', '.dockerc'],
    find: (text) => [...spansBehind(text, dockerAuth), ...spansBehind(text, bareAuth, isBase64)],
  },
];

/** True if a name alone says that its value is secret: DB_PASSWORD, api-key; not secretName. */
export function isSecretName(name: string): boolean {
  return secretName.test(name) && !namesThing.test(name);
}

const secretName = /token|secret|passw(?:or)?d|passphrase|pwd|credential|creds|(?:^|[_.-])pass$|dsn$|[a-z]_?key$/i;

/** Ends of names whose value only names or tells about a secret: secretName, tokenFile, password_ttl. */
const namesThing =
  /(?:names?|refs?|files?|paths?|dir|mount|types?|kind|ttl|class|store|namespace|provider|versions?|count|length|size|age|expir\w*|expires?_?(?:in|at)|ur[li]|endpoint|issuer|audiences?|polic(?:y|ies)|reviews?|requests?|lookup|generator|engine|backend|controller|operator|manager|role|required|enabled|disabled|\.(?:ya?ml|json|toml|tpl|tf|go|pem|crt))$/i;

/** Words with which a sentence goes on behind a colon: "invalid password: must be longer". */
const said =
  /^(?:a|an|and|any|are|at|but|can|cannot|could|denied|does|either|empty|error|errors|exactly|exceeded|expected|expired|failed|failure|forbidden|found|from|has|have|in|incorrect|internal|invalid|is|it|malformed|may|mismatch|missing|more|must|neither|no|nor|not|of|on|only|or|required|secret|secrets|should|the|timeout|to|too|unable|unauthorized|unauthenticated|unexpected|unknown|unsupported|was|were|will|wrong|you|your)\W*$/i;

/** Not behind the name of something that only tells of a secret; an object called secret may be a reference to one. */
function mayHoldSecret(match: RegExpExecArray, first: string): boolean {
  const [, name = '', tail = ''] = match;
  return !namesThing.test(tail) && !isInArn(match) && !(/[[{]/.test(first) && /^secret/i.test(name));
}

function isNamedSecret(value: string, match: RegExpExecArray): boolean {
  const [whole, ahead = '', , between = ''] = match;
  if (isNothing(value)) return false;
  if (/^["'`[{(<]/.test(value)) return true;
  const isPassword = /^(?:pass|pwd|kennwort)/i.test(ahead);
  if (!isPassword && /^\d{1,4}:?$/.test(value)) return false;
  if (between.includes('=')) return true;
  if (said.test(value)) return false;
  const following = match.input.slice(match.index + whole.length + value.length);
  return isPassword || !/\s$/.test(between) || !goesOn(value, following);
}

function isAnything(value: string): boolean {
  return !isNothing(value);
}

const longestAhead = 160;

/** A name at the beginning of a line of YAML or of an environment: `passphrase: several words`, `DB_PASSWORD=several words`. */
function isOnItsLine({ 0: whole, index, input }: RegExpExecArray): boolean {
  const ahead = input.slice(Math.max(0, index - longestAhead), index);
  const line = ahead.slice(ahead.lastIndexOf('\n') + 1);
  if (line.length === longestAhead || !/^[ \t]*(?:- |export )?[\w.-]*$/.test(line)) return false;
  const name = line + whole;
  if (/^\s*(?:export )?[A-Z][A-Z0-9_]*=$/.test(name)) return true;
  return /:\s/.test(whole) && (/pass|pwd/i.test(name) || isBesideYaml(input, index));
}

/** True if a line beside the one of an offset is a pair of YAML. */
function isBesideYaml(text: string, index: number): boolean {
  const before =
    text
      .slice(Math.max(0, index - longestAhead * 2), index)
      .split('\n')
      .at(-2) ?? '';
  const behind = text.slice(index, index + longestAhead * 2).split('\n')[1] ?? '';
  return [before, behind].some((line) => /^[ \t]*[\w.-]{1,64}:(?:\s|$)/.test(line));
}

/** True of the beginning of a sentence or of a further error (`token: oauth2: ...`), and of a path. */
function goesOn(value: string, following: string): boolean {
  if (/^\w+:$/.test(value)) return /^\s/.test(following);
  if (/^[a-z][a-z-]*(?:\/[a-z\d-]+)+$/.test(value)) return true;
  return /^[A-Za-z][a-z]*$/.test(value) && /^[ \t]["'/\w(]/.test(following);
}

/** `arn:aws:secretsmanager:eu-west-3:123456789012:secret:orders` names one. */
function isInArn({ input, index }: RegExpExecArray): boolean {
  return /\barn:[\w:/.-]{1,120}$/.test(input.slice(Math.max(0, index - 128), index));
}

function isNothing(value: string): boolean {
  const unquoted = value.replace(/^["'`]|["'`]$/g, '');
  if (/^\$\{[\w.]+\}$|^\$\(?[A-Z][A-Z0-9_]*\)?$/.test(unquoted)) return true;
  return /^(?:true|false|null|nil|none|undefined|unset|[<(](?:nil|null|none|empty|sensitive|redacted|hidden|unset|unknown)[>)]|\[redacted\]|\[\]|\{\})?$|^\*+$|^(?:bearer|basic)$/i.test(
    unquoted,
  );
}

/** "pass: 12" counts, "a new pass: busy" tells. */
function tellsOfPass(value: string, match: RegExpExecArray): boolean {
  if (/^pass\W*:\s+$/i.test(match[0]) && /^[A-Za-z][a-z]*$/.test(value)) return true;
  return /^pass/i.test(match[0]) && /^\d{1,3}$/.test(value);
}

/** PUBLIC_KEY and the like are for all to see. */
function isPublic({ index, input }: RegExpExecArray): boolean {
  return /(?:PUBLIC|PUB|CACHE|SORT|PARTITION|PRIMARY|FOREIGN|ROUTING|GROUP|INDEX|MAP)_$/.test(
    input.slice(Math.max(0, index - 16), index),
  );
}

function isBase64(value: string): boolean {
  return /[a-z]/.test(value) && /[A-Z]/.test(value) && /[0-9=]/.test(value);
}

function spokenSpan(match: RegExpExecArray): Span {
  const ahead = match[1] ?? match[3] ?? '';
  return secretSpan(match.index + ahead.length, match.index + match[0].length);
}

/** The lines behind each head: all that are indented as deep as the first one. */
function blocksOf(text: string, head: RegExp): readonly Span[] {
  const spans: Span[] = [];
  let done = 0;
  for (const match of text.matchAll(head)) {
    const from = match.index + match[0].length;
    const depth = depthAt(text, from);
    if (match.index < done || depth <= depthAt(text, text.lastIndexOf('\n', match.index) + 1)) continue;
    let to = from;
    while (to < text.length && (depthAt(text, to) >= depth || text.charAt(to) === '\n')) to = endOfLine(text, to);
    spans.push(secretSpan(from + depth, text.charAt(to - 1) === '\n' ? to - 1 : to));
    done = to;
  }
  return spans;
}

function depthAt(text: string, line: number): number {
  let index = line;
  while (text.charAt(index) === ' ' || text.charAt(index) === '\t') index += 1;
  return index - line;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end + 1;
}
