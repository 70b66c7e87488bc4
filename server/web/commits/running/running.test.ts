import { beforeEach, expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { type GitReader, noGit } from '#server/git/port/git-reader.ts';
import { createFleetCache } from '../../cache/fleet-cache.ts';
import { fleet } from '../../endpoints/fleet.ts';
import { running } from '../../endpoints/commits/running.ts';
import { fakeGit, fakeSha } from '../../testing/fake-git.ts';
import { answerOf, sampleMoment, samplePresent } from '../../testing/moment.ts';
import { hasComponents, sampleCluster, sampleObject } from '../../testing/sample.ts';

const url = 'https://github.com/acme/control-repo';

let cache: ReturnType<typeof createFleetCache>;
let git: GitReader;

/** An applier that runs the commit of a digit, and whose source offers another. */
function put(
  cluster: string,
  name: string,
  digit: string,
  offered = digit,
  more: Parameters<typeof sampleObject>[1] = {},
) {
  const revision = (of: string) => `main@sha1:${fakeSha(of)}`;
  const runs = {
    repository: url,
    path: name,
    commit: fakeSha(digit),
    commitDiffers: digit === offered ? 'no' : 'yes',
  } as const;
  const object = sampleObject(
    { cluster, name },
    { ...runs, revision: { applied: revision(digit), attempted: null, offered: revision(offered) }, ...more },
  );
  cache.apply([{ type: 'object', object }]);
}

beforeEach(() => {
  git = fakeGit({ url: `${url}.git`, commits: ['a', 'b', 'c'].map((digit) => ({ digit, files: ['README.md'] })) });
  cache = createFleetCache();
  for (const name of ['eu', 'us']) cache.apply([{ type: 'cluster', cluster: sampleCluster(name) }]);
});

const present = () => samplePresent(sampleMoment(cache, defaultPolicy, git));
const lines = async () =>
  (await answerOf(running, present(), {})).commits.map(({ sha, behind, why, name, clusters }) => [
    sha.slice(0, 1),
    behind ?? why,
    name?.subject ?? null,
    clusters,
  ]);

it('are named, the newest first, with how far behind and on how many clusters', async () => {
  put('eu', 'web', 'a', 'c');
  put('eu', 'mail', 'c');
  put('us', 'web', 'c');
  put('us', 'mail', 'f');
  expect(await lines()).toEqual([
    ['c', 0, 'Commit c', 2],
    ['a', 2, 'Commit a', 1],
    ['f', 'no-such-commit', null, 1],
  ]);
});

it('are never the newest by a mirror that is older than what is offered, nor of what is not seen', async () => {
  put('eu', 'web', 'c', 'e');
  put('us', 'web', 'b', 'b', { verdict: 'unobserved' });
  expect(await lines()).toEqual([['c', 'older-mirror', 'Commit c', 1]]);
});

it('are not said to be the newest where nothing tells that the mirror is as new as what is offered', async () => {
  const revision = (offered: string | null) => {
    const applied = `main@sha1:${fakeSha('c')}`;
    return {
      commitDiffers: offered === null ? 'unknown' : 'no',
      revision: { applied, attempted: null, offered },
    } as const;
  };
  put('eu', 'web', 'c', 'c', revision(null));
  expect(await lines()).toEqual([['c', 'offer-not-read', 'Commit c', 1]]);
  put('us', 'web', 'c', 'c', revision(`main@sha1:${fakeSha('c')}`));
  expect(await lines()).toEqual([['c', 0, 'Commit c', 2]]);
});

it('are told without a place where git does not answer, with why', async () => {
  put('eu', 'web', 'c');
  git = noGit('It sleeps.');
  expect(await lines()).toEqual([['c', 'not-told', null, 1]]);
  const { repositories } = await answerOf(running, present(), {});
  expect(repositories).toMatchObject([{ mirroredAt: null, reason: 'It sleeps.' }]);
});

it('stand in the rows of the matrix, a letter a column; of what is not seen none does', async () => {
  put('eu', 'web', 'c');
  put('eu', 'mail', 'a', 'c');
  put('us', 'web', 'c', 'c', { verdict: 'unobserved' });
  const { columns, rows } = await answerOf(fleet, sampleMoment(cache, defaultPolicy, git), { sort: 'name' });
  const [eu, us] = rows;
  const under = (title: string) =>
    eu?.commits[Number.parseInt(eu.runs[columns.findIndex((one) => one.title === title)] ?? '', 36)];
  expect([under('web'), under('mail')]).toEqual([fakeSha('c'), fakeSha('a')]);
  expect([us?.runs, us?.commits]).toEqual(['', []]);
});

it('say by cluster how many of the commits touch what is built there, where git knows it of all that runs there', async () => {
  const files = ['web', 'mail', 'web', 'web'].map((path) => [`${path}/k.yaml`]);
  git = fakeGit({ url, commits: ['a', 'b', 'c', 'd'].map((digit, at) => ({ digit, files: files[at] ?? [] })) });
  for (const name of ['ap', 'sa']) cache.apply([{ type: 'cluster', cluster: sampleCluster(name) }]);
  put('eu', 'web', 'b', 'd');
  put('us', 'web', 'b', 'd');
  put('us', 'mail', 'b', 'd');
  put('ap', 'docs', 'b', 'd');
  put('sa', 'docs', 'b', 'd');
  put('sa', 'chart', 'b', 'd', { path: null });
  put('eu', 'mail', 'd');
  const { commits } = await answerOf(running, present(), {});
  expect(commits.map(({ sha, behind, touching }) => [sha.slice(0, 1), behind, touching])).toEqual([
    ['d', 0, []],
    [
      'b',
      2,
      [
        { least: 2, most: 2, clusters: ['eu'] },
        { least: 0, most: 2, clusters: ['us'] },
        { least: 0, most: 0, clusters: ['ap'] },
      ],
    ],
  ]);
});

it('count what each is built from: of one path with other components they are others, and of what is not known none are', async () => {
  const files = ['web', 'tls', 'tls', 'web'].map((path) => [`${path}/k.yaml`]);
  git = fakeGit({ url, commits: ['a', 'b', 'c', 'd'].map((digit, at) => ({ digit, files: files[at] ?? [] })) });
  for (const name of ['ap', 'sa']) cache.apply([{ type: 'cluster', cluster: sampleCluster(name) }]);
  const having = (components: readonly string[]) => ({ builds: { components, ignore: null, sparse: [] } });
  put('eu', 'web', 'a', 'd');
  put('us', 'web', 'a', 'd', having(['../tls']));
  put('ap', 'web', 'a', 'd', having(['../docs']));
  put('sa', 'web', 'a', 'd', { ...hasComponents, builds: { components: null, ignore: null, sparse: [] } });
  const touching = async () => (await answerOf(running, present(), {})).commits.map((one) => one.touching);
  expect(await touching()).toEqual([
    [
      { least: 3, most: 3, clusters: ['us'] },
      { least: 1, most: 1, clusters: ['ap', 'eu'] },
    ],
  ]);
  put('ap', 'web', 'a', 'd', having(['../tls']));
  expect(await touching()).toEqual([
    [
      { least: 3, most: 3, clusters: ['ap', 'us'] },
      { least: 1, most: 1, clusters: ['eu'] },
    ],
  ]);
});

it('say nothing by cluster of what follows another branch than the one that they are counted on', async () => {
  put('eu', 'web', 'a', 'c');
  const other = `other@sha1:${fakeSha('a')}`;
  put('us', 'web', 'a', 'a', { revision: { applied: other, attempted: null, offered: other } });
  const { commits } = await answerOf(running, present(), {});
  expect(commits.map(({ branch, behind, touching }) => [branch, behind, touching])).toEqual([
    ['main', 2, [{ least: 0, most: 0, clusters: ['eu'] }]],
  ]);
});

it('say nothing by cluster where the mirror was fetched while it was asked: no more commits touch it than there are', async () => {
  const known = fakeGit({ url, commits: ['a', 'b'].map((digit) => ({ digit, files: ['web/k.yaml'] })) });
  let questions = 0;
  git = {
    ...known,
    distances(repository, ranges) {
      questions += 1;
      if (questions === 2) known.add({ digit: 'c', files: ['web/k.yaml'] });
      return known.distances(repository, ranges);
    },
  };
  put('eu', 'web', 'a', 'b');
  const { commits } = await answerOf(running, present(), {});
  expect(commits.map(({ behind, touching }) => [behind, touching])).toEqual([[1, []]]);
});

it('say nothing by cluster where a source follows no branch, or the mirror is older than what is offered', async () => {
  put('eu', 'web', 'a', 'c');
  const tag = `refs/tags/v1@sha1:${fakeSha('a')}`;
  put('eu', 'mail', 'a', 'a', { revision: { applied: tag, attempted: null, offered: tag } });
  put('us', 'web', 'b', 'e');
  const { commits } = await answerOf(running, present(), {});
  expect(commits.map(({ sha, behind, touching }) => [sha.slice(0, 1), behind, touching])).toEqual([
    ['a', 2, []],
    ['b', null, []],
  ]);
});
