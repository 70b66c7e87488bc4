import { describe, expect, it } from 'vitest';
import { aliasesOfEverything, manyKeys } from '#test/hostile/yaml.ts';
import { readYaml } from './yaml-text.ts';

describe('a doubled key', () => {
  it.each([
    ['at the top', 'a: 1\nb: 2\na: 3\n', { line: 3, column: 1 }],
    ['further in', 'x:\n  - a: 1\n    a: 2\n', { line: 3, column: 5 }],
    ['in one line', 'x: { a: 1, "a": 2 }\n', { line: 1, column: 12 }],
    ['the first of several', 'x:\n  a: 1\n  a: 2\ny: 1\ny: 2\n', { line: 3, column: 3 }],
  ])('%s is said with its place', (_where, text, position) =>
    expect(readYaml(text)).toEqual({ type: 'invalid', message: 'Map keys must be unique', position }),
  );

  it.each(['x: { a: 1 }\ny: { a: 1 }\n', '1: a\n"1": b\n'])('is none in %j', (text) =>
    expect(readYaml(text)).toMatchObject({ type: 'ok' }),
  );
});

describe('a key that is no text', () => {
  it.each([
    ['a mapping', '{{a}}: 1\n', { line: 1, column: 1 }],
    ['a mapping, as a template that was not filled in', 'x: 1\ntoken: {{ secret }}\n', { line: 2, column: 9 }],
    ['a list', 'x:\n  ? [a]\n  : 1\n', { line: 2, column: 5 }],
    ['an alias', 'x: &x [a]\n*x : 1\n', { line: 2, column: 1 }],
    ...[100, 400, 600, 750].map(
      (depth) =>
        [`${depth} mappings, each the key of the next`, '{'.repeat(depth) + 'a' + '}'.repeat(depth), null] as const,
    ),
    [
      'a list of such',
      `[${Array(200)
        .fill('{'.repeat(200) + 'a' + '}'.repeat(200))
        .join(',')}]`,
      null,
    ],
  ] as const)('is refused: %s', (_what, text, position) => {
    const read = readYaml(text);
    const place = position === null ? {} : { position };
    const message = 'a key must be a text, and no list, mapping or alias';
    expect(read).toMatchObject({ type: 'invalid', message, ...place });
  });
});

describe('a text that is made to take long', () => {
  /** Time of this thread (µs), the fastest of three. */
  function timeOf(text: string): number {
    const times = [1, 2, 3].map(() => {
      const before = process.threadCpuUsage();
      expect(readYaml(text)).toMatchObject({ type: 'ok' });
      const { user, system } = process.threadCpuUsage(before);
      return user + system;
    });
    return Math.min(...times);
  }

  it('takes about twice the time with twice the keys in one mapping', () => {
    timeOf(manyKeys(5_000));
    expect(timeOf(manyKeys(20_000)) / timeOf(manyKeys(10_000))).toBeLessThan(3);
  });

  it('is not read with more aliases than anybody writes', () => {
    const message = 'its aliases (*name) stand for too much, or for nothing';
    expect(readYaml(aliasesOfEverything(100))).toMatchObject({ type: 'ok' });
    expect(readYaml(aliasesOfEverything(101))).toEqual({ type: 'invalid', message, position: null });
  });

  it.each([
    ['keys', manyKeys(100_001)],
    ['brackets', `a: [${'[],'.repeat(70_000)}]`],
    ['signs that are no YAML', '}'.repeat(200_001)],
    ['dashes', '- '.repeat(200_001)],
  ])('is not parsed at all with too many %s', (_what, text) =>
    expect(readYaml(text)).toEqual({
      type: 'invalid',
      message: 'it is too large: more than 200,000 lines, colons, dashes and other marks',
      position: null,
    }),
  );

  it('is read where it is long because of its certificates', () => {
    const cluster = (n: number): string => `- name: c${n}\n  ca: ${'TUlJ'.repeat(2_000)}\n`;
    const text = `clusters:\n${Array.from({ length: 1_000 }, (_, n) => cluster(n)).join('')}`;
    expect(readYaml(text)).toMatchObject({ type: 'ok' });
  });
});
