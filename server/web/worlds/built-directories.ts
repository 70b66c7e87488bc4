import { commitOf } from '#lib/domain/observation/revision.ts';
import { withoutEnd } from '#lib/domain/observation/without-end.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import type { Comparison } from '#server/git/port/shapes.ts';

/** Directories of a repository from which something that is seen is built: relative to its root, '' for the root. */
export type BuiltDirectories = ReadonlySet<string>;

/** The directories from which these objects are built, as they name them. */
export function builtDirectories(objects: readonly { readonly path: string | null }[]): BuiltDirectories {
  return new Set(objects.flatMap(({ path }) => (path === null ? [] : plainDirectory(path))));
}

/** Directories that objects name, each with the commits that are known of these: whoever may write an object may name any directory. */
export type NamedDirectories = ReadonlyMap<string, ReadonlySet<string>>;

/** The directories that these objects name. */
export function namedDirectories(
  objects: readonly Pick<CurrentObject, 'path' | 'commit' | 'revision' | 'source'>[],
): NamedDirectories {
  const found = new Map<string, Set<string>>();
  for (const object of objects) {
    if (object.path === null) continue;
    const directory = plainDirectory(object.path);
    const commits = found.get(directory) ?? new Set();
    found.set(directory, commits);
    const { revision, source } = object;
    const known = [
      object.commit,
      ...[revision.offered, revision.attempted].map((one) => commitOf(one, source?.kind ?? null)),
    ];
    for (const commit of known) if (commit !== null) commits.add(commit);
  }
  return found;
}

function plainDirectory(path: string): string {
  return withoutEnd(path.replace(/^(?:\.?\/)+|^\.$/, ''), '/');
}

/** True for a directory, and whatever lies in it. */
function liesIn(path: string, directory: string): boolean {
  return directory === '' || path === directory || path.startsWith(`${directory}/`);
}

/** True for a path that lies in one of these: as it is written, and never by way of what lies beside it. */
export function isBuilt(path: string, built: BuiltDirectories): boolean {
  return isPlain(path) && ['', ...ancestors(path)].some((directory) => built.has(directory));
}

/** True for a directory that lies in one of these, or holds one. */
export function touchesBuilt(path: string, built: BuiltDirectories): boolean {
  return isBuilt(path, built) || (isPlain(path) && built.values().some((directory) => liesIn(directory, path)));
}

/** A comparison of those files alone of which no side lies outside. */
export function comparisonWithin(compared: Comparison, built: BuiltDirectories): Comparison {
  const { left, right } = compared;
  if (isBuilt(left.path, built) && isBuilt(right.path, built)) return compared;
  const sees = (directory: string, file: string): boolean =>
    isBuilt(directory === '' ? file : `${directory}/${file}`, built);
  const files = compared.files.filter(({ path, status }) => {
    switch (status) {
      case 'left-only':
        return sees(left.path, path);
      case 'right-only':
        return sees(right.path, path);
      case 'equal':
      case 'different':
        return sees(left.path, path) && sees(right.path, path);
    }
  });
  const count = (asked: Comparison['files'][number]['status']): number =>
    files.filter(({ status }) => status === asked).length;
  const counts = {
    equal: count('equal'),
    different: count('different'),
    leftOnly: count('left-only'),
    rightOnly: count('right-only'),
  };
  return { ...compared, files, counts };
}

function isPlain(path: string): boolean {
  return path === '' || path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

/** A path, and every directory above it but the root. */
function ancestors(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
