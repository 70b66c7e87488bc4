import { describe, expect, it } from 'vitest';
import { cyclesOf } from './cycles.ts';

type Graph = Readonly<Record<string, readonly string[]>>;

function of(graph: Graph, ...keys: readonly string[]): readonly (readonly string[])[] {
  return cyclesOf(new Set(keys), (key) => graph[key] ?? []).map((group) => group.toSorted());
}

describe('what depends on what', () => {
  it.each<[string, Graph, readonly string[], readonly (readonly string[])[]]>([
    ['comes after it', { a: ['b'], b: ['c'] }, ['a', 'b', 'c'], [['c'], ['b'], ['a']]],
    ['leaves out what was not asked for', { a: ['b'], b: ['c'] }, ['a', 'c'], [['c'], ['a']]],
    ['is one group with what depends on it in turn', { a: ['b'], b: ['a'] }, ['a', 'b'], [['a', 'b']]],
    ['brings its whole circle', { a: ['b'], b: ['c'], c: ['a'], d: ['a'] }, ['b', 'd'], [['a', 'b', 'c'], ['d']]],
    [
      'may close far from where it was entered',
      { a: ['b'], b: ['c'], c: ['d'], d: ['b'] },
      ['a', 'b'],
      [['b', 'c', 'd'], ['a']],
    ],
    ['on itself is no circle of others', { a: ['a'] }, ['a'], [['a']]],
    [
      'two circles, one above the other',
      { a: ['b'], b: ['a', 'c'], c: ['d'], d: ['c'] },
      ['a', 'd'],
      [
        ['c', 'd'],
        ['a', 'b'],
      ],
    ],
  ])('%s', (_name, graph, keys, groups) => {
    expect(of(graph, ...keys)).toEqual(groups);
  });

  it('may go deep', () => {
    const chain = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, [`k${index + 1}`]]));
    expect(of(chain, 'k0', 'k20000')).toEqual([['k20000'], ['k0']]);
  });
});
