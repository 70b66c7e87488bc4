import { withoutEnd } from '#lib/text/without-end.ts';
import type { Comparison } from '#server/git/port/shapes.ts';

/** Directories of a repository from which something that is seen is built: relative to its root, '' for the root. */
export type BuiltDirectories = ReadonlySet<string>;

/** The directories from which these objects are built. */
export function builtDirectories(objects: readonly { readonly path: string | null }[]): BuiltDirectories {
  return new Set(
    objects.flatMap(({ path }) => (path === null ? [] : withoutEnd(path.replace(/^(?:\.?\/)+|^\.$/, ''), '/'))),
  );
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
