import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commentProblems, documentProblems } from './check-docs.mjs';

let root;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'plumbline-docs-'));
  for (const [file, text] of [
    ['docs/guide.md', '# A guide\n\n## Two clocks, one rule\n'],
    ['lib/thing.ts', ''],
  ]) {
    mkdirSync(join(root, dirname(file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
});

afterAll(() => rmSync(root, { recursive: true }));

describe('a document', () => {
  it.each([
    ['a path in backticks', '`lib/thing.ts`', []],
    ['a path that is gone', 'See\n`lib/gone.ts`.', [{ line: 2, problem: 'lib/gone.ts does not exist' }]],
    ['a pattern', '`lib/*.ts`', []],
    ['a link beside it', '[guide](guide.md)', []],
    [
      'a link from the root, which nobody can follow',
      '[guide](docs/guide.md)',
      [{ line: 1, problem: 'docs/guide.md does not exist' }],
    ],
    ['a heading', '[clocks](./guide.md#two-clocks-one-rule)', []],
    ['a heading that is gone', '[c](guide.md#three)', [{ line: 1, problem: 'guide.md#three has no such heading' }]],
    ['another site', '[x](https://example.org/gone.md)', []],
    ['code', '```\n`lib/gone.ts`\n```', []],
  ])('%s', (_name, text, problems) => {
    expect(documentProblems(root, 'docs/other.md', text)).toEqual(problems);
  });
});

describe('a comment', () => {
  it.each([
    ['a document', '// See docs/guide.md.', []],
    [
      'a document that is gone',
      'const a = 1; // DESIGN.md "Clocks"',
      [{ line: 1, problem: 'DESIGN.md does not exist' }],
    ],
    ['a block', '/**\n * As facts/flux.md says,\n */', [{ line: 2, problem: 'facts/flux.md does not exist' }]],
    ['a source that is gone', '/* lib/gone.ts */', [{ line: 1, problem: 'lib/gone.ts does not exist' }]],
    ["another project's source", '// api/v1/widget_types.go, pkg/thing.ts', []],
    ['an address', '// https://example.org/docs/gone.md', []],
    ['code', "import { a } from 'lib/gone.ts';", []],
    ['after a block', "/** Fine. */\nimport { a } from 'docs/gone.md';", []],
  ])('%s', (_name, text, problems) => {
    expect(commentProblems(root, text)).toEqual(problems);
  });
});
