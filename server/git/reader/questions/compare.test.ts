import { afterEach, beforeEach, expect, it } from 'vitest';
import type { FileDiff } from '../../port/shapes.ts';
import { madeRepository, type MadeCommit, type MadeRepository } from '../testing/made-repository.ts';
import { answerOf, opened } from '../testing/opened.ts';

let made: MadeRepository;
beforeEach(() => {
  made = madeRepository();
});
afterEach(() => made.remove());

const main = { type: 'branch', name: 'main' } as const;
type Content = NonNullable<MadeCommit['files']>[string];

it('tells two directories file by file', async () => {
  made.commits({
    on: 'main',
    files: {
      'eu/same.yaml': '1',
      'us/same.yaml': '1',
      'eu/other.yaml': '1',
      'us/other.yaml': '2',
      'eu/deep/only.yaml': '1',
      'us/new.yaml': '1',
      'eu/picture.png': Buffer.of(1, 0, 2),
      'us/picture.png': Buffer.of(1, 0, 3),
      'eu/big.json': 'x'.repeat(600_000),
      'eu/link': { link: 'same.yaml' },
      'us/link': 'same.yaml',
      'us/module': { submodule: '1'.repeat(40) },
    },
  });
  const found = answerOf(await (await opened(made)).compare({ at: main, path: '/eu/' }, { at: main, path: './us' }));
  expect(found.files.map(({ path, status, content }) => `${path} ${status} ${content}`)).toEqual([
    'big.json left-only too-large',
    'deep/only.yaml left-only text',
    'link different link',
    'module right-only submodule',
    'new.yaml right-only text',
    'other.yaml different text',
    'picture.png different binary',
    'same.yaml equal text',
  ]);
  expect(found.counts).toEqual({ equal: 1, different: 3, leftOnly: 2, rightOnly: 2 });
  expect([found.left.path, found.left.exists, found.right.path]).toEqual(['eu', true, 'us']);
});

it('tells one directory at two commits, and a directory that is not there', async () => {
  const [one = ''] = made.commits(
    { on: 'main', files: { 'a/x': '1' } },
    { on: 'main', files: { 'a/x': '2', 'b/x': '1' } },
  );
  const reader = await opened(made);
  const before = { type: 'commit', sha: one } as const;
  const found = answerOf(await reader.compare({ at: before, path: 'a' }, { at: main, path: 'a' }));
  expect([found.counts.different, found.left.commit.sha]).toEqual([1, one]);
  const absent = answerOf(await reader.compare({ at: before, path: 'b' }, { at: main, path: 'b' }));
  expect([absent.left.exists, absent.right.exists, absent.counts.rightOnly]).toEqual([false, true, 1]);
});

it('tells those that differ first where there are more than it tells', async () => {
  const many = Object.fromEntries(Array.from({ length: 2_100 }, (_, n) => [`a/f${String(n).padStart(5, '0')}`, '1']));
  const [one = ''] = made.commits({ on: 'main', files: many }, { on: 'main', files: { 'a/z': '1', 'a/f02099': '2' } });
  const at = { type: 'commit', sha: one } as const;
  const found = answerOf(await (await opened(made)).compare({ at, path: 'a' }, { at: main, path: 'a' }));
  expect(found.files).toHaveLength(2_000);
  expect(found.files.slice(-2).map(({ path }) => path)).toEqual(['f02099', 'z']);
  expect(found.counts).toEqual({ equal: 2_099, different: 1, leftOnly: 0, rightOnly: 1 });
});

async function diffOf(left: Content, right: Content): Promise<FileDiff> {
  made.commits({ on: 'main', files: { 'l/f': left, 'r/f': right, other: '1' } });
  return answerOf(await (await opened(made)).diff({ at: main, path: 'l/f' }, { at: main, path: 'r/f' }));
}

function drawn({ hunks }: FileDiff): readonly string[] {
  const marks = { same: ' ', left: '-', right: '+' };
  return hunks.flatMap(({ lines }) => [
    '@',
    ...lines.map(({ type, left, right, text }) => `${marks[type]}${left ?? ''}:${right ?? ''} ${text}`),
  ]);
}

const ten = Array.from({ length: 10 }, (_, n) => `line ${n + 1}\n`).join('');

it.each<[string, Content, Content, readonly string[]]>([
  [
    'a line that differs',
    ten,
    ten.replace('line 5\n', 'five\n'),
    [
      '@',
      ' 2:2 line 2',
      ' 3:3 line 3',
      ' 4:4 line 4',
      '-5: line 5',
      '+:5 five',
      ' 6:6 line 6',
      ' 7:7 line 7',
      ' 8:8 line 8',
    ],
  ],
  [
    'lines that look like a difference',
    'a\n-- x\n++ y\n',
    'a\n@@ -1 +1 @@\n++ y\n',
    ['@', ' 1:1 a', '-2: -- x', '+:2 @@ -1 +1 @@', ' 3:3 ++ y'],
  ],
  ['no line feed at the end', 'a\nb', 'a\nb\n', ['@', ' 1:1 a', '-2: b', '+:2 b']],
  ['a file that is not there', 'a\nb\n', null, ['@', '-1: a', '-2: b']],
  ['nothing', ten, ten, []],
  ['an empty file', '', 'a\n', ['@', '+:1 a']],
  ['links', { link: 'a' }, { link: 'b' }, ['@', '-1: a', '+:1 b']],
  ['a submodule', { submodule: '1'.repeat(40) }, 'a\n', ['@', `-1: commit ${'1'.repeat(40)}`, '+:1 a']],
])('draws %s', async (_, left, right, expected) => {
  expect(drawn(await diffOf(left, right))).toEqual(expected);
});

it.each<[string, Content, Content, string]>([
  ['binary', Buffer.of(0, 1), 'a\n', 'binary'],
  ['too large', 'x'.repeat(600_000), 'a\n', 'too-large'],
])('says that a file is %s', async (_, left, right, content) => {
  expect(await diffOf(left, right)).toEqual({ content, hunks: [], cut: false });
});

it('hides what may be secret by the lines around it, and letters that nobody sees', async () => {
  const secret = 'apiVersion: v1\nkind: Secret\ndata:\n  key: c3VwZXItc2VjcmV0LXZhbHVl\n';
  const key = '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA1\nabcDEF\n-----END RSA PRIVATE KEY-----\n';
  const found = await diffOf(`${secret}---\na: 1\n`, `${secret}---\n${key}b: \u202e2\n`);
  const text = drawn(found).join('\n');
  expect(text).not.toMatch(/c3VwZXI|MIIEp|abcDEF|\u202e/);
  expect(text).toContain(String.raw`b: \u{202e}2`);
  // Every line is there, with its number.
  expect(found.hunks[0]?.lines.at(-1)?.right).toBe(10);
});

it('cuts a difference of more lines than it tells', async () => {
  const many = (mark: string): string => Array.from({ length: 3_000 }, (_, n) => `${mark}${n}\n`).join('');
  const { hunks, cut } = await diffOf(many('a'), many('b'));
  expect([hunks[0]?.lines.length, cut]).toEqual([2_000, true]);
});

it('has no answer where there is no such file', async () => {
  made.commits({ on: 'main', files: { a: '1' } });
  const reader = await opened(made);
  expect(await reader.diff({ at: main, path: 'x' }, { at: main, path: 'y' })).toMatchObject({ type: 'not-told' });
});
