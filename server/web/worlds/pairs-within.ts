import type { NamedPair } from '#lib/domain/commit/pairs.ts';
import { repositoryKey } from '#lib/git-host/repository-key.ts';
import type { FleetRepository } from '../commits/fleet-repositories.ts';
import { builtDirectories, touchesBuilt } from './built-directories.ts';

/** Named pairs of directories of which something that is seen is built from each, or from a directory in it. */
export function pairsWithin(
  pairs: readonly NamedPair[],
  repositories: readonly FleetRepository[],
): readonly NamedPair[] {
  const built = repositories.map(({ key, objects }) => ({ key, directories: builtDirectories(objects) }));
  return pairs.filter(({ repository, left, right }) =>
    built.some(
      ({ key, directories }) =>
        (repository === null || repositoryKey(repository) === key) &&
        [left, right].every((directory) => touchesBuilt(directory, directories)),
    ),
  );
}
