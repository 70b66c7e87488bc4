import { LRUCache } from 'lru-cache';
import type { GitCommit } from '../port/shapes.ts';
import { readCommit, type ReadCommit } from './commit-object.ts';
import type { ObjectReader } from './objects.ts';

/** Commits that are kept once they were read. */
const kept = 20_000;
/** A larger commit is not read. */
const largestCommit = 4 * 1024 * 1024;
/** Bytes of commits that one question reads. */
const mostRead = 256 * 1024 * 1024;

/** Commits by hash. They never change, but their tags do. */
export interface CommitBook {
  /** Reads those that are not known yet. Those that are no commits, or not there, are not in the map. */
  read(shas: Iterable<string>): Promise<ReadonlyMap<string, ReadCommit>>;
  /** A commit that was read with the tags that it has now. */
  withTags(read: ReadCommit): GitCommit;
}

/** A book over the objects of a repository. `tagsOf` gives the tags of a commit. */
export function createCommitBook(objects: ObjectReader, tagsOf: (sha: string) => readonly string[]): CommitBook {
  const known = new LRUCache<string, ReadCommit>({ max: kept });
  return {
    async read(shas) {
      const found = new Map<string, ReadCommit>();
      const missing: string[] = [];
      for (const sha of new Set(shas)) {
        const commit = known.get(sha);
        if (commit === undefined) missing.push(sha);
        else found.set(sha, commit);
      }
      if (missing.length === 0) return found;
      const types = await objects.info(missing);
      const commits = missing.filter((_, index) => types[index]?.type === 'commit');
      for (const [sha, object] of await objects.contents(commits, largestCommit, mostRead)) {
        const commit = readCommit(sha, object);
        known.set(sha, commit);
        found.set(sha, commit);
      }
      return found;
    },
    withTags: ({ commit }) => ({ ...commit, tags: [...tagsOf(commit.sha)] }),
  };
}
