import { literal, globSegment, matchesGlob, matchesTokens, type Glob, type Spend, type Token } from './pattern.ts';

/** True if a pattern is about a path, given whole and by its segments. */
export type PathRule = (path: string, segments: readonly string[], spend: Spend) => boolean;

/**
 * A pattern of GitHub's and Bitbucket's CODEOWNERS: that of .gitignore without `!`, `[ ]` and `\#`; what ends in `/*` is about the files of
 * a directory, not about those beneath. null: it is none.
 */
export function gitignoreRule(pattern: string): PathRule | null {
  if (/^!|[[\]]/.test(pattern)) return null;
  const inner = pattern.replace(/\/$/, '');
  const segments = inner.split('/').filter((segment) => segment !== '');
  if (segments.length === 0) return null;
  const head = globOf(inner.includes('/') ? segments : ['**', ...segments], false);
  if (head === null) return null;
  const any: readonly Token[] = [{ matches: () => true, times: 'any' }];
  if (pattern.endsWith('/')) return globRule([...head, null, any]);
  const isFlat = segments.at(-1) === '*' && inner.includes('/');
  return globRule(isFlat ? head : [...head, null]);
}

/** A pattern of GitLab's: File.fnmatch of the whole path. null: it is none. */
export function gitlabRule(pattern: string): PathRule | null {
  const segments = pattern.split('/').filter((segment) => segment !== '');
  if (segments.length === 0 && pattern !== '/') return null;
  const front = pattern.startsWith('/') ? [] : ['**'];
  const back = pattern.endsWith('/') ? ['**', '*'] : [];
  const glob = globOf([...front, ...segments, ...back], true);
  return glob === null ? null : globRule(glob);
}

/**
 * A pattern of Gitea's and Forgejo's: a regular expression of the whole path, of which is understood what names paths: characters, `\.`,
 * `.`, `[^/]`, each with `*` or `+`. null: it is another one.
 */
export function giteaRule(pattern: string): PathRule | null {
  const isNot = pattern.startsWith('!');
  const tokens = regularTokens(isNot ? pattern.slice(1) : pattern);
  return tokens === null ? null : (path, _, spend) => matchesTokens(tokens, path, spend) !== isNot;
}

function globRule(glob: Glob): PathRule {
  return (_, segments, spend) => matchesGlob(glob, segments, spend);
}

function globOf(segments: readonly string[], ranges: boolean): Glob | null {
  const glob: (readonly Token[] | null)[] = [];
  for (const [number, segment] of segments.entries()) {
    const isMany = segment === '**' && (number < segments.length - 1 || !ranges);
    const tokens = isMany ? null : globSegment(segment, ranges);
    if (tokens === null && !isMany) return null;
    glob.push(tokens);
  }
  return glob;
}

const special = new Set(Array.from('*+?()|[]{}^$\\'));

function regularTokens(pattern: string): readonly Token[] | null {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length;) {
    const [token, length] = atom(pattern, at) ?? [null, 0];
    if (token === null) return null;
    at += length;
    const times = pattern[at] === '*' ? 'any' : pattern[at] === '+' ? 'some' : 'once';
    tokens.push({ ...token, times });
    if (times !== 'once') at += 1;
  }
  return tokens;
}

function atom(pattern: string, at: number): readonly [Token, number] | null {
  const character = pattern[at] ?? '';
  if (pattern.startsWith('[^/]', at)) return [{ matches: (other) => other !== '/', times: 'once' }, 4];
  if (character === '.') return [{ matches: () => true, times: 'once' }, 1];
  const next = pattern[at + 1];
  if (character === '\\') return next === undefined || /[A-Za-z0-9]/.test(next) ? null : [literal(next), 2];
  return special.has(character) ? null : [literal(character), 1];
}
