import { afterEach, beforeEach, expect, it } from 'vitest';
import { BuildClosure, CommitFiles, Comparison, FileDiff, GitCommit } from '../../port/shapes.ts';
import { madeRepository, type MadeRepository } from '../testing/made-repository.ts';
import { answerOf, opened } from '../testing/opened.ts';

let made: MadeRepository;
beforeEach(() => {
  made = madeRepository();
});
afterEach(() => made.remove());

const main = { type: 'branch', name: 'main' } as const;
/** 300 KB, in directories of 200 letters. */
const longPath = Array.from({ length: 1_500 }, () => 'x'.repeat(200)).join('/');
const names = [
  'a\nb.yaml',
  '--output=x',
  'with space',
  ':colon',
  '"quoted"',
  'bidi\u202etxt',
  '*',
  '100644 blob',
  'tab\tname',
];

it('reads names that mean something to a shell, to git, to a terminal', async () => {
  const files = {
    'bytes:in/\xff\xfe.yaml': '1',
    [`in/${longPath}`]: '1',
    ...Object.fromEntries(names.map((name) => [`in/${name}`, '1'])),
  };
  const after = Object.fromEntries(names.map((name) => [`in/${name}`, '2']));
  const [from = '', change = ''] = made.commits(
    { on: 'main', files },
    { on: 'main', files: { ...after, 'bytes:in/\xff\xfe.yaml': '2', [`in/${longPath}`]: '2' } },
  );
  const reader = await opened(made);
  const told = CommitFiles.parse(answerOf(await reader.files(change)));
  expect(told.count).toBe(names.length + 2);
  expect(told.files.filter(({ path }) => /[\n\u202e]/.test(path) || path.length > 1_100)).toEqual([]);
  const [between] = answerOf(await reader.between([{ path: 'in', from, to: main }]));
  expect(between).toMatchObject({ type: 'known', touching: [{ fileCount: names.length + 2 }] });
  for (const name of [...names, longPath]) {
    const [own] = answerOf(await reader.between([{ path: `in/${name}`, from, to: main }]));
    expect(own).toMatchObject({ type: 'known', touchingCount: 1 });
  }
  const left = { at: { type: 'commit', sha: from } as const, path: 'in' };
  const compared = Comparison.parse(answerOf(await reader.compare(left, { at: main, path: 'in' })));
  expect(compared.counts).toEqual({ equal: 0, different: names.length + 2, leftOnly: 0, rightOnly: 0 });
  for (const name of names) {
    const diff = await reader.diff({ ...left, path: `in/${name}` }, { at: main, path: `in/${name}` });
    expect(FileDiff.parse(answerOf(diff)).hunks).toHaveLength(1);
  }
});

it.each(['../../etc/passwd', '/etc/passwd', '--output=/tmp/x', ':(top)a', 'a\0b', 'a:b', '', '.', '\ud800'])(
  'takes a path %j for nothing but a path',
  async (path) => {
    made.commits({ on: 'main', files: { a: '1' } });
    const reader = await opened(made);
    const answers = [
      await reader.closure({ at: main, path }),
      await reader.compare({ at: main, path }, { at: main, path: '' }),
      await reader.diff({ at: main, path }, { at: main, path: 'a' }),
      await reader.owners(main, [path]),
      await reader.builtFrom(main, { paths: [path], files: [path] }),
    ];
    expect(answers.filter(({ type }) => type !== 'told' && type !== 'not-told')).toEqual([]);
    expect(answers[3]).toEqual({ type: 'told', answer: [[]] });
  },
);

it.each(['--all', 'HEAD', 'main', `${'a'.repeat(39)}\n`, `${'a'.repeat(40)} b`, ''])(
  'takes a hash %j for no hash',
  async (sha) => {
    made.commits({ on: 'main', files: { a: '1' } });
    const reader = await opened(made);
    const at = { type: 'commit', sha } as const;
    expect([
      answerOf(await reader.commits([sha])),
      answerOf(await reader.contain(sha, [sha])),
      (await reader.files(sha)).type,
      (await reader.touches(sha, [''])).type,
      (await reader.closure({ at, path: '' })).type,
      (await reader.compare({ at, path: '' }, { at, path: '' })).type,
      (await reader.diff({ at, path: 'a' }, { at, path: 'a' })).type,
      (await reader.owners(at, ['a'])).type,
    ]).toEqual([[null], [null], ...Array.from({ length: 6 }, () => 'not-told')]);
  },
);

it('reads a message of a megabyte, a time before all times, a name without end', async () => {
  const [sha = ''] = made.commits({
    on: 'main',
    message: 'x '.repeat(500_000),
    author: `${'A'.repeat(5_000)} <a@b>`,
    at: 32_503_680_000,
  });
  const [commit] = answerOf(await (await opened(made)).commits([sha]));
  expect(GitCommit.parse(commit)).toMatchObject({ committedAt: 32_503_680_000_000 });
  expect(JSON.stringify(commit).length).toBeLessThan(1_000);
});

it('reads a closure of names that cannot be read', async () => {
  made.commits({
    on: 'main',
    files: {
      'a/kustomization.yaml': `resources: ["\\0", "\\n", "\\ud800", "${'../'.repeat(2_000)}x", "${'y'.repeat(100_000)}"]`,
    },
  });
  const closure = BuildClosure.parse(answerOf(await (await opened(made)).closure({ at: main, path: 'a' })));
  expect(closure.missing.every((name) => name.length <= 1_024)).toBe(true);
});

it('gives up on .sourceignore files that would take long, and says that it does not know', async () => {
  const deep = Array.from({ length: 500 }, () => 'aaa').join('/');
  const rules = Array.from({ length: 900 }, (_, n) => `${'*a'.repeat(30)}${n}`).join('\n');
  const [, change = ''] = made.commits(
    { on: 'main', files: { '.sourceignore': rules, [`in/${deep}/f`]: '1' } },
    { on: 'main', files: Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`in/${deep}/f${n}`, '1'])) },
  );
  const reader = await opened(made);
  const began = performance.now();
  expect(answerOf(await reader.touches(change, ['in', 'other']))).toEqual([null, false]);
  expect(performance.now() - began).toBeLessThan(8_000);
});

/** Turns that others have while something is asked. */
async function turnsWhile(ask: () => Promise<void>): Promise<number> {
  let turns = 0;
  const counting = setInterval(() => (turns += 1), 0);
  await ask();
  clearInterval(counting);
  return turns;
}

const tooMany = { type: 'unknown', why: 'too-many' } as const;

it('looks at no more files for one question than it may, however many rules sources have for a commit', async () => {
  const files = Object.fromEntries(Array.from({ length: 50_000 }, (_, number) => [`a/f${number}`, '']));
  const [from = '', change = ''] = made.commits({ on: 'main', files: { 'a/x': '' } }, { on: 'main', files });
  const reader = await opened(made);
  const numbers = Array.from({ length: 105 }, (_, number) => number);
  const held = numbers.map((number) => ({ path: 'a', components: [], ignore: '', sparse: ['a', `x${number}`] }));
  const parts = numbers.map((number) => ({ path: 'a', components: [`x${number}`], ignore: null }));
  const turns = await turnsWhile(async () => {
    const told = answerOf(await reader.distances(held.map((path) => ({ path, from, to: main }))));
    expect(told[0]).toMatchObject({ type: 'known', touching: 1 });
    expect(told.at(-1)).toEqual(tooMany);
    const touches = answerOf(await reader.touches(change, parts));
    expect([touches[0], touches.at(-1)]).toEqual([true, null]);
  });
  expect(turns).toBeGreaterThan(50);
}, 60_000);

it('counts no more commits for one question than it may, however many paths they touch', async () => {
  const changes = Array.from({ length: 20_000 }, (_, number) => ({ on: 'main', files: { 'a/x': `${number}` } }));
  const [from = ''] = made.commits(...changes);
  const reader = await opened(made);
  const paths = Array.from({ length: 320 }, (_, number) => ({ path: 'a', components: [`x${number}`], ignore: '' }));
  const turns = await turnsWhile(async () => {
    const told = answerOf(await reader.distances(paths.map((path) => ({ path, from, to: main }))));
    expect(told[0]).toMatchObject({ type: 'known', touching: 19_999 });
    expect(told.at(-1)).toEqual(tooMany);
  });
  expect(turns).toBeGreaterThan(50);
}, 60_000);

it('lets others have turns while it tells what is built from many files by many rules', async () => {
  const files = Array.from({ length: 100 }, (_, number) => `a/f${number}`);
  made.commits({ on: 'main', files: Object.fromEntries(files.map((file) => [file, ''])) });
  const reader = await opened(made);
  const numbers = Array.from({ length: 2_000 }, (_, number) => number);
  const paths = numbers.map((number) => ({ path: 'a', components: [], ignore: '', sparse: ['a', `x${number}`] }));
  const turns = await turnsWhile(async () => {
    const told = answerOf(await reader.builtFrom(main, { paths, files }));
    expect(told.map(({ length }) => length)).toEqual(files.map(() => numbers.length));
  });
  expect(turns).toBeGreaterThan(5);
}, 30_000);
