import { LRUCache } from 'lru-cache';
import { type GitReader, mostAsked } from '#server/git/port/git-reader.ts';
import type { BuiltDirectories, NamedDirectories } from './built-directories.ts';

const mostKept = 20_000;
/** A commit that a mirror does not hold is asked for again after so long (ms): it may be newer than the last fetch. */
const againAfter = 10_000;

/** Gives those of the directories of a repository that are proven: something is built there, and not only named so. */
export type Proof = (key: string, named: NamedDirectories) => Promise<BuiltDirectories>;

/**
 * A directory is proven where its objects run, have tried or are offered a commit that the mirror holds: that was fetched with what opens the
 * repository. Whoever may write an object could have us tell the files of any repository else, which we fetch with credentials of our own.
 */
export function provenDirectories(git: Pick<GitReader, 'commits'>, now: () => number): Proof {
  const held = new LRUCache<string, true>({ max: mostKept });
  const missed = new LRUCache<string, number>({ max: mostKept });

  async function look(key: string, named: NamedDirectories): Promise<void> {
    const open = new Set<string>();
    for (const commits of named.values()) {
      if (isHeld(key, commits)) continue;
      for (const sha of commits) if (now() - (missed.get(`${key} ${sha}`) ?? -Infinity) > againAfter) open.add(sha);
    }
    const asked = [...open].slice(0, mostAsked.commits);
    if (asked.length === 0) return;
    const told = await git.commits(key, asked);
    if (told.type === 'not-told') return;
    for (const [index, sha] of asked.entries()) {
      if (told.answer[index]) held.set(`${key} ${sha}`, true);
      else missed.set(`${key} ${sha}`, now());
    }
  }

  function isHeld(key: string, commits: ReadonlySet<string>): boolean {
    return commits.values().some((sha) => held.has(`${key} ${sha}`));
  }

  return async (key, named) => {
    await look(key, named);
    return new Set([...named].flatMap(([directory, commits]) => (isHeld(key, commits) ? [directory] : [])));
  };
}
