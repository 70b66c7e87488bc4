import { compareText } from '../observation/compare-text.ts';

/** Two directories of a repository that are the same thing in two environments. Paths are relative to its root. */
export interface DirectoryPair {
  readonly left: string;
  readonly right: string;
}

/** A pair that somebody has named. */
export interface NamedPair extends DirectoryPair {
  /** Address of the repository that it is of; null: of whichever is shown. */
  readonly repository: string | null;
}

/** Pairs that are found, at most 100; `more`: there are others. */
export interface FoundPairs {
  readonly pairs: readonly DirectoryPair[];
  readonly more: boolean;
}

const mostPairs = 100;

/** Words that name an environment wherever they are a segment of a path, the one that others are held against first. */
const environmentWords = ['production', 'prod', 'staging', 'stage', 'qa', 'test', 'development', 'dev'];

/**
 * Pairs among the directories that a fleet is built from, and those above them: two of one parent whose names each say a place, which is
 * one of `places` (clusters, environments by their label) or a usual word for an environment. Of several, the first is paired with each
 * other: production before all, then by name. docs/git.md
 */
export function pairsOf(paths: readonly string[], places: readonly string[]): FoundPairs {
  const known = new Set([...environmentWords, ...places]);
  const siblings = new Map<string, Set<string>>();
  for (const path of new Set(paths)) {
    const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
    for (const [at, name] of segments.entries()) {
      if (!known.has(name)) continue;
      const parent = segments.slice(0, at).join('/');
      siblings.set(parent, (siblings.get(parent) ?? new Set()).add(name));
    }
  }
  const pairs = [...siblings]
    .toSorted(([a], [b]) => compareText(a, b))
    .flatMap(([parent, names]) => pairsIn(parent, [...names]));
  return { pairs: pairs.slice(0, mostPairs), more: pairs.length > mostPairs };
}

function pairsIn(parent: string, names: readonly string[]): readonly DirectoryPair[] {
  const [first, ...others] = names
    .toSorted((a, b) => rank(a) - rank(b) || compareText(a, b))
    .map((name) => (parent === '' ? name : `${parent}/${name}`));
  return first === undefined ? [] : others.map((right) => ({ left: first, right }));
}

function rank(name: string): number {
  const at = environmentWords.indexOf(name);
  return at < 0 ? environmentWords.length : at;
}
