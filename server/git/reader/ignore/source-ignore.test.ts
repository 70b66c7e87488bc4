import { expect, it } from 'vitest';
import { leavesOut, readSourceIgnore } from './source-ignore.ts';

function isOut(text: string, path: string): boolean | null {
  const rules = readSourceIgnore(text);
  return rules === null ? null : (leavesOut(rules, path.split('/')) ?? false);
}

it.each<[string, string, boolean]>([
  ['*.txt', 'NOTES.txt', true],
  ['*.txt', 'a/b/NOTES.txt', true],
  ['/*.txt', 'a/NOTES.txt', false],
  ['docs', 'docs/a/b', true],
  ['docs', 'a/docs/b', true],
  ['docs/', 'docs', false],
  ['docs/', 'a/docs/b', true],
  ['/docs/', 'a/docs/b', false],
  ['a/b', 'a/b/c', true],
  ['a/b', 'x/a/b/c', false],
  ['a/**/z', 'a/z', true],
  ['a/**/z', 'a/b/c/z', true],
  ['**/z', 'a/b/z', true],
  ['a/**', 'a/b/c', true],
  ['/*\n!/deploy', 'deploy/x', false],
  ['/*\n!/deploy', 'other/x', true],
  ['!x\nx', 'x', true],
  ['\\#x', '#x', true],
  ['\\!x', '!x', true],
  ['# x\n\nx  ', 'x', true],
  ['x?[a-c]', 'xyb', true],
  ['x?[!a-c]', 'xyb', false],
])('%j of %s: %s', (text, path, is) => {
  expect(isOut(text, path)).toBe(is);
});

it('what cannot be read says nothing, and what is long ends', () => {
  expect(readSourceIgnore('[a')).toBeNull();
  expect(readSourceIgnore('a\n'.repeat(1_001))).toBeNull();
  expect(isOut(`${'*a'.repeat(200)}\n`.repeat(10), 'a'.repeat(255))).toBe(true);
});

it('takes blanks from the end of a line in a time that grows with its length alone', () => {
  const started = performance.now();
  expect(readSourceIgnore(`${' '.repeat(65_000)}x`)).toHaveLength(1);
  expect(performance.now() - started).toBeLessThan(2_000);
});

it('keeps a blank behind a backslash at the end of a line', () => {
  const out = (line: string, path: string) => leavesOut(readSourceIgnore(line) ?? [], [path]);
  expect(['a\\   ', 'a\\ ', 'a   '].map((line) => [out(line, 'a '), out(line, 'a')])).toEqual([
    [true, null],
    [true, null],
    [null, true],
  ]);
});
