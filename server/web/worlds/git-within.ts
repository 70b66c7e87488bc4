import { repositoryKey } from '#lib/git-host/repository-key.ts';
import type { GitReader, Told } from '#server/git/port/git-reader.ts';
import { type BuiltDirectories, comparisonWithin, isBuilt, touchesBuilt } from './built-directories.ts';
import type { ProvenRepositories } from './proven-repositories.ts';

/** One decision for each question: a new one is answered to nobody before it has its own. */
type Decided = { readonly [Method in keyof GitReader]-?: GitReader[Method] };

const unknown = {
  type: 'not-told',
  reason: 'Its repository is not mirrored: name it under repositories in plumbline.yaml.',
} as const;

const beside = { type: 'not-told', reason: 'Nothing in your view is built from there.' } as const;

/**
 * Answers about the repositories of these keys alone: of all others as of such that are not mirrored. What stands in their files is told of the
 * directories from which something that is seen is built: one repository may hold what belongs to many.
 */
export function gitWithin(git: GitReader, built: () => Promise<ProvenRepositories>): GitReader {
  async function of<Answer>(
    repository: string,
    ask: (directories: BuiltDirectories) => Promise<Told<Answer>>,
  ): Promise<Told<Answer>> {
    const directories = (await built()).get(repositoryKey(repository));
    return directories === undefined ? unknown : ask(directories);
  }

  const decided: Decided = {
    async repositories() {
      const [told, seen] = [await git.repositories(), await built()];
      return told.type === 'told' ? { ...told, answer: told.answer.filter(({ key }) => seen.has(key)) } : told;
    },
    // Who sees the whole fleet says what is wanted.
    want: () => Promise.resolve(),
    async find(digits) {
      const [told, seen] = [await git.find(digits), await built()];
      if (told.type === 'not-told') return told;
      return { ...told, answer: told.answer.filter(({ repository }) => seen.has(repository)) };
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
