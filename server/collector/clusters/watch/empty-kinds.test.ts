import { beforeEach, describe, expect, it } from 'vitest';
import { createEmptyKinds, type EmptyKinds } from './kind-watches.ts';

let empties: EmptyKinds;

beforeEach(() => {
  empties = createEmptyKinds({ emptyWatchesAtMost: 2, namedWatchesAtMost: 1, emptyFor: 600_000 });
});

describe('watched kinds without objects', () => {
  it('are so many, and some more where an object is expected', () => {
    empties.add('a', 0);
    expect([empties.hasRoom('empty'), empties.hasRoom('named')]).toEqual([true, true]);
    empties.add('b', 0);
    expect([empties.hasRoom('empty'), empties.hasRoom('named')]).toEqual([false, true]);
    empties.add('c', 0);
    expect([empties.hasRoom('empty'), empties.hasRoom('named')]).toEqual([false, false]);
  });

  it('make room as soon as they have an object', () => {
    for (const key of ['a', 'b']) empties.add(key, 0);
    empties.remove('a');
    expect(empties.hasRoom('empty')).toBe(true);
  });

  it('are let go where they are too many, those that have been empty for longest, and none that was only just emptied', () => {
    for (const [at, key] of ['a', 'b', 'c', 'd'].entries()) empties.add(key, at * 60_000);
    expect(empties.surplus(599_999)).toEqual([]);
    expect(empties.surplus(600_000)).toEqual(['a']);
    empties.add('b', 900_000);
    expect(empties.surplus(700_000)).toEqual(['b']);
    expect(empties.surplus(9_000_000)).toEqual([]);
  });
});
