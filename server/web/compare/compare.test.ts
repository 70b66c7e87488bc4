import { pathOfBuild } from '#lib/domain/commit/build-path.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { type ComparedState, CompareQuery } from '#lib/api/git/compare.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import type { GitReader } from '#server/git/port/git-reader.ts';
import type { ComparedFile, GitCommit, GitPoint } from '#server/git/port/shapes.ts';
import { createFleetCache } from '../cache/fleet-cache.ts';
import { compare } from '../endpoints/commits/compare.ts';
import { isRefused } from '../http/problem.ts';
import { fakeGit, fakeSha } from '../testing/fake-git.ts';
import { answerOf, sampleMoment, samplePresent } from '../testing/moment.ts';
import { sampleCluster, sampleNow, sampleObject } from '../testing/sample.ts';

const url = 'https://github.com/acme/control-repo';
const key = 'github.com/acme/control-repo';

let cache: ReturnType<typeof createFleetCache>;
let files: readonly ComparedFile[];
let asked: { left: GitPoint; right: GitPoint }[];

function applier(cluster: string, name: string, path: string, verdict: 'converged' | 'diverged' = 'converged'): void {
  const object = sampleObject({ cluster, name }, { repository: url, path, commit: fakeSha('a'), verdict });
  cache.apply([{ type: 'object', object }]);
}

/** Commits a and b; `builtFrom` says of a file that what lies beneath a path is built from it. */
function git(part: Partial<GitReader> = {}): GitReader {
  const fake = fakeGit({
    url,
    commits: [
      { digit: 'a', files: [] },
      { digit: 'b', files: [] },
    ],
  });
  const commitAt = async (at: GitPoint): Promise<GitCommit> => {
    const told = await fake.commits(url, [at.type === 'commit' ? at.sha : fakeSha('b')]);
    const [commit] = told.type === 'told' ? told.answer : [];
    if (!commit) throw new Error('no commit');
    return commit;
  };
  return {
    ...fake,
    async compare(_repository, left, right) {
      asked.push({ left: left.at, right: right.at });
      const counts = { equal: 0, different: 0, leftOnly: 0, rightOnly: 0 };
      for (const { status } of files)
        counts[status === 'left-only' ? 'leftOnly' : status === 'right-only' ? 'rightOnly' : status] += 1;
      const answer = {
        left: { commit: await commitAt(left.at), path: left.path, exists: true },
        right: { commit: await commitAt(right.at), path: right.path, exists: true },
        ...{ files: [...files], counts },
      };
      return { type: 'told', asOf: sampleNow, answer };
    },
    builtFrom: (_repository, _at, { paths, files: of }) =>
      Promise.resolve({
        type: 'told',
        asOf: sampleNow,
        answer: of.map((file) =>
          paths.flatMap((path, index) => (file.startsWith(`${pathOfBuild(path)}/`) ? [index] : [])),
        ),
      }),
    diff: () => Promise.resolve({ type: 'told', asOf: sampleNow, answer: { content: 'text', hunks: [], cut: false } }),
    ...part,
  };
}

const present = (reader = git(), rest: Parameters<typeof samplePresent>[1] = {}) =>
  samplePresent(sampleMoment(cache, defaultPolicy, reader), rest);

const ask = (query: z.input<typeof CompareQuery>, of = present()) => answerOf(compare, of, query);

beforeEach(() => {
  asked = [];
  files = [];
  cache = createFleetCache();
  for (const name of ['eu', 'us']) cache.apply([{ type: 'cluster', cluster: sampleCluster(name) }]);
});

describe('what may be compared', () => {
  it('are directories beside each other that are called after places, behind those that are named', async () => {
    applier('eu', 'apps', 'clusters/eu/apps');
    applier('us', 'apps', 'clusters/us/apps');
    const page = await ask(
      {},
      present(git(), { pairs: () => Promise.resolve([{ left: 'base/a', right: 'base/b', repository: null }]) }),
    );
    expect(page).toMatchObject({ repository: key, comparison: null, reason: null, morePairs: false });
    expect(page.pairs).toEqual([
      { left: 'base/a', right: 'base/b', configured: true, repository: key },
      { left: 'clusters/eu', right: 'clusters/us', configured: false, repository: key },
    ]);
  });

  it('is of the repository that it names, however that is written, and left out where another one is asked for', async () => {
    applier('eu', 'apps', 'clusters/eu');
    applier('us', 'apps', 'clusters/us');
    const other = 'github.com/acme/other';
    const pairs = [
      { left: 'clusters/eu', right: 'clusters/us', repository: `git@github.com:acme/other.git` },
      { left: 'base/a', right: 'base/b', repository: `${url}.git` },
    ];
    const all = (await ask({}, present(git(), { pairs: () => Promise.resolve(pairs) }))).pairs;
    expect(all.map((pair) => [pair.left, pair.repository])).toEqual([
      ['clusters/eu', other],
      ['base/a', key],
      ['clusters/eu', key],
    ]);
    const own = (await ask({ repository: url }, present(git(), { pairs: () => Promise.resolve(pairs) }))).pairs;
    expect(own.map(({ left }) => left)).toEqual(['base/a', 'clusters/eu']);
  });

  it('is told once where it is named and found, either way round', async () => {
    applier('eu', 'apps', 'clusters/eu');
    applier('us', 'apps', 'clusters/us');
    const pairs = [{ left: 'clusters/us', right: 'clusters/eu', repository: null }];
    expect((await ask({}, present(git(), { pairs: () => Promise.resolve(pairs) }))).pairs).toHaveLength(1);
  });
});

describe('two directories', () => {
  beforeEach(() => {
    applier('eu', 'web', 'clusters/eu/web', 'diverged');
    applier('us', 'web', 'clusters/us/web');
    files = [
      { path: 'web/a.yaml', status: 'different', content: 'text' },
      { path: 'web/b.yaml', status: 'equal', content: 'text' },
      { path: 'web/c.yaml', status: 'left-only', content: 'text' },
      { path: 'other.yaml', status: 'right-only', content: 'binary' },
    ];
  });
  const sides = { left: 'clusters/eu', right: 'clusters/us' };

  it('are told file by file, each with what is built from it on either side, those away from git first', async () => {
    const { comparison } = await ask(sides);
    expect(comparison?.counts).toEqual({ equal: 1, different: 1, leftOnly: 1, rightOnly: 1 });
    expect(
      comparison?.files.map(({ path, objects, objectCount }) => [
        path,
        objects?.map(({ cluster, verdict }) => `${cluster} ${verdict}`),
        objectCount,
      ]),
    ).toEqual([
      ['web/a.yaml', ['eu diverged', 'us converged'], 2],
      ['web/c.yaml', ['eu diverged'], 1],
      ['other.yaml', [], 0],
    ]);
  });

  it.each<readonly [ComparedState, readonly string[], number]>([
    ['equal', ['web/b.yaml'], 1],
    ['left-only', ['web/c.yaml'], 1],
    ['different', ['web/a.yaml'], 1],
  ])('may be asked for the files that are %s alone', async (only, paths, count) => {
    const { comparison } = await ask({ ...sides, only });
    expect([comparison?.files.map(({ path }) => path), comparison?.asked]).toEqual([paths, count]);
  });

  it('list five hundred files, and tell how many there are', async () => {
    files = Array.from({ length: 600 }, (_, at) => ({ path: `f${at}`, status: 'different', content: 'text' }));
    const { comparison } = await ask(sides);
    expect([comparison?.files.length, comparison?.asked]).toEqual([500, 600]);
  });

  it('look at each object once, however many files it is built from', async () => {
    for (let n = 0; n < 300; n += 1)
      applier('eu', `o${n}`, `clusters/eu/${n % 30}`, n === 299 ? 'diverged' : 'converged');
    files = Array.from({ length: 500 }, (_, at) => ({ path: `f${at}`, status: 'different', content: 'text' }));
    const everywhere = git({
      builtFrom: (_repository, _at, { paths, files: of }) =>
        Promise.resolve({ type: 'told', asOf: sampleNow, answer: of.map(() => paths.map((_, index) => index)) }),
    });
    const known = present(everywhere);
    let found = 0;
    const { comparison } = await ask(sides, { ...known, find: (...given) => ((found += 1), known.find(...given)) });
    expect(new Set(comparison?.files.map(({ objectCount }) => objectCount))).toEqual(new Set([302]));
    expect(comparison?.files[499]?.objects?.slice(0, 3).map(({ name }) => name)).toEqual(['o299', 'web', 'o0']);
    expect(comparison?.files[499]?.objects).toHaveLength(20);
    // And at the source of each side.
    expect(found).toBe(302 + 2);
  });

  it('say that it is not told what is built from a file, rather than that nothing is', async () => {
    const silent = git({ builtFrom: () => Promise.resolve({ type: 'not-told', reason: 'busy' }) });
    const { comparison } = await ask(sides, present(silent));
    expect(comparison?.files.map(({ objects }) => objects)).toEqual([null, null, null]);
  });

  it.each<readonly [string, object, readonly [GitPoint, GitPoint]]>([
    [
      'the default branch',
      {},
      [
        { type: 'branch', name: 'main' },
        { type: 'branch', name: 'main' },
      ],
    ],
    [
      'one commit',
      { leftAt: fakeSha('a') },
      [
        { type: 'commit', sha: fakeSha('a') },
        { type: 'commit', sha: fakeSha('a') },
      ],
    ],
    [
      'two commits',
      { leftAt: 'aaaaaaa', rightAt: fakeSha('b') },
      [
        { type: 'commit', sha: fakeSha('a') },
        { type: 'commit', sha: fakeSha('b') },
      ],
    ],
    [
      'a branch',
      { leftAt: 'feature', rightAt: 'main' },
      [
        { type: 'branch', name: 'feature' },
        { type: 'branch', name: 'main' },
      ],
    ],
  ])('are read at %s', async (_name, at, [left, right]) => {
    await ask({ ...sides, ...at });
    expect(asked).toEqual([{ left, right }]);
  });

  it('are one directory at two commits where only one is named', async () => {
    const { comparison } = await ask({ left: 'clusters/eu', leftAt: fakeSha('a'), rightAt: fakeSha('b') });
    expect([comparison?.left.path, comparison?.right.path]).toEqual(['clusters/eu', 'clusters/eu']);
  });

  it('come with the lines of a file, or why these are not told', async () => {
    expect((await ask({ ...sides, file: 'web/a.yaml' })).diff).toMatchObject({
      file: 'web/a.yaml',
      content: 'text',
    });
    const silent = git({ diff: () => Promise.resolve({ type: 'not-told', reason: 'It is too large.' }) });
    const page = await ask({ ...sides, file: 'web/a.yaml' }, present(silent));
    expect([page.diff, page.reason]).toEqual([null, 'The lines of web/a.yaml are not told: It is too large.']);
    expect(page.comparison).not.toBeNull();
  });

  it('are read at the commits that are named, though the branch moves meanwhile', async () => {
    const later: GitPoint[] = [];
    const moving = git({
      builtFrom: (_repository, at, { files: of }) => {
        later.push(at);
        return Promise.resolve({ type: 'told', asOf: sampleNow, answer: of.map(() => []) });
      },
      diff: (_repository, left, right) => {
        later.push(left.at, right.at);
        return Promise.resolve({ type: 'told', asOf: sampleNow, answer: { content: 'text', hunks: [], cut: false } });
      },
    });
    const { comparison } = await ask({ ...sides, file: 'web/a.yaml' }, present(moving));
    const named = { type: 'commit', sha: comparison?.left.commit.sha };
    expect(later).toEqual([named, named, named, named]);
  });

  it('say why they are not told', async () => {
    const silent = git({ compare: () => Promise.resolve({ type: 'not-told', reason: 'There is no such branch.' }) });
    expect(await ask(sides, present(silent))).toMatchObject({
      comparison: null,
      reason: 'There is no such branch.',
    });
  });
});

it('of a repository that is not mirrored there is nothing', async () => {
  const query = CompareQuery.parse({ repository: 'https://git.example.org/other' });
  const answer = await compare.ask(present(), query);
  expect(isRefused(answer) && answer.refused.type).toBe('not-found');
});
