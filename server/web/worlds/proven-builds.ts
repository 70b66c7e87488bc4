import { LRUCache } from 'lru-cache';
import { mostAsked, type GitReader } from '#server/git/port/git-reader.ts';
import { triedOf } from '../commits/commit-questions.ts';
import type { FleetRepository } from '../commits/fleet-repositories.ts';
import { type BuiltDirectories, builtDirectories } from './built-directories.ts';

/**
 * Repositories from which something that is seen is built. Whoever writes a source can name any repository there, also one that Plumbline alone may read; so
 * only what ran or tried a commit that the mirror holds is built from it.
 */
export interface ProvenBuilds {
  /** Keys of the repositories that sources name. */
  keys(): readonly string[];
  /** Directories of a repository, by its key, from which something is built; null where nothing is. */
  directoriesOf(key: string): Promise<BuiltDirectories | null>;
}

/** Commits of one repository that are looked for: what is seen may name as many as it has objects. */
const mostCommits = 5_000;
/** Commits that a mirror holds, of all repositories: it does not lose them while anything runs them. */
const mostKept = 50_000;

/** `repositories`: those that what is seen names; the same list while nothing has changed. */
export function provenBuilds(git: GitReader, repositories: () => readonly FleetRepository[]): ProvenBuilds {
  const held = new LRUCache<string, true>({ max: mostKept });
  const whole = new WeakMap<FleetRepository, BuiltDirectories>();

  /** Asks for those of some commits that are not known to be held. */
  async function ask({ key, url }: FleetRepository, commits: readonly string[]): Promise<void> {
    const missing = commits.filter((sha) => !held.has(`${key} ${sha}`));
    for (let from = 0; from < missing.length; from += mostAsked.commits) {
      const told = await git.commits(url, missing.slice(from, from + mostAsked.commits));
      if (told.type === 'not-told') return;
      for (const commit of told.answer) if (commit !== null) held.set(`${key} ${commit.sha}`, true);
    }
  }

  return {
    keys: () => repositories().map(({ key }) => key),
    async directoriesOf(key) {
      const repository = repositories().find((one) => one.key === key);
      if (repository === undefined) return null;
      const known = whole.get(repository);
      if (known !== undefined) return known;
      const builds = repository.objects.map((object) => ({
        path: object.path,
        commits: [object.commit, triedOf(object)].flatMap((sha) => sha ?? []),
      }));
      await ask(repository, [...new Set(builds.flatMap(({ commits }) => commits))].slice(0, mostCommits));
      const proven = builds.filter(({ commits }) => commits.some((sha) => held.has(`${key} ${sha}`)));
      if (proven.length === 0) return null;
      const directories = builtDirectories(proven);
      if (proven.length === builds.length) whole.set(repository, directories);
      return directories;
    },
  };
}
