import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BuildPath } from '#lib/domain/commit/build-path.ts';
import { madeRepository, type MadeCommit, type MadeRepository } from '../testing/made-repository.ts';
import { answerOf, opened } from '../testing/opened.ts';

let made: MadeRepository;
beforeEach(() => {
  made = madeRepository();
});
afterEach(() => made.remove());

type Files = NonNullable<MadeCommit['files']>;
const main = { type: 'branch', name: 'main' } as const;

/** Answers on each commit after the first: of `touches`, and the files and counts of `between`. */
async function told(path: BuildPath, first: Files, ...then: readonly Files[]) {
  const shas = made.commits({ on: 'main', files: first }, ...then.map((files) => ({ on: 'main', files })));
  const reader = await opened(made);
  const touches = await Promise.all(shas.slice(1).map(async (sha) => answerOf(await reader.touches(sha, [path]))[0]));
  const [between] = answerOf(await reader.between([{ path, from: shas[0] ?? '', to: main }]));
  if (between?.type !== 'known') throw new Error('not known');
  const files = between.touching.map((touch) => touch.files.toSorted().join(' ')).toReversed();
  return { touches, files, count: between.touchingCount, oldest: shas.indexOf(between.oldest?.sha ?? '') };
}

const apps = (ignore: string): BuildPath => ({ path: 'apps', components: [], ignore });

describe('a file that the source leaves out', () => {
  it.each<[string, string, Files, Files]>([
    ['by the .sourceignore of the root', '', { '.sourceignore': '*.rst\n' }, { 'apps/README.rst': '2' }],
    ['by one beside it', '', { 'apps/.sourceignore': '/docs/\n' }, { 'apps/docs/a.yaml': '2' }],
    ['by spec.ignore', '*.rst', {}, { 'apps/README.rst': '2' }],
    ['by spec.ignore, which takes nothing back', '/*\n!/apps\n/apps/test', {}, { 'apps/test/a.yaml': '2' }],
    ['by default', '', {}, { 'apps/logo.png': '2', 'apps/.sops.yaml': '2' }],
    ['as a file of git', '*.rst', {}, { 'apps/.gitignore': '2' }],
  ])('does not touch: %s', async (_, ignore, first, then) => {
    const found = await told(apps(ignore), { 'apps/x.yaml': '1', ...first }, then);
    expect(found).toEqual({ touches: [false], files: [], count: 0, oldest: -1 });
  });

  it.each<[string, string, Files, Files]>([
    ['spec.ignore takes it back', '!/apps/README.rst', { '.sourceignore': '*.rst\n' }, { 'apps/README.rst': '2' }],
    [
      'a deeper .sourceignore takes it back',
      '',
      { '.sourceignore': '*.rst\n', 'apps/.sourceignore': '!x.rst' },
      { 'apps/x.rst': '2' },
    ],
    ['a rule of the source ends the default', '*.rst', {}, { 'apps/logo.png': '2' }],
    [
      'a rule anywhere in the repository ends the default',
      '',
      { 'other/.sourceignore': 'x' },
      { 'apps/logo.png': '2' },
    ],
    ['it is beside one', '*.rst', {}, { 'apps/x.yaml': '2', 'apps/README.rst': '2' }],
  ])('touches where %s', async (_, ignore, first, then) => {
    const { touches, count } = await told(apps(ignore), { 'apps/x.yaml': '1', ...first }, then);
    expect([touches, count]).toEqual([[true], 1]);
  });

  it('is told of no commit among its files', async () => {
    const both = { 'apps/x.yaml': '2', 'apps/README.rst': '2' };
    expect((await told(apps('*.rst'), { 'apps/x.yaml': '1' }, both)).files).toEqual(['apps/x.yaml']);
  });
});

it('is left out by the rules of the commit itself, and a change of the rules touches', async () => {
  const { touches, files, count, oldest } = await told(
    apps(''),
    { 'apps/x.yaml': '1', '.sourceignore': '*.rst\n' },
    { 'apps/README.rst': '1' },
    { '.sourceignore': '*.txt\n', 'apps/README.rst': '2' },
    { 'apps/README.rst': '3' },
    { '.sourceignore': null, 'apps/README.rst': '4' },
    { 'apps/a.txt': '1' },
    { 'apps/.sourceignore': '*.txt\n' },
    { 'apps/a.txt': '2' },
    { 'other/.sourceignore': 'x' },
  );
  expect(touches).toEqual([false, true, true, true, true, true, false, false]);
  expect(files).toEqual([
    '.sourceignore apps/README.rst',
    'apps/README.rst',
    '.sourceignore apps/README.rst',
    'apps/a.txt',
    'apps/.sourceignore',
  ]);
  expect([count, oldest]).toEqual([5, 2]);
});

describe('what is not known', () => {
  it.each<[string, Files]>([
    ['rules that cannot be read', { '.sourceignore': '[a\n' }],
    ['a link in their place', { '.sourceignore': { link: 'other' } }],
  ])('is not known of the commit, and counts in a range: %s', async (_, first) => {
    const found = await told(apps(''), { 'apps/x.yaml': '1', ...first }, { 'apps/x.yaml': '2' });
    expect([found.touches, found.count]).toEqual([[null], 1]);
  });

  it('nor of a path of which the source is not known, where a .sourceignore leaves it out', async () => {
    const first = { 'apps/x.yaml': '1', '.sourceignore': '*.rst\n' };
    const found = await told('apps', first, { 'apps/README.rst': '2' }, { 'apps/x.yaml': '2' });
    expect([found.touches, found.count]).toEqual([[null, true], 2]);
  });
});

it('is built from by nobody whose source leaves it out', async () => {
  made.commits({ on: 'main', files: { 'apps/x.yaml': '1', 'apps/README.rst': '1', '.sourceignore': '*.rst\n' } });
  const reader = await opened(made);
  const asked = {
    paths: [apps(''), apps('!*.rst'), 'apps', apps('x.*')],
    files: ['apps/x.yaml', 'apps/README.rst', 'apps/new.rst'],
  };
  expect(answerOf(await reader.builtFrom(main, asked))).toEqual([
    [0, 1, 2],
    [1, 2],
    [0, 1, 2, 3],
  ]);
});

describe('a source that holds some directories only', () => {
  const of = (sparse: readonly string[] | null, ignore: string | null = ''): BuildPath => {
    return { path: 'apps', components: [], ignore, sparse };
  };

  it.each<[string, readonly string[] | null, Files, Files, boolean | null]>([
    ['is touched by what it holds', ['apps'], {}, { 'apps/eu/x.yaml': '2' }, true],
    ['and by what only begins as it does', ['apps/e'], {}, { 'apps/eu/x.yaml': '2' }, true],
    ['not by what it does not hold', ['apps/us'], {}, { 'apps/eu/x.yaml': '2' }, false],
    ['not by a file above them', ['apps/eu'], {}, { 'apps/x.yaml': '2' }, false],
    ['by all where it holds all', [], {}, { 'apps/eu/x.yaml': '2' }, true],
    ['by nothing for sure where that is not known', null, {}, { 'apps/eu/x.yaml': '2' }, null],
    ['has no .sourceignore of elsewhere', ['apps'], { '.sourceignore': '*.yaml' }, { 'apps/eu/x.yaml': '2' }, true],
    ['has its own', ['apps'], { 'apps/.sourceignore': '*.yaml' }, { 'apps/eu/x.yaml': '2' }, false],
    ['has the usual rules where its own say nothing', ['apps'], { '.sourceignore': 'x' }, { 'apps/a.png': '2' }, false],
    ['is not touched by a .sourceignore of elsewhere', ['apps'], {}, { '.sourceignore': 'x' }, false],
    ['is touched by its own', ['apps'], {}, { 'apps/.sourceignore': 'x' }, true],
  ])('%s', async (_, sparse, first, then, touched) => {
    const found = await told(of(sparse), { 'apps/x.yaml': '1', 'apps/eu/x.yaml': '1', ...first }, then);
    expect(found.touches).toEqual([touched]);
  });
});

it('is told soon of a commit of many files, however much its source says of what it holds', async () => {
  const sparse = Array.from({ length: 256 }, (_, n) => `apps/${'x'.repeat(1_000)}${n}`);
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`apps/${n}.yaml`, '2']));
  const [, change = ''] = made.commits({ on: 'main', files: { 'apps/x.yaml': '1' } }, { on: 'main', files: many });
  const reader = await opened(made);
  const builds = ['apps', 'other'].map((path): BuildPath => ({ path, components: [], ignore: '', sparse }));
  await reader.touches(change, ['apps']);
  const began = performance.now();
  expect(answerOf(await reader.touches(change, builds))).toEqual([false, false]);
  expect(performance.now() - began).toBeLessThan(2_000);
});
