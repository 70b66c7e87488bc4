/**
 * A path of a repository that something builds from: alone, or with the rules by which its source leaves files out beside those that the
 * repository holds itself ('' for none). Of a path alone these are not known.
 */
export type BuildPath = string | { readonly path: string; readonly ignore: string };

/** Words of an object on what is built, beside a path. */
export interface BuildWords {
  /** Of a GitRepository: rules by which it leaves files out of its artifact (spec.ignore), as they are; '' for none. null: not known. */
  readonly ignore: string | null;
}

/** The path alone. */
export function pathOfBuild(build: BuildPath): string {
  return typeof build === 'string' ? build : build.path;
}

/** The rules of its source; null where they are not known. */
export function ignoreOfBuild(build: BuildPath): string | null {
  return typeof build === 'string' ? null : build.ignore;
}

/** A text that is the same for equal builds, and for no others. */
export function buildKey(build: BuildPath): string {
  return typeof build === 'string' ? build : JSON.stringify([build.path, build.ignore]);
}
