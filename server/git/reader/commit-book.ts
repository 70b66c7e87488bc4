import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { GitCommit } from '../port/shapes.ts';
import { readCommit, type ReadCommit } from './commit-object.ts';
import type { ObjectReader } from './objects.ts';

/** Commits of all repositories that are kept once they were read, by the mark of their book and their hash. */
const kept = new LRUCache<string, ReadCommit>({ max: 20_000 });
/** Of a larger commit only its times are read. */
const largestCommit = 2 * 1024 * 1024;
/** Bytes of commits that one question reads, and of them before others get their turn. */
const mostRead = 64 * 1024 * 1024;
const slice = 1024 * 1024;

/** Commits by hash. They never change, but their tags do. */
export interface CommitBook {
  /** Reads those that are not known yet. Those that are no commits, or not there, are not in the map. */
  read(shas: Iterable<string>): Promise<ReadonlyMap<string, ReadCommit>>;
  /** A commit that was read with the tags that it has now. */
  withTags(read: ReadCommit): GitCommit;
  /** A commit that is there, of those that were read. */
  told(read: ReadonlyMap<string, ReadCommit>, sha: string): GitCommit;
}

const nothing = { parents: [], author: '', subject: '(too large to be read)', pullRequest: null, signed: false };

/** A book over the objects of a repository. `tagsOf` gives the tags of a commit. */
export function createCommitBook(objects: ObjectReader, tagsOf: (sha: string) => readonly string[]): CommitBook {
  // One that another repository holds is not here for that.
  const own = `${randomUUID()} `;
  const withTags = (commit: ReadCommit): GitCommit => ({ ...commit, tags: [...tagsOf(commit.sha)] });
  return {
    async read(shas) {
      const found = new Map<string, ReadCommit>();
      const missing: string[] = [];
      for (const sha of new Set(shas)) {
        const commit = kept.get(own + sha);
        if (commit === undefined) missing.push(sha);
        else found.set(sha, commit);
      }
      if (missing.length === 0) return found;
      const types = await objects.info(missing);
      const commits = missing.filter((_, index) => types[index]?.type === 'commit');
      let sinceTurn = 0;
      for (const [sha, object] of await objects.contents(commits, largestCommit, mostRead)) {
        const commit = readCommit(sha, object);
        kept.set(own + sha, commit);
        found.set(sha, commit);
        sinceTurn += object.length;
        if (sinceTurn < slice) continue;
        sinceTurn = 0;
        await setImmediate();
      }
      for (const commit of await timesOf(
        objects,
        commits.filter((sha) => !found.has(sha)),
      ))
        found.set(commit.sha, commit);
      return found;
    },
    withTags,
    told: (read, sha) => withTags(read.get(sha) ?? { sha, authoredAt: 0, committedAt: 0, ...nothing }),
  };
}

/** Commits that are too large to be read, by their hashes and times (ms), which git itself looks up. */
async function timesOf(objects: ObjectReader, shas: readonly string[]): Promise<readonly ReadCommit[]> {
  if (shas.length === 0) return [];
  const args = ['log', '--no-walk=unsorted', '--no-show-signature', '--format=%H %at %ct', '--stdin'];
  const output = await objects.run(args, { input: shas.map((sha) => `${sha}\n`).join('') });
  return output
    .toString('latin1')
    .split('\n')
    .flatMap((line) => {
      const [, sha, authored, committed] = /^([0-9a-f]{40,64}) (\d{1,12}) (\d{1,12})$/.exec(line) ?? [];
      if (sha === undefined) return [];
      return [{ sha, authoredAt: Number(authored) * 1_000, committedAt: Number(committed) * 1_000, ...nothing }];
    });
}
