import { fairQueue } from '#server/runtime/turns/fair-queue.ts';
import type { GitReader, Told } from '../port/git-reader.ts';
import type { FoundCommit } from '../port/shapes.ts';
import type { Keeper } from '../mirror/keeper.ts';
import type { Mirrors } from '../mirror/mirrors.ts';
import type { Answered } from '../reader/answered.ts';
import type { RepositoryReader } from '../reader/open-repository.ts';

/** Commits of one answer. */
const mostFound = 10;
/** Of comparisons two: each may hold 200,000 files. */
const comparedAtOnce = 2;

/** Answers from the mirrors of this process. */
export function localGit(
  mirrors: Pick<Mirrors, 'states' | 'keeper' | 'keepers' | 'want'>,
  now: () => number,
): GitReader {
  async function of<Answer>(
    url: string,
    question: (reader: RepositoryReader) => Promise<Answered<Answer>>,
  ): Promise<Told<Answer>> {
    const keeper = mirrors.keeper(url);
    if (keeper === null)
      return {
        type: 'not-told',
        reason: 'Its repository is not mirrored: name it under repositories in plumbline.yaml.',
      };
    const reader = keeper.reader();
    const { fetchedAt } = keeper.state();
    if (reader === null || fetchedAt === null) return { type: 'not-told', reason: whyUnread(keeper) };
    const answered = await question(reader);
    return answered.type === 'told' ? { ...answered, asOf: fetchedAt } : answered;
  }

  const comparisons = fairQueue({ all: comparedAtOnce, ofOne: comparedAtOnce });

  return {
    repositories: () => Promise.resolve({ type: 'told', asOf: now(), answer: mirrors.states() }),
    want: (repositories) => mirrors.want(repositories),
    commits: (repository, shas) => of(repository, (reader) => reader.commits(shas)),
    async find(digits) {
      const found: FoundCommit[] = [];
      let asOf = now();
      for (const keeper of mirrors.keepers()) {
        const { fetchedAt, key, url } = keeper.state();
        const answered = await keeper.reader()?.find(digits);
        if (answered?.type !== 'told' || fetchedAt === null) continue;
        asOf = Math.min(asOf, fetchedAt);
        found.push(...answered.answer.map((commit) => ({ repository: key, url, commit })));
      }
      if (mirrors.keepers().length === 0)
        return {
          type: 'not-told',
          reason: 'No repository is mirrored: name one under repositories in plumbline.yaml.',
        };
      // Of each commit all that hold it: who forks a repository ten times is not to answer for it.
      const shas = new Set([...new Set(found.map(({ commit }) => commit.sha))].slice(0, mostFound));
      return { type: 'told', asOf, answer: found.filter(({ commit }) => shas.has(commit.sha)) };
    },
    log: (repository, page) => of(repository, (reader) => reader.log(page)),
    between: (repository, ranges) => of(repository, (reader) => reader.between(ranges)),
    distances: (repository, ranges) => of(repository, (reader) => reader.distances(ranges)),
    touches: (repository, sha, paths) => of(repository, (reader) => reader.touches(sha, paths)),
    contain: (repository, sha, commits) => of(repository, (reader) => reader.contain(sha, commits)),
    onBranch: (repository, pairs) => of(repository, (reader) => reader.onBranch(pairs)),
    files: (repository, sha) => of(repository, (reader) => reader.files(sha)),
    closure: (repository, place) => of(repository, (reader) => reader.closure(place)),
    builtFrom: (repository, at, asked) => of(repository, (reader) => reader.builtFrom(at, asked)),
    compare: (repository, left, right) =>
      comparisons.run('', () => of(repository, (reader) => reader.compare(left, right))),
    diff: (repository, left, right) => of(repository, (reader) => reader.diff(left, right)),
    owners: (repository, at, paths) => of(repository, (reader) => reader.owners(at, paths)),
  };
}

function whyUnread(keeper: Keeper): string {
  const { state, reason } = keeper.state();
  return state === 'first-fetch'
    ? 'Its repository is being fetched for the first time.'
    : (reason ?? 'Its repository cannot be read.');
}
