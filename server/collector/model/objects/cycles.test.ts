import { describe, expect, it } from 'vitest';
import { createOrder } from './cycles.ts';

type Graph = Readonly<Record<string, readonly string[]>>;

function of(graph: Graph, ...keys: readonly string[]): readonly (readonly string[])[] {
  return createOrder((key) => graph[key] ?? [])(new Set(keys)).map((group) => group.toSorted());
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

  it('is walked by once, however often is asked', () => {
    let walked = 0;
    const order = createOrder((key) => {
      walked += 1;
      const index = Number(key.slice(1));
      return index === 0 ? [] : [`k${index - 1}`];
    });
    for (let index = 0; index < 500; index += 1) expect(order(new Set([`k${index}`]))).toEqual([[`k${index}`]]);
    expect(order(new Set(['k499', 'k3', 'k250']))).toEqual([['k3'], ['k250'], ['k499']]);
    expect(walked).toBe(500);
  });
});
