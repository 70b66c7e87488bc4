import { repositoryKey } from '#lib/git-host/repository-key.ts';
import type { GitReader, Told } from '#server/git/port/git-reader.ts';

/** One decision for each question: a new one is answered to nobody before it has its own. */
type Decided = { readonly [Method in keyof GitReader]-?: GitReader[Method] };

const unknown = {
  type: 'not-told',
  reason: 'Its repository is not mirrored: name it under repositories in plumbline.yaml.',
} as const;

/** Answers about the repositories of these keys alone: of all others as of such that are not mirrored. */
export function gitWithin(git: GitReader, keys: () => ReadonlySet<string>): GitReader {
  async function of<Answer>(repository: string, ask: () => Promise<Told<Answer>>): Promise<Told<Answer>> {
    return keys().has(repositoryKey(repository)) ? ask() : unknown;
  }

  const decided: Decided = {
    async repositories() {
      const told = await git.repositories();
      const seen = keys();
      return told.type === 'told' ? { ...told, answer: told.answer.filter(({ key }) => seen.has(key)) } : told;
    },
    // Who sees the whole fleet says what is wanted.
    want: () => Promise.resolve(),
    async find(digits) {
      const told = await git.find(digits);
      const seen = keys();
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
    compare: (repository, left, right) => of(repository, () => git.compare(repository, left, right)),
    diff: (repository, left, right) => of(repository, () => git.diff(repository, left, right)),
    owners: (repository, at, paths) => of(repository, () => git.owners(repository, at, paths)),
  };
  return decided;
}
