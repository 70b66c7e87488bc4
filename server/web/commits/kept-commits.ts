import { LRUCache } from 'lru-cache';
import { minute } from '#lib/domain/time/length.ts';
import { repositoryKey } from '#lib/git-host/repository-key.ts';
import type { GitReader } from '#server/git/port/git-reader.ts';
import type { GitCommit } from '#server/git/port/shapes.ts';

const mostCommits = 20_000;
/** A commit does not change; the tags that name it do. */
const keptFor = 10 * minute;

interface Known {
  readonly commit: GitCommit;
  /** The fetch that it was told as of (ms). */
  readonly asOf: number;
}

/** The same answers, with commits that were told before given again without a question. What is not known is asked for each time. `now` in ms. */
export function keptCommits(git: GitReader, now: () => number): GitReader {
  const book = new LRUCache<string, Known>({
    max: mostCommits,
    ttl: keptFor,
    perf: { now },
    ttlResolution: 0,
  });
  return {
    ...git,
    async commits(repository, shas) {
      const key = repositoryKey(repository);
      const known = new Map(shas.map((sha) => [sha, book.get(`${key} ${sha}`) ?? null]));
      const missing = shas.filter((sha) => known.get(sha) === null);
      let asOf = Math.min(...[...known.values()].flatMap((one) => one?.asOf ?? []));
      if (missing.length > 0) {
        const told = await git.commits(repository, missing);
        if (told.type === 'not-told' && missing.length === shas.length) return told;
        if (told.type === 'told') {
          asOf = Math.min(asOf, told.asOf);
          for (const commit of told.answer) {
            if (commit === null) continue;
            known.set(commit.sha, { commit, asOf: told.asOf });
            book.set(`${key} ${commit.sha}`, { commit, asOf: told.asOf });
          }
        }
      }
      return { type: 'told', asOf, answer: shas.map((sha) => known.get(sha)?.commit ?? null) };
    },
  };
}
