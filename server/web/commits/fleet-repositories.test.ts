import { expect, it } from 'vitest';
import { sampleObject } from '../testing/sample.ts';
import { repositoriesOf } from './fleet-repositories.ts';

const key = 'git.example.org/acme/control';
const https = `https://${key}`;

it.each([
  ['the one by which most is built', [`${https}.git`, https, https], https],
  ['one by https, however much is built by another', [`http://${key}`, `http://${key}`, https], https],
  ['another, where there is none by https', [`ssh://git@${key}`], `ssh://git@${key}`],
  ['the first by name, of as many', [https, `${https}.git`], https],
])('the address of a repository is %s', (_, urls, expected) => {
  const clusters = urls.map((repository, n) => ({ objects: [sampleObject({ name: `app-${n}` }, { repository })] }));
  for (const all of [clusters, clusters.toReversed()])
    expect(repositoriesOf(all).map((one) => [one.key, one.url, one.count])).toEqual([[key, expected, urls.length]]);
});
