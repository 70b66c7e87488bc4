import { secretSpan, spansBehind, type Finder, type Span } from './span.ts';

/** From :// to the last @ of an authority, which ends at a space or control, " # ' / < > ? \ or `. */
const userInfo = /(:\/\/)[^[\p{Cc}--[\x7f-\x9f]] "#'\/<>?\\`]*@/gv;

/**
 * The same where the password was not encoded and holds # / or ?, so that an authority ends within it: there is no @ before, and
 * what follows the colon is no port with a path or query behind it.
 */
const rawPassword = /(:\/\/)[^\s:@"'<>/`?#]{0,128}:(?!\d*(?:[/?\s]|$))[^\s"<>`@/?#]{0,128}[/?#][^\s"<>`]{0,256}@/g;

/** The same with a space, < or quote in it: at most three words, none of which is a port. */
const wordsAsPassword =
  /(:\/\/)[\w.+%-]{1,64}:(?!\d{1,5}(?:["'/?#\s]|$))[^\s"@]{1,64}(?: [^\s"@]{1,64}){0,2}@(?=[\w[])/g;

/** `root:password@tcp(db:3306)/app` and `root:password@/app`, whatever is in the password. */
const dataSource = /(?<![\w.+-])[\w.+-]{1,64}:[^\s"@]{1,128}@(?=(?:tcp|udp|unix)\d?\(|\/\w)/g;

/** `bot@example.org:password@host`: the name is that of a mailbox. */
const mailbox = /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}:[^\s"'<>@/`,()]{1,128}@(?=[\w[])/g;

/** `bot:password@host` without a scheme, also behind //, and DSNs such as `root:password@tcp(db:3306)/app`. */
const withoutScheme =
  /(?<![\w.:@+-]|[^/]\/|^\/|:\/\/)[\w.+-]{1,64}:[^\s"'<>@/`,()]{1,128}(?:@[^\s:"'<>@/`,()]{1,64}){0,3}@(?=[\w[(])/g;

/** `jdbc:oracle:thin:user/password@//host`. */
const oracle = /(\bjdbc:oracle:\w{1,8}:[^\s/@]{1,64}\/)[^\s@]{1,128}(?=@)/gi;

/** A part of the password, as net/url of Go says it of `https://user:pass#word@host`. */
const invalidPort = /(invalid port ":)[^"\s]{1,256}/g;

/** `host:5432:database:user:password`, a line of .pgpass. */
const passwordFileLine = /((?<![\w.:-])[\w.*-]{1,253}:(?:5432|\*):[\w*-]{1,63}:[\w*-]{1,63}:)[^\s:]{1,128}/g;

/** User information of addresses: `https://bot:password@host` becomes `https://host`, `bot:password@host` `[redacted]@host`. */
export const addresses: readonly Finder[] = [
  { words: ['://'], find: (text) => (text.includes('@') ? userInfoOf(text) : []) },
  { words: [], find: (text) => (text.includes('@') ? withoutSchemeOf(text) : []) },
  { words: ['jdbc:oracle'], find: (text) => spansBehind(text, oracle) },
  { words: ['invalid port'], find: (text) => spansBehind(text, invalidPort, (value) => !/^\d+$/.test(value)) },
  { words: [':5432:', ':*:'], find: (text) => spansBehind(text, passwordFileLine) },
];

function userInfoOf(text: string): readonly Span[] {
  return [...spansBehind(text, userInfo), ...spansBehind(text, rawPassword), ...spansBehind(text, wordsAsPassword)].map(
    ({ from, to }) => ({
      from,
      to,
      instead: '',
    }),
  );
}

function withoutSchemeOf(text: string): readonly Span[] {
  return [withoutScheme, dataSource, mailbox]
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .filter((match) => isUserAndPassword(match[0], text.slice(match.index + match[0].length)))
    .map((match) => secretSpan(match.index, match.index + match[0].length - 1));
}

/** Neither a time on a node (`10:30@node-1`) nor an image by tag and digest (`app:v1@sha256:...`) nor a service account. */
function isUserAndPassword(found: string, host: string): boolean {
  return !/^[\d.:TZ+-]+@$/.test(found) && !/^(?:sha\d+:|mailto:|system:)/i.test(found) && !/^sha\d+:/i.test(host);
}
