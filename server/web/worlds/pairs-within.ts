import type { NamedPair } from '#lib/domain/commit/pairs.ts';
import { repositoryKey } from '#lib/git-host/repository-key.ts';
import { touchesBuilt } from './built-directories.ts';
import type { ProvenRepositories } from './proven-repositories.ts';

/** Named pairs of directories of which something that is seen is built from each, or from a directory in it. */
export function pairsWithin(pairs: readonly NamedPair[], built: ProvenRepositories): readonly NamedPair[] {
  return pairs.filter(({ repository, left, right }) =>
    built
      .entries()
      .some(
        ([key, directories]) =>
          (repository === null || repositoryKey(repository) === key) &&
          [left, right].every((directory) => touchesBuilt(directory, directories)),
      ),
  );
}
