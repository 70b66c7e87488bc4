import { expect, it } from 'vitest';
import { repositoryKey } from '#lib/git-host/repository-key.ts';
import { pairsWithin } from './pairs-within.ts';

const ours = 'https://github.com/acme/control-repo';

it('are told where something that is seen is built from each of their directories', () => {
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
    pair(null, 'apps/pro', 'secret'),
  ];
  const built = new Map([[repositoryKey(ours), new Set(['apps/prod/shop', 'apps/staging'])]]);
  expect(pairsWithin([...told, ...hidden], built)).toEqual(told);
  expect(pairsWithin(told, new Map())).toEqual([]);
});
