import { expect, it } from 'vitest';
import { createFleetCache } from '../cache/fleet-cache.ts';
import { sampleMoment } from '../testing/moment.ts';
import { sampleCluster, sampleNow, sampleObject } from '../testing/sample.ts';
import { repositoriesOf } from './fleet-repositories.ts';

const ours = 'https://git.example.org/acme/control-repo.git';

it.each<[string, readonly (readonly string[])[], string]>([
  ['by http on one cluster', [['http://git.example.org/acme/control-repo'], [ours]], ours],
  [
    'by ssh on most',
    [['git@git.example.org:acme/control-repo'], ['git@git.example.org:acme/control-repo'], [ours]],
    ours,
  ],
  [
    'without a scheme, by more objects',
    [['git.example.org/acme/control-repo', 'git.example.org/acme/control-repo'], [ours]],
    ours,
  ],
  ['by another path that has the same name', [['https://git.example.org/scm/acme/control-repo'], [ours]], ours],
  [
    'by another path on one of three',
    [
      ['https://git.example.org/acme/control-repo'],
      ['https://git.example.org/scm/acme/control-repo'],
      ['https://git.example.org/scm/acme/control-repo'],
    ],
    'https://git.example.org/scm/acme/control-repo',
  ],
])('a repository that is named %s has the address that most name by https', (_how, named, expected) => {
  const cache = createFleetCache();
  for (const [cluster, urls] of named.entries()) {
    cache.apply([{ type: 'cluster', cluster: sampleCluster(`c${cluster}`) }]);
    for (const [index, repository] of urls.entries())
      cache.apply([
        {
          type: 'object',
          object: sampleObject({ cluster: `c${cluster}`, name: `o${index}` }, { repository, path: 'apps' }),
        },
      ]);
  }
  const found = repositoriesOf(sampleMoment(cache).fleet.all(sampleNow));
  expect(found.map(({ key, url }) => [key, url])).toEqual([['git.example.org/acme/control-repo', expected]]);
});
