import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RepositoryReader } from '#server/git/reader/open-repository.ts';
import { madeRepository, type MadeCommit, type MadeRepository } from '#server/git/reader/testing/made-repository.ts';
import { answerOf, opened } from '#server/git/reader/testing/opened.ts';

const count = 40;

/** Parents by commit of a history that looks like chance: branches, merges of up to three, several beginnings. */
function history(seed: number): readonly (readonly number[])[] {
  let state = seed;
  const pick = (most: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % most;
  };
  return Array.from({ length: count }, (_, number) => {
    if (number === 0 || pick(20) === 0) return [];
    const parents = new Set([Math.max(0, number - 1 - pick(4))]);
    for (let more = pick(5) === 0 ? 1 + pick(2) : 0; more > 0; more -= 1) parents.add(pick(number));
    return [...parents];
  });
}

describe.each([1, 2])('a history that looks like chance (%i)', (seed) => {
  const parents = history(seed);
  let made: MadeRepository;
  let reader: RepositoryReader;
  let shas: readonly string[];

  beforeAll(async () => {
    made = madeRepository();
    const commits = parents.map((of, number): MadeCommit => ({
      on: `b${number % 5}`,
      parents: of.map((parent) => `:${parent + 1}`),
      files: { [`f${number % 7}`]: `${number}` },
      // Clocks of people run as they like.
      at: 1_700_000_000 + ((number * 7_919) % 1_000) * 60,
    }));
    shas = made.commits(...commits);
    reader = await opened(made);
  });
  afterAll(() => made.remove());

  function ancestors(of: number): ReadonlySet<number> {
    const found = new Set([of]);
    for (const each of found) for (const parent of parents[each] ?? []) found.add(parent);
    return found;
  }

  function firstParents(of: number): readonly number[] {
    const line: number[] = [];
    for (let at: number | undefined = of; at !== undefined; at = parents[at]?.[0]) line.push(at);
    return line;
  }

  it('holds what its graph says', async () => {
    const held = parents.map((_, number) => ancestors(number));
    for (const [number, sha] of shas.entries()) {
      const answer = answerOf(await reader.contain(sha, shas));
      expect(answer).toEqual(held.map((of) => of.has(number)));
    }
  });

  it('counts between what the older end does not hold, along first parents', async () => {
    const pairs = shas.flatMap((_, from) => shas.map((__, to) => ({ from, to })));
    const ranges = pairs.map(({ from, to }) => ({
      path: null,
      from: shas[from] ?? '',
      to: { type: 'commit', sha: shas[to] ?? '' } as const,
    }));
    const found = answerOf(await reader.between(ranges));
    const expected = pairs.map(({ from, to }) => {
      if (!ancestors(to).has(from)) return 'rewritten';
      const held = ancestors(from);
      return firstParents(to).filter((each) => !held.has(each)).length;
    });
    const told = found.map((each) => (each.type === 'known' ? each.commits : each.why));
    // Each of more commits beyond first parents than git is asked about is too many.
    expect(told.filter((each, at) => each !== 'too-many' && each !== expected[at])).toEqual([]);
    expect(told.filter((each) => each !== 'too-many').length).toBeGreaterThan(pairs.length / 2);
  });
});
