import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { answerTo, askedBy } from './asked-by.ts';
import { heavyTurns } from './heavy-turns.ts';

it('makes two at once of one reader and three of all, lets the loop go round before each, and knows for whom each is made', async () => {
  const inTurn = heavyTurns();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (by: string): Promise<string> =>
    answerTo(by, () =>
      inTurn(async () => {
        begun.push(askedBy());
        await new Promise<void>((resolve) => void ends.push(resolve));
        return `for ${askedBy()}`;
      }),
    );
  const all = [...Array.from({ length: 5 }, () => ask('a')), ask('b'), ask('b')];
  expect(begun).toEqual([]);
  await turn();
  expect(begun).toEqual([]);
  await expect.poll(() => begun).toEqual(['a', 'a', 'b']);
  for (let made = 0; made < 7; made += 1) {
    await expect.poll(() => ends.length).toBeGreaterThan(made);
    ends[made]?.();
  }
  const told = [...Array.from({ length: 5 }, () => 'for a'), 'for b', 'for b'];
  expect(await Promise.all(all)).toEqual(told);
});

it('refuses those of one reader who leaves ever more behind, and those of nobody else', async () => {
  const inTurn = heavyTurns();
  const never = (): Promise<void> => new Promise(() => undefined);
  const ask = (by: string, make: () => Promise<void>) => answerTo(by, () => inTurn(make));
  for (let n = 0; n < 502; n += 1) void ask('a', never);
  await expect(ask('a', never)).rejects.toThrow('too many');
  await ask('b', () => Promise.resolve());
});

it('gives the fault of an answer that fails', async () => {
  const failing = heavyTurns()(() => Promise.reject(new Error('no record')));
  await expect(failing).rejects.toThrow('no record');
});
