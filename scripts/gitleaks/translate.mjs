/** Most characters that an open-ended repetition (`+`, `*`, `{20,}`) may take beyond its least: keeps a rule linear. */
const mostBeyond = 400;

/** Ends of a rule that ask what follows the secret. Here a secret ends where its word ends, whatever follows. */
const followers = [
  String.raw`(?:[\x60'"\s;]|\\[nr]|$|\b)`,
  String.raw`(?:[\x60'"\s;]|\\[nr]|$)`,
  String.raw`(?:$|[\\'"\x60\s<),])`,
  String.raw`(?:[^\w-]|\z)`,
  String.raw`(?:[^a-zA-Z0-9+/]|\z)`,
];

/** A leading group that asks what precedes the secret becomes a look behind, so that the match is the secret alone. */
const predecessor = String.raw`(?:^|[\\'"\x60\s>=:(,)])`;

/**
 * Gives a pattern of Go's RE2 as the source and the flags of a regular expression of JavaScript whose whole match is the secret.
 * It may find more than the pattern did (what follows is not asked, and a part that minds case no longer does where the rest does
 * not), never less; every repetition has an end. Throws where the pattern has syntax that is not known here.
 */
export function translate(pattern) {
  const anyCase = pattern.startsWith('(?i)');
  const bare = withoutFollower(anyCase ? pattern.slice(4) : pattern);
  const source = bare.startsWith(predecessor)
    ? `(?<=${predecessor.slice(3, -1)})${translated(bare.slice(predecessor.length), anyCase)}`
    : translated(bare, anyCase);
  return { source, flags: anyCase ? 'gi' : 'g' };
}

function withoutFollower(pattern) {
  const follower = followers.find((end) => pattern.endsWith(end));
  return follower === undefined ? pattern : pattern.slice(0, -follower.length);
}

/** Reads token by token. A group remembers how it was before it, as `(?i)` holds up to the end of the group in which it stands. */
function translated(pattern, anyCase) {
  const tokens =
    pattern.match(
      /\(\?-?i\)|\(\?-?i:|\(\?:|\(\?|\[(?:\[:\w+:\]|\\[\s\S]|[^\]\\])+\]|\{\d+(?:,\d*)?\}|\\[\s\S]|[\s\S]/g,
    ) ?? [];
  const outer = [];
  let eitherCase = false;
  let written = '';
  for (const token of tokens) {
    if (token === '(?') throw new Error(`a group of unknown kind in ${pattern}`);
    if (token === '(?i)') eitherCase = !anyCase;
    else if (token.startsWith('(')) {
      outer.push(eitherCase);
      if (token === '(?i:') eitherCase = !anyCase;
      else if (token === '(?-i:') eitherCase = false;
      written += '(?:';
    } else if (token === ')') {
      eitherCase = outer.pop();
      written += token;
    } else written += plain(token, eitherCase);
  }
  return written;
}

function plain(token, eitherCase) {
  if (token === '+') return `{1,${mostBeyond}}`;
  if (token === '*') return `{0,${mostBeyond}}`;
  const open = /^\{(\d+),\}$/.exec(token);
  if (open !== null) return `{${open[1]},${Number(open[1]) + mostBeyond}}`;
  if (token === '\\z') return '$';
  if (token === '/') return String.raw`\/`;
  if (token.startsWith('[')) return classOf(token, eitherCase);
  if (/^\\[-#:"]$/.test(token)) return token.slice(1);
  if (eitherCase && /^[a-z]$/i.test(token)) return `[${token.toLowerCase()}${token.toUpperCase()}]`;
  return token;
}

function classOf(token, eitherCase) {
  const inner = token
    .slice(1, -1)
    .replaceAll('[:alnum:]', 'a-zA-Z0-9')
    .replaceAll(/\\([./+=|])/g, '$1');
  if (inner.includes('[:')) throw new Error(`a class of unknown kind in ${token}`);
  const dash = /\\-|-$/.test(inner) ? '-' : '';
  const plainInner = inner.replaceAll(/\\-|-$/g, '');
  const letters = plainInner.replaceAll(/\\./g, '').match(/[a-z]-[a-z]|[a-z]/gi) ?? [];
  const others = letters.map((part) => (part === part.toLowerCase() ? part.toUpperCase() : part.toLowerCase()));
  const added = eitherCase ? others.filter((part) => !plainInner.includes(part)) : [];
  return `[${plainInner}${added.join('')}${dash}]`;
}
