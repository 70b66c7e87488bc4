import type { NamedPair } from '#lib/domain/commit/pairs.ts';
import { repositoryKey } from '#lib/git-host/repository-key.ts';
import { touchesBuilt } from './built-directories.ts';
import type { ProvenBuilds } from './proven-builds.ts';

/** Named pairs of directories of which something that is seen is built from each, or from a directory in it. */
export async function pairsWithin(pairs: readonly NamedPair[], built: ProvenBuilds): Promise<readonly NamedPair[]> {
  const all = await Promise.all(
    built.keys().map(async (key) => ({ key, directories: (await built.directoriesOf(key)) ?? new Set<string>() })),
  );
  return pairs.filter(({ repository, left, right }) =>
    all.some(
      ({ key, directories }) =>
        (repository === null || repositoryKey(repository) === key) &&
        [left, right].every((directory) => touchesBuilt(directory, directories)),
    ),
  );
}
