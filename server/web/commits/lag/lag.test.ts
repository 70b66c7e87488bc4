import { beforeEach, describe, expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { minute } from '#lib/domain/time/length.ts';
import { type GitReader, noGit } from '#server/git/port/git-reader.ts';
import { createFleetCache } from '../../cache/fleet-cache.ts';
import { lag } from '../../endpoints/commits/lag.ts';
import { fakeGit, fakeSha } from '../../testing/fake-git.ts';
import { answerOf, sampleMoment, samplePresent } from '../../testing/moment.ts';
import {
  hasComponents,
  includesOther,
  sampleCluster,
  sampleNow,
  sampleObject,
  sampleSource,
} from '../../testing/sample.ts';

const url = 'https://github.com/acme/control-repo';

let cache: ReturnType<typeof createFleetCache>;
let git: GitReader;

type More = Parameters<typeof sampleObject>[1];

/** An applier that runs the commit of a digit, and whose source offers another. */
function put(name: string, digit: string, offered = digit, more: More = {}, cluster = 'eu'): void {
  const revision = (of: string) => `main@sha1:${fakeSha(of)}`;
  const object = sampleObject(
    { cluster, name },
    {
      repository: url,
      path: `apps/${name}`,
      commit: fakeSha(digit),
      role: 'applier',
      revision: { applied: revision(digit), attempted: revision(digit), offered: revision(offered) },
      ...more,
    },
  );
  cache.apply([{ type: 'object', object }]);
}

beforeEach(() => {
  git = fakeGit({
    url: `${url}.git`,
    commits: [
      { digit: 'a', files: ['README.md'] },
      { digit: 'b', files: ['apps/shop/k.yaml'], at: sampleNow - 12 * minute },
      { digit: 'c', files: ['apps/mail/k.yaml'] },
      { digit: 'd', files: ['apps/shop/k.yaml', 'apps/mail/k.yaml'] },
    ],
  });
  cache = createFleetCache();
  for (const name of ['eu', 'us']) cache.apply([{ type: 'cluster', cluster: sampleCluster(name) }]);
});

const ask = (params = {}) => answerOf(lag, samplePresent(sampleMoment(cache, defaultPolicy, git)), params);
const texts = async (params = {}) => (await ask(params)).lags.map(({ ref, text }) => `${ref.name}: ${text}`);

it('counts the commits that touch what an object builds from, the furthest behind first', async () => {
  put('search', 'a', 'd');
  put('mail', 'c', 'd');
  put('shop', 'a', 'd');
  put('web', 'd');
  expect(await texts()).toEqual([
    'shop: 3 commits behind, 2 touch this path, the oldest waits for 12 min',
    'mail: 1 commit behind, which touches this path and waits for 1 min',
    'search: 3 commits behind, none touches this path',
    'web: at the newest commit of main',
  ]);
  const { lags, repositories } = await ask({ name: 'shop' });
  expect(lags).toMatchObject([
    { runs: fakeSha('a'), commits: 3, touching: 2, branch: 'main', path: 'apps/shop', oldest: { sha: fakeSha('b') } },
  ]);
  expect(repositories).toMatchObject([{ mirroredAt: new Date(sampleNow).toISOString(), reason: null }]);
});

it.each<[string, () => void, string]>([
  ['what runs is not in the mirror', () => put('shop', 'f'), 'the mirror does not hold the commit that it runs'],
  [
    'what is offered is not in the mirror',
    () => put('shop', 'd', 'e'),
    'the mirror is older than what its source offers',
  ],
  [
    'what is offered is not read',
    () => {
      const applied = `main@sha1:${fakeSha('d')}`;
      put('shop', 'd', 'd', { commitDiffers: 'unknown', revision: { applied, attempted: applied, offered: null } });
    },
    'what its source offers is not read, and the mirror may be older',
  ],
  ['it is not seen', () => put('shop', 'd', 'd', { verdict: 'unobserved' }), 'what it runs now is not known'],
  ['nothing tells what runs', () => put('shop', 'd', 'd', { commit: null }), 'what it runs now is not known'],
  [
    'its source follows a tag',
    () => {
      const tag = `refs/tags/v1@sha1:${fakeSha('d')}`;
      put('shop', 'd', 'd', { revision: { applied: tag, attempted: tag, offered: tag } });
    },
    'its source follows no branch',
  ],
  [
    'git does not answer',
    () => {
      put('shop', 'd');
      git = noGit('It sleeps.');
    },
    'git tells nothing of its repository now',
  ],
])('is not known, and never none, where %s', async (_name, given, why) => {
  given();
  const { lags } = await ask();
  expect(lags).toMatchObject([
    { commits: null, touching: null, oldest: null, text: `how far behind is not known: ${why}` },
  ]);
});

describe('of what builds from more than git is asked about', () => {
  const components = 'it builds from spec.components too, which are not known';
  const include = 'its source includes other sources, which are not looked at';
  const unknown = { ...hasComponents, builds: { components: null, ignore: null, sparse: [] } };

  it.each<[string, () => void, string]>([
    ['components are not known', () => put('search', 'a', 'd', unknown), components],
    [
      'the source includes another',
      () => {
        put('search', 'a', 'd');
        cache.apply([{ type: 'object', object: sampleSource('eu', includesOther('eu')) }]);
      },
      include,
    ],
  ])('nothing is known, and never that none touches it, where %s', async (_name, given, why) => {
    given();
    const { lags } = await ask();
    expect(lags).toMatchObject([
      { commits: null, touching: null, atLeast: false, text: `how far behind is not known: ${why}` },
    ]);
    expect(lags[0]?.why).not.toBeNull();
  });

  it('those that touch the path are at least so many, and all where every one does', async () => {
    put('shop', 'a', 'd', unknown);
    put('mail', 'b', 'd', unknown);
    put('web', 'd', 'd', unknown);
    expect(await texts()).toEqual([
      'mail: 2 commits behind, 2 touch this path, the oldest waits for 2 min',
      'shop: 3 commits behind, at least 2 touch what it builds from, the oldest of these waits for 12 min',
      'web: at the newest commit of main',
    ]);
    const { lags } = await ask();
    expect(lags.map(({ touching, atLeast }) => [touching, atLeast])).toEqual([
      [2, false],
      [2, true],
      [0, false],
    ]);
  });

  it('is known where its components are', async () => {
    put('search', 'a', 'd', { ...hasComponents, builds: { components: ['../tls'], ignore: null, sparse: [] } });
    expect(await texts()).toEqual(['search: 3 commits behind, none touches this path']);
  });
});

it('says why git tells nothing, and how many are left out', async () => {
  put('shop', 'a');
  put('mail', 'a');
  git = noGit('It sleeps.');
  expect(await ask({ limit: 1 })).toMatchObject({
    leftOut: 1,
    repositories: [{ mirroredAt: null, reason: 'It sleeps.' }],
  });
});

it('is of one cluster where one is named, and of one object', async () => {
  put('shop', 'a');
  put('shop', 'd', 'd', {}, 'us');
  put('mail', 'd', 'd', {}, 'us');
  expect(await texts({ cluster: 'us' })).toHaveLength(2);
  expect(await texts({ cluster: 'us', name: 'shop' })).toEqual(['shop: at the newest commit of main']);
});

it('leaves each cluster its turn, however many objects another has', async () => {
  for (let n = 0; n < 50; n += 1) put(`many-${n}`, 'b');
  put('shop', 'b', 'd', {}, 'us');
  const { lags, leftOut } = await ask({ limit: 10 });
  expect([lags.length, leftOut]).toEqual([10, 41]);
  expect(lags[0]?.ref).toMatchObject({ cluster: 'us', name: 'shop' });
});

it('leaves each cluster its turn, however many repositories another names', async () => {
  for (let n = 0; n < 60; n += 1)
    for (const place of ['a', 'b']) put(`${place}-${n}`, 'b', 'b', { repository: `https://github.com/evil/r${n}` });
  put('shop', 'b', 'd', {}, 'us');
  const { lags, leftOut, repositories } = await ask();
  expect(lags[0]?.ref).toMatchObject({ cluster: 'us', name: 'shop' });
  expect([repositories.length, leftOut + lags.length]).toEqual([50, 121]);
});
