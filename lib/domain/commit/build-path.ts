import { compareText } from '../observation/compare-text.ts';
import { withoutEnd } from '../../text/without-end.ts';

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
      /** Beginnings of the paths of the files that its source holds alone; absent where it holds them all. null: not known. */
      readonly sparse?: readonly string[] | null | undefined;
    };

/** Words of an object on what is built, beside a path. */
export interface BuildWords {
  /** Of a Kustomization: paths of kustomize components, as they are, relative to its own (spec.components). null: not known. */
  readonly components: readonly string[] | null;
  /** Of a GitRepository: rules by which it leaves files out of its artifact, as they are; '' for none (spec.ignore). null: not known. */
  readonly ignore: string | null;
  /**
   * Of a GitRepository: beginnings of the paths of the files that it holds alone, as they are but for one leading "./"; none where it holds
   * them all (spec.sparseCheckout). null: not known.
   */
  readonly sparse: readonly string[] | null;
}

/** Rules of a source on which files of the repository its artifact holds; see `BuildWords`. */
export interface SourceRules {
  readonly ignore: string | null;
  readonly sparse?: readonly string[] | null | undefined;
}

/** A path with what is said beside it; the path alone where that is nothing. */
export function buildPath(
  path: string,
  components: readonly string[],
  { ignore, sparse }: Omit<BuildWords, 'components'>,
): BuildPath {
  if (sparse === null || sparse.length > 0) return { path, components, ignore, sparse };
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

const noRules: SourceRules = { ignore: null };

/** The rules of its source. */
export function sourceRulesOf(build: BuildPath): SourceRules {
  return typeof build === 'string' ? noRules : build;
}

/**
 * True if a source holds a file: its path begins with one of the texts, letter by letter, whatever directories are. So go-git has it, by which
 * source-controller checks out (Index.SkipUnless): "apps/eu" holds apps/eu-west/a.yaml too, and no file of a directory above it.
 */
export function holdsFile(sparse: readonly string[], file: string): boolean {
  const beginnings = inOrder(sparse);
  let [low, high] = [0, beginnings.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((beginnings[middle] ?? '') <= file) low = middle + 1;
    else high = middle;
  }
  return low > 0 && file.startsWith(beginnings[low - 1] ?? '');
}

const ordered = new WeakMap<readonly string[], readonly string[]>();

/**
 * Beginnings in their order, without those that begin with another one: only the last of them that comes before a path can begin it. A commit may
 * change a hundred thousand files, and a source name 256 beginnings.
 */
function inOrder(sparse: readonly string[]): readonly string[] {
  const known = ordered.get(sparse);
  if (known !== undefined) return known;
  const made: string[] = [];
  for (const each of sparse.toSorted(compareText)) {
    const last = made.at(-1);
    if (last === undefined || !each.startsWith(last)) made.push(each);
  }
  ordered.set(sparse, made);
  return made;
}

/** True if a source is known to hold all that is beneath a path. */
export function holdsPath({ sparse }: Pick<BuildWords, 'sparse'>, path: string): boolean {
  if (sparse === null) return false;
  const directory = withoutEnd(path.replace(/^(?:\.?\/)+/, ''), '/');
  return sparse.length === 0 || holdsFile(sparse, directory === '' ? '' : `${directory}/`);
}
