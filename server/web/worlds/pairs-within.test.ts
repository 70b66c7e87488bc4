import { expect, it } from 'vitest';
import { repositoriesOf } from '../commits/fleet-repositories.ts';
import { sampleObject } from '../testing/sample.ts';
import { pairsWithin } from './pairs-within.ts';

it('are told where something that is seen is built from each of their directories', () => {
  const ours = 'https://github.com/acme/control-repo';
  const objects = ['apps/prod/shop', './apps/staging/'].map((path) =>
    sampleObject({ name: path }, { path, repository: ours }),
  );
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
  expect(pairsWithin([...told, ...hidden], repositoriesOf([{ objects }]))).toEqual(told);
  expect(pairsWithin(told, [])).toEqual([]);
});
