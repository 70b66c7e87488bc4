import { expect, it } from 'vitest';
import type { BuildPath } from '#lib/domain/commit/build-path.ts';
import { minute } from '#lib/domain/time/length.ts';
import type { GitRange, GitReader } from '#server/git/port/git-reader.ts';
import type { RepositoryState } from '#server/git/port/shapes.ts';
import { fakeGit, fakeSha } from '../testing/fake-git.ts';
import { sampleNow } from '../testing/sample.ts';
import { keptDistances } from './kept-distances.ts';

const url = 'https://github.com/acme/control-repo';
const main = { type: 'branch', name: 'main' } as const;

function range(path: BuildPath | null, digit: string, to: GitRange['to'] = main): GitRange {
  return { path, from: fakeSha(digit), to };
}

/** A mirror of three commits, fetched when told so, and what it was asked for. */
function mirror() {
  const git = fakeGit({ url, commits: ['a', 'b', 'c'].map((digit) => ({ digit, files: [`apps/${digit}`] })) });
  const asked: (BuildPath | null)[] = [];
  let [fetchedAt, now] = [sampleNow, sampleNow];
  const reader: GitReader = {
    ...git,
    async repositories() {
      const told = await git.repositories();
      if (told.type === 'not-told') return told;
      return { ...told, answer: told.answer.map((state): RepositoryState => ({ ...state, fetchedAt })) };
    },
    async distances(repository, ranges) {
      asked.push(...ranges.map(({ path }) => path));
      const told = await git.distances(repository, ranges);
      return told.type === 'told' ? { ...told, asOf: fetchedAt } : told;
    },
  };
  return {
    kept: keptDistances(reader, () => now),
    asked,
    fetch: (digit: string | null = null) => {
      fetchedAt += minute;
      if (digit !== null) git.add({ digit, files: [`apps/${digit}`] });
    },
    later: (ms: number) => (now += ms),
  };
}

const numbers = async (git: GitReader, ranges: readonly GitRange[]) => {
  const told = await git.distances(url, ranges);
  if (told.type === 'not-told') return told.reason;
  return [told.asOf - sampleNow, ...told.answer.map((one) => (one.type === 'known' ? one.touching : one.why))];
};

it('asks once while the branch stands where it stood, and says as of which fetch that is so', async () => {
  const { kept, asked, fetch } = mirror();
  const ranges = [range('apps', 'a'), range('apps/c', 'a'), range(null, 'b')];
  expect(await numbers(kept, ranges)).toEqual([0, 2, 0, 1]);
  fetch();
  expect(await numbers(kept, ranges)).toEqual([minute, 2, 0, 1]);
  expect(asked).toHaveLength(3);
  fetch('d');
  expect(await numbers(kept, ranges)).toEqual([2 * minute, 3, 0, 2]);
  expect(asked).toHaveLength(6);
});

it('asks for what is new among what is known, and gives all in order', async () => {
  const { kept, asked } = mirror();
  await numbers(kept, [range('apps', 'b')]);
  expect(await numbers(kept, [range('apps', 'a'), range('apps', 'b'), range('docs', 'a')])).toEqual([0, 2, 1, 0]);
  expect(asked).toEqual(['apps', 'apps', 'docs']);
});

it('asks for what was not known again after a fetch, and for what only reading may mend each time', async () => {
  const { kept, asked, fetch } = mirror();
  const unknown = range('apps', 'f');
  expect(await numbers(kept, [unknown])).toEqual([0, 'no-such-commit']);
  await numbers(kept, [unknown]);
  expect(asked).toHaveLength(1);
  fetch();
  await numbers(kept, [unknown]);
  expect(asked).toHaveLength(2);
  const other = { ...range('apps', 'a'), to: { type: 'branch', name: 'other' } } as const;
  await numbers(kept, [other]);
  await numbers(kept, [other]);
  expect(asked).toHaveLength(4);
});

it('keeps none for longer than a tag may stay away', async () => {
  const { kept, asked, later } = mirror();
  await numbers(kept, [range('apps', 'a')]);
  later(11 * minute);
  await numbers(kept, [range('apps', 'a')]);
  expect(asked).toHaveLength(2);
});

it('never gives of one build what was told of another of the same path', async () => {
  const { kept, asked } = mirror();
  const path = 'shop';
  const builds: BuildPath[] = [
    path,
    { path, components: ['../apps'], ignore: null },
    { path, components: ['../docs'], ignore: null },
    { path, components: [], ignore: '*.md' },
    { path, components: [], ignore: '' },
    JSON.stringify([path, ['../apps'], null]),
  ];
  const ranges = builds.map((build) => range(build, 'a'));
  expect(await numbers(kept, ranges)).toEqual([0, 0, 2, 0, 0, 0, 0]);
  expect(await numbers(kept, ranges.toReversed())).toEqual([0, 0, 0, 0, 0, 2, 0]);
  expect(asked).toEqual(builds);
});
