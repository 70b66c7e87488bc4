import { createHash } from 'node:crypto';
import type { BuildPath, SourceRules } from '#lib/domain/commit/build-path.ts';

/**
 * A longer text stands in keys by its digest (UTF-16 units). The rules of one source stand in the key of everything that is built from it, and one
 * cluster may build fifty thousand things from one source.
 */
const longest = 512;

/** Digests by the list itself: all that is built from one source has the same. */
const digests = new WeakMap<readonly string[], string | readonly string[]>();

/** A text that is the same for equal builds, and for no others; of a thousand characters at most, but for that of a path alone. */
export function buildKey(build: BuildPath): string {
  if (typeof build !== 'string') {
    const { path, components, ignore, sparse } = build;
    return shortened(JSON.stringify([path, components, ignore, ...(sparse === undefined ? [] : [shortList(sparse)])]));
  }
  // A path alone may be spelled as the key of another build.
  return /^[[#]/.test(build) ? JSON.stringify([build]) : build;
}

const keys = new WeakMap<SourceRules, string>();

/** A text that is the same for equal rules, and for no others. */
export function rulesKey(rules: SourceRules): string {
  const known = keys.get(rules);
  if (known !== undefined) return known;
  const { ignore, sparse } = rules;
  const made = sparse === undefined ? (ignore ?? '\n') : `\n${JSON.stringify([ignore, shortList(sparse)])}`;
  keys.set(rules, made);
  return made;
}

/** The list itself, or, where it is long, a text that no other list has. */
function shortList(list: readonly string[] | null): string | readonly string[] | null {
  if (list === null) return null;
  const known = digests.get(list);
  if (known !== undefined) return known;
  const text = JSON.stringify(list);
  const made = text.length > longest ? digestOf(text) : list;
  digests.set(list, made);
  return made;
}

function shortened(text: string): string {
  return text.length > longest ? digestOf(text) : text;
}

function digestOf(text: string): string {
  return `#${createHash('sha256').update(text).digest('base64url')}`;
}
