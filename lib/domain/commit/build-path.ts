/**
 * A path of a repository that something builds from: alone, or with what is said beside it.
 */
export type BuildPath =
  | string
  | {
      readonly path: string;
      /** Paths of kustomize components that are added to what is built, relative to the path. */
      readonly components: readonly string[];
      /** Rules by which its source leaves files out, beside those that the repository holds itself; '' for none. null: not known. */
      readonly ignore: string | null;
    };

/** Words of an object on what is built, beside a path. */
export interface BuildWords {
  /** Of a Kustomization: paths of kustomize components, as they are, relative to its own (spec.components). null: not known. */
  readonly components: readonly string[] | null;
  /** Of a GitRepository: rules by which it leaves files out of its artifact, as they are; '' for none (spec.ignore). null: not known. */
  readonly ignore: string | null;
}

/** A path with what is said beside it; the path alone where that is nothing. */
export function buildPath(path: string, components: readonly string[], ignore: string | null): BuildPath {
  return components.length === 0 && ignore === null ? path : { path, components, ignore };
}

/** The path alone. */
export function pathOfBuild(build: BuildPath): string {
  return typeof build === 'string' ? build : build.path;
}

/** Paths of components, relative to the path. */
export function componentsOfBuild(build: BuildPath): readonly string[] {
  return typeof build === 'string' ? [] : build.components;
}

/** The rules of its source; null where they are not known. */
export function ignoreOfBuild(build: BuildPath): string | null {
  return typeof build === 'string' ? null : build.ignore;
}

/** A text that is the same for equal builds, and for no others. */
export function buildKey(build: BuildPath): string {
  if (typeof build !== 'string') return JSON.stringify([build.path, build.components, build.ignore]);
  // A path alone may be spelled as the key of another build.
  return build.startsWith('[') ? JSON.stringify([build]) : build;
}
