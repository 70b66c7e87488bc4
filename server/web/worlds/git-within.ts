import { repositoryKey } from '#lib/git-host/repository-key.ts';
import type { GitReader, Told } from '#server/git/port/git-reader.ts';
import { type BuiltDirectories, comparisonWithin, isBuilt, touchesBuilt } from './built-directories.ts';
import type { ProvenBuilds } from './proven-builds.ts';

/** One decision for each question: a new one is answered to nobody before it has its own. */
type Decided = { readonly [Method in keyof GitReader]-?: GitReader[Method] };

const unknown = {
  type: 'not-told',
  reason:
    'Its repository is not mirrored, or its mirror holds no commit that runs in your view: name it under repositories in plumbline.yaml.',
} as const;

const beside = { type: 'not-told', reason: 'Nothing in your view is built from there.' } as const;

/**
 * Answers about the repositories alone from which something that is seen is built: of all others as of such that are not mirrored. What stands in their
 * files is told of the directories from which it is: one repository may hold what belongs to many.
 */
export function gitWithin(git: GitReader, built: ProvenBuilds): GitReader {
  async function of<Answer>(
    repository: string,
    ask: (directories: BuiltDirectories) => Promise<Told<Answer>>,
  ): Promise<Told<Answer>> {
    const directories = await built.directoriesOf(repositoryKey(repository));
    return directories === null ? unknown : ask(directories);
  }

  /** Those of some answers whose repository is one from which something is built. */
  async function seen<One>(all: readonly One[], keyOf: (one: One) => string): Promise<readonly One[]> {
    const isBuiltFrom = await Promise.all(all.map(async (one) => (await built.directoriesOf(keyOf(one))) !== null));
    return all.filter((_, index) => isBuiltFrom[index]);
  }

  const decided: Decided = {
    async repositories() {
      const told = await git.repositories();
      return told.type === 'told' ? { ...told, answer: await seen(told.answer, ({ key }) => key) } : told;
    },
    // Who sees the whole fleet says what is wanted.
    want: () => Promise.resolve(),
    async find(digits) {
      const told = await git.find(digits);
      return told.type === 'told' ? { ...told, answer: await seen(told.answer, ({ repository }) => repository) } : told;
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
