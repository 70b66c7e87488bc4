import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Between } from '../../port/shapes.ts';
import { runGit } from '../../program/run-git.ts';
import { openRepository, type RepositoryReader } from '../open-repository.ts';
import { madeRepository, type MadeRepository } from '../testing/made-repository.ts';
import { answerOf, opened, pushed } from '../testing/opened.ts';

let made: MadeRepository;
beforeEach(() => {
  made = madeRepository();
});
afterEach(() => made.remove());

const main = { type: 'branch', name: 'main' } as const;
const overlay = 'resources:\n  - ../../base\ncomponents:\n  - ../../components/tls\npatches:\n  - path: patch.yaml\n';
const tree = {
  'base/kustomization.yaml': 'resources: [deployment.yaml]\n',
  'base/deployment.yaml': 'kind: Deployment\n',
  'components/tls/kustomization.yaml': 'kind: Component\nresources: [cert.yaml]\n',
  'components/tls/cert.yaml': 'kind: Certificate\n',
  'clusters/eu/kustomization.yaml': overlay,
  'clusters/eu/patch.yaml': 'a: 1\n',
  'clusters/eu/README.md': 'Words\n',
  'clusters/us/config.yaml': 'a: 1\n',
  'plain/a.yaml': 'a: 1\n',
};

async function asked(
  reader: RepositoryReader,
  path: string | null,
  from: string,
  to: string = main.name,
): Promise<Between> {
  const [found] = answerOf(await reader.between([{ path, from, to: { type: 'branch', name: to } }]));
  if (found === undefined) throw new Error('nothing was answered');
  return found;
}

/** Number of commits between, then files by touching commit, the newest first. */
function outline(between: Between): unknown {
  if (between.type === 'unknown') return between.why;
  return [between.commits, ...between.touching.map(({ files }) => files.toSorted().join(' '))];
}

describe('one commit behind', () => {
  it.each<[string, { readonly [path: string]: string | null }, string, unknown]>([
    ['its own file', { 'clusters/eu/patch.yaml': 'a: 2\n' }, 'clusters/eu', [1, 'clusters/eu/patch.yaml']],
    [
      'its kustomization',
      { 'clusters/eu/kustomization.yaml': `${overlay}# 2\n` },
      'clusters/eu',
      [1, 'clusters/eu/kustomization.yaml'],
    ],
    ['a file of its directory that nothing names', { 'clusters/eu/README.md': 'b\n' }, 'clusters/eu', [1]],
    ['a base', { 'base/deployment.yaml': 'b\n' }, 'clusters/eu', [1, 'base/deployment.yaml']],
    ['a component', { 'components/tls/cert.yaml': 'b\n' }, 'clusters/eu', [1, 'components/tls/cert.yaml']],
    [
      'the kustomization of a base',
      { 'base/kustomization.yaml': 'resources: []\n' },
      'clusters/eu',
      [1, 'base/kustomization.yaml'],
    ],
    ['another cluster', { 'clusters/us/config.yaml': 'b\n' }, 'clusters/eu', [1]],
    [
      'anything beneath a directory without kustomization',
      { 'clusters/us/deep/er/a.yaml': 'b\n' },
      'clusters/us',
      [1, 'clusters/us/deep/er/a.yaml'],
    ],
    ['a directory beside it that begins alike', { 'clusters/us-2/a.yaml': 'b\n' }, 'clusters/us', [1]],
    ['a removal', { 'clusters/eu/patch.yaml': null }, 'clusters/eu', [1, 'clusters/eu/patch.yaml']],
    [
      'a rename: a removal, and an addition that its kustomization does not name',
      { 'base/deployment.yaml': null, 'base/new.yaml': 'kind: Deployment\n' },
      'clusters/eu',
      [1, 'base/deployment.yaml'],
    ],
    [
      'a rename in a directory without kustomization',
      { 'plain/a.yaml': null, 'plain/b.yaml': 'a: 1\n' },
      'plain',
      [1, 'plain/a.yaml plain/b.yaml'],
    ],
    [
      'a second kustomization file, which breaks the build',
      { 'base/kustomization.yml': 'resources: []\n' },
      'clusters/eu',
      [1, 'base/kustomization.yml'],
    ],
    ['the root', { 'plain/a.yaml': 'b\n' }, '', [1, 'plain/a.yaml']],
    [
      'a path with dots and slashes',
      { 'clusters/eu/patch.yaml': 'a: 2\n' },
      './clusters//eu/',
      [1, 'clusters/eu/patch.yaml'],
    ],
    ['a path that is not there yet', { 'new/a.yaml': 'b\n' }, 'new', [1, 'new/a.yaml']],
    ['a path that leads out', { 'plain/a.yaml': 'b\n' }, '../x', 'unreadable'],
  ])('%s', async (_, files, path, expected) => {
    const [from = ''] = made.commits({ on: 'main', files: tree }, { on: 'main', files });
    expect(outline(await asked(await opened(made), path, from))).toEqual(expected);
  });

  it('says of every path alike where none is asked for', async () => {
    const [from = ''] = made.commits({ on: 'main', files: tree }, { on: 'main', files: { x: '1' } }, { on: 'main' });
    const found = await asked(await opened(made), null, from);
    expect(outline(found)).toEqual([2, '', 'x']);
  });
});

describe('what is built from moves with the commits', () => {
  it('follows a kustomization from the commit that changes it', async () => {
    const [from = ''] = made.commits(
      { on: 'main', files: tree },
      { on: 'main', files: { 'extra/a.yaml': 'not named yet' }, message: 'one' },
      { on: 'main', files: { 'clusters/eu/kustomization.yaml': 'resources: [../../extra/a.yaml]\n' }, message: 'two' },
      { on: 'main', files: { 'extra/a.yaml': 'named' }, message: 'three' },
      { on: 'main', files: { 'base/deployment.yaml': 'not named any more' }, message: 'four' },
    );
    const reader = await opened(made);
    expect(outline(await asked(reader, 'clusters/eu', from))).toEqual([
      4,
      'extra/a.yaml',
      'clusters/eu/kustomization.yaml',
    ]);
  });

  it('counts a change and its revert as two', async () => {
    const [from = ''] = made.commits(
      { on: 'main', files: tree },
      { on: 'main', files: { 'base/deployment.yaml': 'bad' } },
      { on: 'main', files: { 'base/deployment.yaml': tree['base/deployment.yaml'] } },
    );
    const found = await asked(await opened(made), 'clusters/eu', from);
    expect(found).toMatchObject({ commits: 2, touchingCount: 2 });
  });

  it('sees a base that a kustomization names before it is there', async () => {
    const [from = ''] = made.commits(
      { on: 'main', files: { 'a/kustomization.yaml': 'resources: [../later]\n' } },
      { on: 'main', files: { 'later/kustomization.yaml': 'resources: [b.yaml]\n' } },
      { on: 'main', files: { 'later/b.yaml': 'b' } },
    );
    expect(outline(await asked(await opened(made), 'a', from))).toEqual([
      2,
      'later/b.yaml',
      'later/kustomization.yaml',
    ]);
  });

  it('reaches what a kustomization beneath a directory without one names', async () => {
    const [from = ''] = made.commits(
      { on: 'main', files: { 'all/x/one/kustomization.yaml': 'resources: [../../../shared]\n', ...tree } },
      { on: 'main', files: { 'shared/kustomization.yaml': 'resources: [b.yaml]\n', 'shared/b.yaml': '1' } },
      { on: 'main', files: { 'shared/b.yaml': '2' } },
    );
    expect(outline(await asked(await opened(made), 'all', from))).toEqual([
      2,
      'shared/b.yaml',
      'shared/b.yaml shared/kustomization.yaml',
    ]);
  });

  it('learns of a push: only what is new is read, and closures that were known go on', async () => {
    const [from = ''] = made.commits({ on: 'main', files: tree });
    const reader = await opened(made);
    expect(outline(await asked(reader, 'clusters/eu', from))).toEqual([0]);
    made.commits({ on: 'main', files: { 'base/kustomization.yaml': 'resources: [other.yaml]\n' } });
    made.commits({ on: 'main', files: { 'base/other.yaml': 'o' } });
    await pushed(reader, made);
    expect(outline(await asked(reader, 'clusters/eu', from))).toEqual([
      2,
      'base/other.yaml',
      'base/kustomization.yaml',
    ]);
  });

  it('names the oldest though it is none of the 20 that are told', async () => {
    const many = Array.from({ length: 30 }, (_, n) => ({
      on: 'main',
      files: { 'plain/a.yaml': `${n}` },
      message: `${n}`,
    }));
    const [from = ''] = made.commits({ on: 'main', files: tree }, ...many);
    const found = await asked(await opened(made), 'plain', from);
    expect(found).toMatchObject({ touchingCount: 30, oldest: { subject: '0' } });
    expect(found.type === 'known' ? found.touching.map(({ commit }) => commit.subject) : []).toEqual(
      Array.from({ length: 20 }, (_, n) => `${29 - n}`),
    );
  });
});

describe('merges', () => {
  it('counts as one commit whatever a merge brought', async () => {
    const [from = ''] = made.commits({ on: 'main', files: tree });
    const [, side = ''] = made.commits(
      { on: 'side', parents: [from], files: { 'plain/a.yaml': '1' } },
      { on: 'side', files: { 'base/deployment.yaml': '2' } },
    );
    made.commits({
      on: 'main',
      parents: [from, side],
      files: { 'plain/a.yaml': '1', 'base/deployment.yaml': '2' },
      message: 'Merge',
    });
    const found = await asked(await opened(made), 'clusters/eu', from);
    expect(found).toMatchObject({
      commits: 1,
      touching: [{ commit: { subject: 'Merge' }, files: ['base/deployment.yaml'] }],
    });
  });

  it('begins inside of a merge: what the commit does not hold lies between, the merge among it', async () => {
    const [root = '', side = ''] = made.commits(
      { on: 'main', files: tree },
      { on: 'side', parents: [], files: { ...tree, 'plain/a.yaml': 'side' } },
    );
    const [own = '', inside = ''] = made.commits(
      { on: 'main', parents: [root], files: { 'plain/b.yaml': 'main' }, message: 'on main meanwhile' },
      { on: 'topic', parents: [root], files: { 'plain/c.yaml': 'topic' } },
    );
    made.commits({ on: 'main', parents: [own, inside], files: { 'plain/c.yaml': 'topic' }, message: 'Merge topic' });
    const reader = await opened(made);
    const found = await asked(reader, 'plain', inside);
    expect(found.type === 'known' ? found.touching.map(({ commit }) => commit.subject) : found).toEqual([
      'Merge topic',
      'on main meanwhile',
    ]);
    expect(outline(await asked(reader, 'plain', side))).toBe('rewritten');
  });

  it('reads a merge of 60 parents', async () => {
    const [from = ''] = made.commits({ on: 'main', files: tree });
    const sides = made.commits(
      ...Array.from({ length: 59 }, (_, n) => ({ on: `s${n}`, parents: [from], files: { [`side/${n}`]: '1' } })),
    );
    made.commits({ on: 'main', parents: [from, ...sides], files: { 'side/0': '1', 'side/58': '1' } });
    const reader = await opened(made);
    expect(outline(await asked(reader, 'side', from))).toEqual([1, 'side/0 side/58']);
    const log = answerOf(await reader.log({ branch: null, after: null, limit: 1 }));
    expect(log.commits[0]?.parents).toHaveLength(16);
    expect(outline(await asked(reader, null, sides[58] ?? ''))).toEqual([1, 'side/0 side/58']);
  });
});

describe('what is not known', () => {
  it('is rewritten after a force-push, until the old commit is merged again', async () => {
    const [root = '', old = ''] = made.commits(
      { on: 'main', files: tree },
      { on: 'main', files: { 'plain/a.yaml': '1' } },
    );
    const reader = await opened(made);
    const [fresh = ''] = made.commits({ on: 'main', parents: [root], files: { 'plain/a.yaml': '2' } });
    await pushed(reader, made);
    expect(outline(await asked(reader, 'plain', old))).toBe('rewritten');
    expect(outline(await asked(reader, 'plain', root))).toEqual([1, 'plain/a.yaml']);
    made.commits({ on: 'main', parents: [fresh, old], files: {} });
    await pushed(reader, made);
    expect(outline(await asked(reader, 'plain', old))).toEqual([2, 'plain/a.yaml']);
  });

  it.each([
    ['a commit that is not there', '1'.repeat(40), 'main', 'no-such-commit'],
    ['no hash', '--output=/tmp/x', 'main', 'no-such-commit'],
    ['a branch that is not there', '', 'nope', 'no-such-branch'],
  ])('%s', async (_, sha, branch, expected) => {
    const [tip = ''] = made.commits({ on: 'main', files: tree });
    expect(outline(await asked(await opened(made), 'plain', sha || tip, branch))).toBe(expected);
  });

  it('is a newer commit than the one that it is asked up to', async () => {
    const [old = '', tip = ''] = made.commits({ on: 'main', files: tree }, { on: 'main', files: { x: '1' } });
    const [found] = answerOf(
      await (await opened(made)).between([{ path: 'plain', from: tip, to: { type: 'commit', sha: old } }]),
    );
    expect(found).toEqual({ type: 'unknown', why: 'rewritten' });
  });

  it('is all that a shallow repository lacks', async () => {
    const shas = made.commits(
      { on: 'main', files: tree },
      ...[1, 2, 3].map((n) => ({ on: 'main', files: { 'plain/a.yaml': `${n}` } })),
    );
    const shallow = madeRepository();
    spawnSync('git', [
      '--git-dir',
      shallow.directory,
      'fetch',
      '-q',
      '--depth=2',
      `file://${made.directory}`,
      'main:main',
    ]);
    const reader = await opened(shallow);
    expect(outline(await asked(reader, 'plain', shas[0] ?? ''))).toBe('no-such-commit');
    expect(outline(await asked(reader, 'plain', shas[2] ?? ''))).toEqual([1, 'plain/a.yaml']);
    shallow.remove();
  });

  it('is unreadable where objects are gone', async () => {
    const [from = '', tip = ''] = made.commits(
      { on: 'main', files: tree },
      { on: 'main', files: { 'plain/a.yaml': '9' } },
    );
    const lost = madeRepository();
    // Commits without their trees.
    for (const sha of [from, tip]) {
      lost.git(['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'], made.git(['cat-file', 'commit', sha]));
    }
    const reader = openRepository(lost.directory, { runGit, host: null });
    expect(await reader.refresh({ defaultBranch: 'main', branches: new Map([['main', tip]]) })).toBe(false);
    expect(outline(await asked(reader, 'plain', from))).toBe('unreadable');
    lost.remove();
  });
});

it('tells the same in numbers, without the commits between', async () => {
  const [from = '', , last = ''] = made.commits(
    { on: 'main', files: tree },
    { on: 'main', files: { 'base/deployment.yaml': 'b' }, message: 'one' },
    { on: 'main', files: { 'plain/a.yaml': 'b' }, message: 'two' },
  );
  const reader = await opened(made);
  const ranges = ['clusters/eu', 'plain', 'clusters/us', null, '../x'].map((path) => ({ path, from, to: main }));
  const listed = answerOf(await reader.between(ranges));
  const numbers = answerOf(await reader.distances(ranges));
  expect(numbers).toEqual(
    listed.map((one) => {
      if (one.type === 'unknown') return one;
      const { type, to, commits, touchingCount: touching, oldest } = one;
      return { type, to, commits, touching, oldest };
    }),
  );
  expect(numbers.slice(0, 4)).toMatchObject([
    { to: last, commits: 2, touching: 1, oldest: { subject: 'one' } },
    { touching: 1, oldest: { subject: 'two' } },
    { touching: 0, oldest: null },
    { touching: 2, oldest: { subject: 'one' } },
  ]);
});
