import { beforeEach, describe, expect, it } from 'vitest';
import { CommitsQuery } from '#lib/api/commit.ts';
import type { BuildPath } from '#lib/domain/commit/build-path.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import type { GitReader } from '#server/git/port/git-reader.ts';
import { createFleetCache } from '../cache/fleet-cache.ts';
import { commitsBetween } from '../suspects/commits-between.ts';
import { questionOfObject } from '../suspects/suspect-question.ts';
import { fakeGit, fakeSha } from '../testing/fake-git.ts';
import { given, sampleMoment } from '../testing/moment.ts';
import { hasComponents, sampleCluster, sampleObject, sampleRef, sourceGroup } from '../testing/sample.ts';
import { builtFrom } from '../compare/built-objects.ts';
import { whyBeyond } from './built-from.ts';
import { commitList } from './commit-list.ts';
import { commitPage } from './commit-page.ts';
import { repositoriesOf } from './fleet-repositories.ts';
import { lagList } from './lag/lag-list.ts';
import { runningCommits } from './running/running-commits.ts';

const url = 'https://github.com/acme/control-repo';
const at = (digit: string) => `main@sha1:${fakeSha(digit)}`;
const source = sampleRef({ cluster: 'eu', group: sourceGroup, kind: 'GitRepository', name: 'control' });

let cache: ReturnType<typeof createFleetCache>;
/** Paths that git was asked about, by question. */
let asked: Record<'touches' | 'between' | 'distances' | 'builtFrom', (BuildPath | null)[]>;

function watched(): GitReader {
  const git = fakeGit({ url, commits: ['a', 'b', 'c'].map((digit) => ({ digit, files: ['apps/shop/k.yaml'] })) });
  return {
    ...git,
    touches(repository, sha, paths) {
      asked.touches.push(...paths);
      return git.touches(repository, sha, paths);
    },
    between(repository, ranges) {
      asked.between.push(...ranges.map(({ path }) => path));
      return git.between(repository, ranges);
    },
    distances(repository, ranges) {
      asked.distances.push(...ranges.map(({ path }) => path));
      return git.distances(repository, ranges);
    },
    builtFrom(_, __, { paths, files }) {
      asked.builtFrom.push(...paths);
      return Promise.resolve({ type: 'told', asOf: 0, answer: files.map(() => []) });
    },
  };
}

/** An applier that failed at c and runs b, and its source. */
function put(of: Parameters<typeof sampleObject>[1], own: Parameters<typeof sampleObject>[1] = {}): void {
  const object = sampleObject(
    { cluster: 'eu', name: 'shop' },
    {
      ...{ repository: url, path: 'apps/shop', commit: fakeSha('b'), source, verdict: 'diverged' },
      revision: { applied: at('b'), attempted: at('c'), offered: at('c') },
      range: { lastGood: at('b'), firstBad: at('c'), seenBetween: 0, watched: true },
      ...own,
    },
  );
  cache.apply([
    { type: 'object', object },
    { type: 'object', object: sampleObject(source, { role: 'source', path: null, source: null, ...of }) },
  ]);
}

beforeEach(() => {
  asked = { touches: [], between: [], distances: [], builtFrom: [] };
  cache = createFleetCache();
  cache.apply([{ type: 'cluster', cluster: sampleCluster('eu') }]);
});

type More = Parameters<typeof sampleObject>[1];
const tls = { builds: { components: ['../tls'], ignore: null, sparse: [] } };

describe.each<[string, More, BuildPath, More?]>([
  [
    'a source with rules',
    { builds: { components: [], ignore: '*.md', sparse: [] } },
    { path: 'apps/shop', components: [], ignore: '*.md' },
  ],
  [
    'a source without any',
    { builds: { components: [], ignore: '', sparse: [] } },
    { path: 'apps/shop', components: [], ignore: '' },
  ],
  [
    'a source that holds some directories only',
    { builds: { components: [], ignore: '', sparse: ['apps'] } },
    { path: 'apps/shop', components: [], ignore: '', sparse: ['apps'] },
  ],
  ['a source whose rules are not known', { builds: { components: [], ignore: null, sparse: [] } }, 'apps/shop'],
  ['a source that says nothing of it', {}, 'apps/shop'],
  ['components', {}, { path: 'apps/shop', components: ['../tls'], ignore: null }, tls],
  [
    'components and a source with rules',
    { builds: { components: [], ignore: '*.md', sparse: [] } },
    { path: 'apps/shop', components: ['../tls'], ignore: '*.md' },
    tls,
  ],
])('an object of %s', (_, of, build, own = {}) => {
  it('is asked about as it is built, in every question', async () => {
    put(of, own);
    const moment = sampleMoment(cache, defaultPolicy, watched());
    const ref = sampleRef({ cluster: 'eu', name: 'shop' });
    await commitPage(moment, { sha: fakeSha('a'), cluster: '', label: '', state: '', wait: 0 });
    await lagList(moment, { cluster: '', group: '', kind: '', namespace: '', name: '', limit: 10 });
    expect(asked.touches).toEqual([build]);
    expect(asked.between).toEqual([build, build]);
    expect(asked.distances).toEqual([build]);
    await runningCommits(moment, {});
    expect(asked.distances.filter((path) => path !== null)).toEqual([build, build]);
    expect(await questionOfObject(moment, ref)).toMatchObject({ type: 'ask', paths: [build] });
    const object = ['eu', ref.group, ref.kind, ref.namespace, ref.name].join('/');
    await commitsBetween(moment, { object, from: fakeSha('a'), to: fakeSha('b') });
    const place = { at: { type: 'commit' as const, sha: fakeSha('a') }, path: 'apps' };
    const [fleet] = repositoriesOf(moment.fleet.all(0));
    const files = [{ path: 'shop/k.yaml', status: 'equal' as const, content: 'text' as const }];
    await builtFrom(moment, { repository: url, fleet, places: { left: place, right: place }, files });
    expect(asked.builtFrom).toEqual([build, build]);
  });
});

it('is counted apart from others of the same path, and anew once the rules of its source change', async () => {
  const git = fakeGit({ url, commits: ['a', 'b', 'c'].map((digit) => ({ digit, files: ['apps/tls/k.yaml'] })) });
  const touches: BuildPath[] = [];
  const known = sampleMoment(cache, defaultPolicy, {
    ...git,
    touches(repository, sha, paths) {
      touches.push(...paths);
      return git.touches(repository, sha, paths);
    },
  });
  const runs = { verdict: 'converged', commit: fakeSha('c'), range: null, path: 'apps/shop' } as const;
  const revision = { applied: at('c'), attempted: at('c'), offered: at('c') };
  put({ builds: { components: [], ignore: '', sparse: [] } }, { ...runs, revision });
  cache.apply([{ type: 'cluster', cluster: sampleCluster('us') }]);
  const elsewhere = sampleObject({ cluster: 'us', name: 'shop' }, { ...runs, revision, repository: url, ...tls });
  cache.apply([{ type: 'object', object: elsewhere }]);
  const list = async () => given(await commitList(known, CommitsQuery.parse({ limit: 1 }))).rows[0]?.counts;
  const apart = { converged: 1, 'not-concerned': 1 };
  const shop = { path: 'apps/shop', components: [], ignore: '' };
  const withTls = { path: 'apps/shop', components: ['../tls'], ignore: null };
  expect([await list(), touches]).toMatchObject([apart, [shop, withTls]]);
  put({ builds: { components: [], ignore: '*.md', sparse: [] } }, { ...runs, revision });
  expect([await list(), touches]).toMatchObject([apart, [shop, withTls, { ...shop, ignore: '*.md' }]]);
});

it('names no suspect for sure where not all is known that an object builds from', async () => {
  const unknown = { ...hasComponents, builds: { components: null, ignore: null, sparse: [] } };
  for (const [own, unknownPaths] of [
    [unknown, 1],
    [{ ...unknown, ...tls }, 0],
  ] as const) {
    put({}, own);
    const moment = sampleMoment(cache, defaultPolicy, watched());
    const question = await questionOfObject(moment, sampleRef({ cluster: 'eu', name: 'shop' }));
    expect(question).toMatchObject({ facts: { unknownPaths } });
  }
});

it.each([
  [['apps'], null],
  [[], null],
  [['base'], 'sparse-source'],
  [null, 'sparse-source'],
])('is not known to be untouched where its source holds %j only: %s', (sparse, why) => {
  const object = sampleObject({ name: 'shop' }, { path: './apps/shop' });
  const holder = sampleObject(source, { role: 'source', builds: { components: [], ignore: '', sparse } });
  expect(whyBeyond(object, holder)).toBe(why);
});

it.each([
  [
    'it is not known what components it has, as at a past moment',
    { components: null, ignore: null, sparse: [] },
    'unknown-components',
  ],
  ['nothing is kept of what it builds from, and nothing says that it has any', null, null],
] as const)('of a Kustomization %s', (_name, builds, why) => {
  expect(whyBeyond(sampleObject({ name: 'shop' }, { builds }), null)).toBe(why);
});
