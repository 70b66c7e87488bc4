import { expect, it } from 'vitest';
import { fairPass } from './fair-pass.ts';

interface Made {
  readonly name: string;
  readonly cost: number;
  readonly clients: Set<{ readonly by: string; send(): void; close(): void }>;
  madeAt: number;
}

const follower = (by: string) => ({ by, send: () => undefined, close: () => undefined });
const topic = (name: string, cost: number, ...by: readonly string[]): Made => ({
  name,
  cost,
  clients: new Set(by.map(follower)),
  madeAt: 0,
});

/** Passes of 100 ms over topics that take their time; gives the names that each pass told of. */
function passes() {
  let time = 0;
  let now = 0;
  const pass = fairPass({ passFor: 100, elapsed: () => time });
  return (topics: readonly Made[]): readonly string[] => {
    const told: string[] = [];
    now += 250;
    pass.over(topics, now, ({ name, cost }) => {
      told.push(name);
      time += cost;
    });
    return told;
  };
}

it('tells of all where there is time', () => {
  const told = passes()([topic('a', 10, 'x'), topic('b', 10, 'y'), topic('nobody', 0)]);
  expect(told.toSorted()).toEqual(['a', 'b', 'nobody']);
});

it('of one with many dear topics tells one in turn, and of everybody else in every pass', () => {
  const pass = passes();
  const dear = Array.from({ length: 200 }, (_, n) => topic(`dear ${n}`, 80, 'greedy'));
  const others = [topic('own', 30, 'b'), topic('shared', 1, 'greedy', 'c')];
  const told = Array.from({ length: 10 }, () => pass([...dear, ...others]));
  expect(told.slice(1).filter((names) => !names.includes('own') || !names.includes('shared'))).toEqual([]);
  const turns = told.flat().filter((name) => name.startsWith('dear'));
  expect([turns.length >= 9, new Set(turns).size === turns.length]).toEqual([true, true]);
});

it('gives who comes anew no credit for the time before', () => {
  const pass = passes();
  const [old, other] = [topic('old', 60, 'a'), topic('other', 60, 'b')];
  for (let n = 0; n < 50; n += 1) pass([old, other]);
  const fresh = Array.from({ length: 20 }, (_, n) => topic(`fresh ${n}`, 60, 'c'));
  const told = Array.from({ length: 6 }, () => pass([...fresh, old, other])).flat();
  expect(told.filter((name) => name === 'old').length).toBeGreaterThanOrEqual(3);
});
