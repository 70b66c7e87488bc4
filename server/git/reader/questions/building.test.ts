import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { madeRepository, type MadeCommit, type MadeRepository } from '../testing/made-repository.ts';
import { answerOf, opened } from '../testing/opened.ts';

let made: MadeRepository;
beforeEach(() => {
  made = madeRepository();
});
afterEach(() => made.remove());

const main = { type: 'branch', name: 'main' } as const;
type Files = NonNullable<MadeCommit['files']>;

async function closureOf(files: Files, path: string) {
  made.commits({ on: 'main', files });
  return answerOf(await (await opened(made)).closure({ at: main, path }));
}

describe('closure', () => {
  it('lets others have their turn between kustomization files that cost much', async () => {
    const dense = (number: number): string => `resources: [${'a,'.repeat(17_000)}${number}]`;
    const files = Object.fromEntries(
      Array.from({ length: 8 }, (_, number) => [`a/${number}/kustomization.yaml`, dense(number)]),
    );
    made.commits({ on: 'main', files });
    const reader = await opened(made);
    const turns = vi.spyOn(globalThis, 'setImmediate');
    const found = answerOf(await reader.closure({ at: main, path: 'a' }));
    expect(turns.mock.calls.length).toBeGreaterThanOrEqual(7);
    turns.mockRestore();
    // More names than are followed: whatever lies there counts.
    expect(found.directories).toEqual(['a']);
  });

  it.each<[string, Files, string, unknown]>([
    ['a directory without kustomization', { 'a/x.yaml': '1' }, 'a', [['a'], [], []]],
    [
      'a kustomization with its base and patch',
      {
        'a/kustomization.yaml': 'resources: [../b]\npatches: [{path: p.yaml}]',
        'a/p.yaml': '1',
        'b/Kustomization': 'resources: [x.yaml]',
        'b/x.yaml': '1',
        'b/y.yaml': '1',
      },
      'a',
      [[], ['a/kustomization.yaml', 'a/p.yaml', 'b/Kustomization', 'b/x.yaml'], []],
    ],
    ['a file', { 'a/x.yaml': '1' }, 'a/x.yaml', [[], ['a/x.yaml'], []]],
    ['what is not there', { 'a/x.yaml': '1' }, 'b', [[], [], ['b']]],
    [
      'a circle',
      { 'a/kustomization.yaml': 'resources: [../b]', 'b/kustomization.yaml': 'resources: [../a]' },
      'a',
      [[], ['a/kustomization.yaml', 'b/kustomization.yaml'], []],
    ],
    [
      'itself',
      { 'a/kustomization.yaml': 'resources: [., ../a, kustomization.yaml]' },
      'a',
      [[], ['a/kustomization.yaml'], []],
    ],
    [
      'what leads out of the repository',
      { 'a/kustomization.yaml': 'resources: [../../.., /etc/passwd]' },
      'a',
      [[], ['a/kustomization.yaml'], ['../../..', '/etc/passwd']],
    ],
    [
      'remote bases',
      {
        'a/kustomization.yaml':
          'resources: ["https://user:secret@example.org/b?ref=v1", "git@example.org:b.git", "github.com/acme/b?ref=1"]',
      },
      'a',
      [
        [],
        ['a/kustomization.yaml'],
        ['https://example.org/b?ref=v1', 'git@example.org:b.git', 'github.com/acme/b?ref=1'],
      ],
    ],
    [
      'a base without kustomization',
      { 'a/kustomization.yaml': 'resources: [../b]', 'b/x.yaml': '1' },
      'a',
      [['b'], ['a/kustomization.yaml'], ['b/kustomization.yaml']],
    ],
    [
      'a kustomization that cannot be read',
      { 'a/kustomization.yaml': 'a: [', 'a/x.yaml': '1' },
      'a',
      [['a'], [], ['a/kustomization.yaml']],
    ],
    [
      'one of 300 KB',
      { 'a/kustomization.yaml': `#${'x'.repeat(300_000)}`, 'a/x.yaml': '1' },
      'a',
      [['a'], [], ['a/kustomization.yaml']],
    ],
    [
      'one that is a link',
      { 'a/kustomization.yaml': { link: '../b/kustomization.yaml' }, 'b/kustomization.yaml': '{}' },
      'a',
      [['a'], [], ['a/kustomization.yaml']],
    ],
    [
      'a link and a submodule',
      {
        'a/kustomization.yaml': 'resources: [l.yaml, s]',
        'a/l.yaml': { link: '/etc/passwd' },
        'a/s': { submodule: '1'.repeat(40) },
      },
      'a',
      [[], ['a/kustomization.yaml', 'a/l.yaml', 'a/s'], ['l.yaml', 's']],
    ],
    [
      'a directory with kustomizations beneath',
      { 'a/x/kustomization.yaml': 'resources: [../../b]', 'b/kustomization.yaml': 'resources: []' },
      'a',
      [['a'], ['b/kustomization.yaml'], []],
    ],
    [
      'charts of its own',
      {
        'a/kustomization.yaml': 'helmCharts: [{name: x, valuesFile: v.yaml}]',
        'a/v.yaml': '1',
        'a/charts/x/Chart.yaml': '1',
      },
      'a',
      [['a/charts'], ['a/kustomization.yaml', 'a/v.yaml'], []],
    ],
    ['the root', { 'x.yaml': '1' }, '', [[''], [], []]],
    [
      'a name that nobody sees',
      { 'a/kustomization.yaml': 'resources: ["b\\u202e.yaml"]', 'a/b\u202e.yaml': '1' },
      'a',
      [[], [String.raw`a/b\u{202e}.yaml`, 'a/kustomization.yaml'], []],
    ],
  ])('%s', async (_, files, path, expected) => {
    const { directories, files: found, missing } = await closureOf(files, path);
    expect([directories, found, missing]).toEqual(expected);
  });

  it('follows a chain of 90 bases, and says that one of 200 is too long', async () => {
    const chain = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, n) => [`d${n}/kustomization.yaml`, `resources: [../d${n + 1}]`]),
      );
    expect((await closureOf(chain(90), 'd0')).files).toHaveLength(90);
    made.commits({ on: 'main', files: chain(200) });
    expect(await (await opened(made)).closure({ at: main, path: 'd0' })).toMatchObject({ type: 'not-told' });
  });
});

it('tells which paths build from a file, though the file is none of them yet', async () => {
  made.commits({
    on: 'main',
    files: {
      'a/kustomization.yaml': 'resources: [../b]',
      'b/kustomization.yaml': 'resources: [x.yaml]',
      'b/x.yaml': '1',
      'c/x.yaml': '1',
    },
  });
  const asked = {
    paths: ['a', 'b', 'c', '../x'],
    files: ['b/x.yaml', 'c/new/deep.yaml', 'a/other.yaml', 'b/kustomization.yaml'],
  };
  expect(answerOf(await (await opened(made)).builtFrom(main, asked))).toEqual([[0, 1], [2], [], [0, 1]]);
});

it('tells which paths a commit touches, as they were before or after it', async () => {
  const [first = '', second = '', third = '', merge = ''] = made.commits(
    { on: 'main', files: { 'a/kustomization.yaml': 'resources: [x.yaml]', 'a/x.yaml': '1', 'b/y.yaml': '1' } },
    { on: 'main', files: { 'a/kustomization.yaml': 'resources: []', 'a/x.yaml': '2' } },
    { on: 'main', files: { 'a/x.yaml': '3' } },
    { on: 'side', parents: [':2'], files: { 'b/y.yaml': '2' } },
  );
  const reader = await opened(made);
  const touched = async (sha: string) => answerOf(await reader.touches(sha, ['a', 'b', 'c', '../x']));
  expect(await touched(first)).toEqual([true, true, false, null]);
  expect(await touched(second)).toEqual([true, false, false, null]);
  expect(await touched(third)).toEqual([false, false, false, null]);
  expect(await touched(merge)).toEqual([false, true, false, null]);
  expect(await reader.touches('1'.repeat(40), ['a'])).toMatchObject({ type: 'not-told' });
});

it('does not know of files that .sourceignore may leave out of a source, nor where that file changes', async () => {
  const [, docs = '', both = '', other = '', rules = ''] = made.commits(
    {
      on: 'main',
      files: {
        '.sourceignore': '# no words\n/*\n!/apps/\n*.txt\ntest/\n',
        'apps/a/x.yaml': '1',
        'apps/a/NOTES.txt': '1',
        'apps/a/test/y.yaml': '1',
        'apps/b/.sourceignore': 'x.*\n!x.yaml\n',
        'apps/b/x.yaml': '1',
        'docs/z.yaml': '1',
      },
    },
    { on: 'main', files: { 'apps/a/NOTES.txt': '2', 'apps/a/test/y.yaml': '2', 'docs/z.yaml': '2' } },
    { on: 'main', files: { 'apps/a/NOTES.txt': '3', 'apps/a/x.yaml': '3' } },
    { on: 'main', files: { 'apps/b/x.yaml': '2', 'apps/b/x.json': '2' } },
    { on: 'main', files: { 'apps/b/.sourceignore': '' } },
  );
  const reader = await opened(made);
  const touched = async (sha: string) => answerOf(await reader.touches(sha, ['apps/a', 'apps/b', 'docs', '']));
  expect(await touched(docs)).toEqual([null, false, null, null]);
  expect(await touched(both)).toEqual([true, false, false, true]);
  expect(await touched(other)).toEqual([false, true, false, true]);
  expect((await touched(rules))[0]).toBe(false);
  expect((await touched(rules))[2]).toBe(false);
});

describe('components of the object that builds', () => {
  const built = (...components: readonly string[]) => ({ path: 'apps/eu', components, ignore: null });
  const files = {
    'apps/eu/kustomization.yaml': 'resources: [x.yaml]',
    'apps/eu/x.yaml': '1',
    'components/tls/kustomization.yaml': 'kind: Component\nresources: [cert.yaml, ../ca]',
    'components/tls/cert.yaml': '1',
    'components/tls/README.rst': '1',
    'components/ca/kustomization.yaml': 'resources: [ca.yaml]',
    'components/ca/ca.yaml': '1',
    'plain/y.yaml': '1',
  };

  it('are built from, relative to its path, with all that they reach', async () => {
    made.commits({ on: 'main', files });
    const reader = await opened(made);
    const of = async (...components: readonly string[]) =>
      answerOf(await reader.closure({ at: main, path: built(...components) }));
    const own = ['apps/eu/kustomization.yaml', 'apps/eu/x.yaml'];
    const tls = ['components/ca/ca.yaml', 'components/ca/kustomization.yaml'];
    tls.push('components/tls/cert.yaml', 'components/tls/kustomization.yaml');
    expect(await of('../../components/tls')).toEqual({ directories: [], files: [...own, ...tls], missing: [] });
    expect(await of()).toEqual({ directories: [], files: own, missing: [] });
    expect(await of('../../plain')).toMatchObject({ directories: ['plain'], missing: ['plain/kustomization.yaml'] });
    const missing = ['../../components/none', '../../../out', 'https://example.org/x'];
    expect(await of(...missing)).toEqual({ directories: [], files: own, missing });
    const asked = {
      paths: [built('../../components/tls'), built()],
      files: ['components/ca/ca.yaml', 'apps/eu/x.yaml'],
    };
    expect(answerOf(await reader.builtFrom(main, asked))).toEqual([[0], [0, 1]]);
  });

  it('are touched, in every question, also where one comes later', async () => {
    const shas = made.commits(
      { on: 'main', files },
      { on: 'main', files: { 'components/tls/cert.yaml': '2' } },
      { on: 'main', files: { 'components/ca/ca.yaml': '2' } },
      { on: 'main', files: { 'components/tls/README.rst': '2' } },
      {
        on: 'main',
        files: { 'components/later/kustomization.yaml': 'resources: [z.yaml]', 'components/later/z.yaml': '1' },
      },
      { on: 'main', files: { 'components/later/z.yaml': '2' } },
    );
    const reader = await opened(made);
    const path = built('../../components/tls', '../../components/later');
    const touches = await Promise.all(
      shas.slice(1).map(async (sha) => answerOf(await reader.touches(sha, [path, built(), 'apps/eu']))),
    );
    expect(touches).toEqual([true, true, false, true, true].map((is) => [is, false, false]));
    const ranges = [path, built(), 'apps/eu'].map((one) => ({ path: one, from: shas[0] ?? '', to: main }));
    const between = answerOf(await reader.between(ranges));
    expect(between.map((one) => (one.type === 'known' ? one.touchingCount : one.why))).toEqual([4, 0, 0]);
  });
});
