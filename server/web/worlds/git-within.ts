import { repositoryKey } from '#lib/git-host/repository-key.ts';
import type { GitReader, Told } from '#server/git/port/git-reader.ts';
import {
  type BuiltDirectories,
  comparisonWithin,
  isBuilt,
  type NamedDirectories,
  touchesBuilt,
} from './built-directories.ts';
import { provenDirectories } from './proven-directories.ts';

/** One decision for each question: a new one is answered to nobody before it has its own. */
type Decided = { readonly [Method in keyof GitReader]-?: GitReader[Method] };

const unknown = {
  type: 'not-told',
  reason:
    'Its repository is not mirrored, or not read yet, or holds no commit that something in your view runs or is offered.',
} as const;

const beside = { type: 'not-told', reason: 'Nothing in your view is built from there.' } as const;

/**
 * Answers about the repositories of these keys alone, and of these about those from which something is proven to be built: of all others as of
 * such that are not mirrored. What stands in their files is told of the directories from which something that is seen is built: one repository may
 * hold what belongs to many.
 */
export function gitWithin(
  git: GitReader,
  named: () => ReadonlyMap<string, NamedDirectories>,
  now: () => number,
): GitReader {
  const proven = provenDirectories(git, now);

  /** The directories of a repository; null where nothing is proven to be built from it. */
  async function builtFrom(key: string): Promise<BuiltDirectories | null> {
    const directories = named().get(key);
    if (directories === undefined) return null;
    const built = await proven(key, directories);
    return built.size === 0 ? null : built;
  }

  async function of<Answer>(
    repository: string,
    ask: (directories: BuiltDirectories) => Promise<Told<Answer>>,
  ): Promise<Told<Answer>> {
    const directories = await builtFrom(repositoryKey(repository));
    return directories === null ? unknown : ask(directories);
  }

  async function seen<Item>(list: readonly Item[], isSeen: (item: Item) => Promise<boolean>): Promise<readonly Item[]> {
    const is = await Promise.all(list.map(isSeen));
    return list.filter((_, index) => is[index] === true);
  }

  const decided: Decided = {
    async repositories() {
      const told = await git.repositories();
      if (told.type === 'not-told') return told;
      // Of one that was never read nothing is known that could be told.
      const answer = await seen(told.answer, async ({ key, fetchedAt }) =>
        fetchedAt === null ? named().has(key) : (await builtFrom(key)) !== null,
      );
      return { ...told, answer };
    },
    // Who sees the whole fleet says what is wanted.
    want: () => Promise.resolve(),
    async find(digits) {
      const told = await git.find(digits);
      if (told.type === 'not-told') return told;
      return {
        ...told,
        answer: await seen(told.answer, async ({ repository }) => (await builtFrom(repository)) !== null),
      };
    },
    commits: (repository, shas) => of(repository, () => git.commits(repository, shas)),
    log: (repository, page) => of(repository, () => git.log(repository, page)),
    between: (repository, ranges) => of(repository, () => git.between(repository, ranges)),
    distances: (repository, ranges) => of(repository, () => git.distances(repository, ranges)),
    touches: (repository, sha, paths) => of(repository, () => git.touches(repository, sha, paths)),
    contain: (repository, sha, commits) => of(repository, () => git.contain(repository, sha, commits)),
    onBranch: (repository, pairs) => of(repository, () => git.onBranch(repository, pairs)),
    files: (repository, sha) => of(repository, () => git.files(repository, sha)),
    closure: (repository, build) => of(repository, () => git.closure(repository, build)),
    builtFrom: (repository, at, asked) => of(repository, () => git.builtFrom(repository, at, asked)),
    compare: (repository, left, right) =>
      of(repository, async (directories) => {
        const told = await git.compare(repository, left, right);
        if (told.type === 'not-told') return told;
        const { answer } = told;
        if (![answer.left, answer.right].every(({ path }) => touchesBuilt(path, directories))) return beside;
        return { ...told, answer: comparisonWithin(answer, directories) };
      }),
    diff: (repository, left, right) =>
      of(repository, async (directories) =>
        [left, right].every(({ path }) => isBuilt(path, directories)) ? git.diff(repository, left, right) : beside,
      ),
    owners: (repository, at, paths) => of(repository, () => git.owners(repository, at, paths)),
  };
  return decided;
}
