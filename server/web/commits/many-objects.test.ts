import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { refKey } from '#lib/domain/observation/ref.ts';
import { CommitsQuery } from '#lib/api/commit.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import type { GitReader } from '#server/git/port/git-reader.ts';
import { fakeGit, fakeSha } from '../testing/fake-git.ts';
import { createFleetCache } from '../cache/fleet-cache.ts';
import { given, sampleMoment } from '../testing/moment.ts';
import { sampleCluster, sampleObject } from '../testing/sample.ts';
import { commitList } from './commit-list.ts';
import { fatesOf } from './fates.ts';
import { repositoriesOf } from './fleet-repositories.ts';

const url = 'https://github.com/acme/control-repo';
const revision = `main@sha1:${fakeSha('b')}`;

/** A cluster of 60 objects, 20 of which are built from a path. */
function cluster(number: number): { readonly objects: readonly KnownObject[] } {
  const name = `c${number}`;
  const of = {
    repository: url,
    commit: fakeSha('b'),
    revision: { applied: revision, attempted: revision, offered: revision },
  };
  const objects = Array.from({ length: 60 }, (_, index) =>
    sampleObject(
      { cluster: name, name: `o${index}` },
      { ...of, path: index % 3 === 0 ? `clusters/${number % 50}/o${index}` : null },
    ),
  );
  return { objects };
}

/** Counts questions, and what was asked with them. */
function counting(git: GitReader) {
  const asked = { questions: 0, entries: 0 };
  const count = <Given extends readonly unknown[]>(given: Given): Given => {
    asked.questions += 1;
    asked.entries += given.length;
    return given;
  };
  const counted: GitReader = {
    ...git,
    touches: (repository, sha, paths) => git.touches(repository, sha, count(paths)),
    contain: (repository, sha, commits) => git.contain(repository, sha, count(commits)),
    between: (repository, ranges) => git.between(repository, count(ranges)),
  };
  return { asked, git: counted };
}

describe('1,000 clusters with 60,000 objects', () => {
  let clusters: { readonly objects: readonly KnownObject[] }[];
  beforeAll(() => {
    clusters = Array.from({ length: 1_000 }, (_, number) => cluster(number));
  });

  it('are looked through once, and then only where one has changed', () => {
    const [first] = repositoriesOf(clusters);
    expect(first?.objects).toHaveLength(20_000);
    expect(repositoriesOf([...clusters])[0]).toBe(first);
    const looked: string[] = [];
    const watched = (one: KnownObject): KnownObject => ({
      ...one,
      get role() {
        looked.push(refKey(one.ref));
        return one.role;
      },
    });
    const other = { objects: (clusters[7]?.objects ?? []).map(watched) };
    const [next] = repositoriesOf(clusters.with(7, other));
    expect(next?.objects).toHaveLength(20_000);
    expect(new Set(looked).size).toBe(60);
    expect(repositoriesOf(clusters.slice(0, 3))[0]?.objects).toHaveLength(60);
    expect(repositoriesOf(clusters)[0]).toBe(first);
  });

  it('ask git once of a commit, and then of nothing but what is new', async () => {
    const { git, asked } = counting(
      fakeGit({
        url,
        commits: [
          { digit: 'a', files: ['clusters/7/o0/x'] },
          { digit: 'b', files: ['clusters/8/o0/x'] },
          { digit: 'c', files: ['clusters/7/o0/x'] },
        ],
      }),
    );
    const [repository] = repositoriesOf(clusters);
    const objects = repository?.objects ?? [];
    const once = await fatesOf(git, url, fakeSha('a'), objects, () => null);
    expect(once.filter(({ fate }) => fate.state === 'converged')).toHaveLength(20);
    const { questions, entries } = asked;
    // 1,000 paths, the one commit that runs, and one range.
    expect([questions, entries]).toEqual([3, 1_002]);
    expect(await fatesOf(git, url, fakeSha('a'), objects, () => null)).toEqual(once);
    expect([asked.questions, asked.entries]).toEqual([questions, entries]);
    // One cluster moves on.
    const moved = objects.map((object) => (object.ref.cluster === 'c7' ? { ...object, commit: fakeSha('c') } : object));
    const after = await fatesOf(git, url, fakeSha('a'), moved, () => null);
    expect(after.filter(({ fate }) => fate.state === 'superseded').map(({ object }) => object.ref.cluster)).toEqual([
      'c7',
    ]);
    expect([asked.questions - questions, asked.entries - entries]).toEqual([2, 2]);
  });

  it('are counted for the newest commits of a list, as far as that goes, and others are served in between', async () => {
    const files = clusters.flatMap(({ objects }) => objects.flatMap(({ path }) => (path === null ? [] : `${path}/x`)));
    const digits = '0123456789abcdef'.split('');
    const all = digits.map((digit) => ({ digit, files: [...new Set(files)] }));
    const git: GitReader = {
      ...fakeGit({ url, commits: all }),
      between: (_url, ranges) =>
        Promise.resolve({
          ...{ type: 'told', asOf: 0 },
          answer: ranges.map(() => ({ type: 'unknown' as const, why: 'too-many' as const })),
        }),
    };
    const cache = createFleetCache();
    for (const { objects } of clusters)
      cache.apply([
        { type: 'cluster', cluster: sampleCluster(objects[0]?.ref.cluster ?? '') },
        ...objects.map((object) => ({ type: 'object' as const, object })),
      ]);
    const moment = sampleMoment(cache, defaultPolicy, git);
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 0);
    const { rows } = given(await commitList(moment, CommitsQuery.parse({ limit: 16 })));
    clearInterval(counting);
    const counted = rows.map(({ counts }) => counts !== null);
    expect(counted).toEqual(digits.map((_, index) => index < 15));
    expect(turns).toBeGreaterThan(10);
  });

  it('what git did not know is asked again', async () => {
    const known = fakeGit({
      url,
      commits: [
        { digit: 'a', files: ['clusters/7/o0/x'] },
        { digit: 'b', files: [] },
      ],
    });
    let isThere = false;
    const git: GitReader = {
      ...known,
      touches: (...given) =>
        isThere ? known.touches(...given) : Promise.resolve({ type: 'not-told', reason: 'It is not there.' }),
    };
    const objects = clusters[7]?.objects.filter(({ path }) => path !== null) ?? [];
    const states = async () =>
      new Set((await fatesOf(git, url, fakeSha('a'), objects, () => null)).map(({ fate }) => fate.state));
    expect(await states()).toEqual(new Set(['unknown']));
    isThere = true;
    expect(await states()).toEqual(new Set(['converged', 'not-concerned']));
  });
});
