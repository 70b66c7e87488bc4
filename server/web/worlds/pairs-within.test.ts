import { expect, it } from 'vitest';
import { repositoryKey } from '#lib/git-host/repository-key.ts';
import { pairsWithin } from './pairs-within.ts';
import type { ProvenBuilds } from './proven-builds.ts';

const ours = 'https://github.com/acme/control-repo';
const named = 'https://github.com/acme/named-alone';

/** `named`: a source names it, and nothing is known to be built from it. */
function built(...directories: readonly string[]): ProvenBuilds {
  const keys = [ours, named].map(repositoryKey);
  return { keys: () => keys, directoriesOf: (key) => Promise.resolve(key === keys[0] ? new Set(directories) : null) };
}

it('are told where something that is seen is built from each of their directories', async () => {
  const pair = (repository: string | null, left: string, right: string) => ({ repository, left, right });
  const told = [
    pair(ours, 'apps/staging', 'apps/prod'),
    pair(null, 'apps/prod/shop', 'apps/staging/shop'),
    pair(null, '', 'apps/prod'),
  ];
  const hidden = [
    pair(ours, 'apps/prod', 'apps/test'),
    pair(ours, 'apps/prod', 'apps/prod/../secret'),
    pair(ours, 'apps/prod/shop-2', 'apps/staging/shop-2'),
    pair('https://github.com/acme/secret', 'apps/prod', 'apps/staging'),
    pair(named, 'apps/prod', 'apps/staging'),
    pair(null, 'apps/pro', 'secret'),
  ];
  expect(await pairsWithin([...told, ...hidden], built('apps/prod/shop', 'apps/staging'))).toEqual(told);
  expect(await pairsWithin(told, { keys: () => [], directoriesOf: () => Promise.resolve(null) })).toEqual([]);
});
