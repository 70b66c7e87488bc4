import type { NamedPair } from '#lib/domain/commit/pairs.ts';
import { repositoryKey } from '#lib/git-host/repository-key.ts';
import type { FleetRepository } from '../commits/fleet-repositories.ts';

/** Named pairs of directories of which something that is seen is built from one, or from a directory in it. */
export function pairsWithin(
  pairs: readonly NamedPair[],
  repositories: readonly FleetRepository[],
): readonly NamedPair[] {
  return pairs.filter(({ repository, left, right }) =>
    repositories.some(
      ({ key, objects }) =>
        (repository === null || repositoryKey(repository) === key) &&
        objects.some(({ path }) => path !== null && (liesIn(path, left) || liesIn(path, right))),
    ),
  );
}

function liesIn(path: string, directory: string): boolean {
  return directory === '' || path === directory || path.startsWith(`${directory}/`);
}
