import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { answerTo } from './asked-by.ts';
import { threadTurns } from './thread-turns.ts';

it('calls for one who comes late at once, however much another has asked before; a fault is that of its call', async () => {
  const inTurn = threadTurns();
  const open: PromiseWithResolvers<string>[] = [];
  const ask = (by: string): Promise<string> =>
    answerTo(by, () =>
      inTurn(() => {
        const one = Promise.withResolvers<string>();
        open.push(one);
        return one.promise;
      }),
    );
  const greedy = Array.from({ length: 250 }, () => ask('a'));
  expect(open).toHaveLength(2);
  const other = ask('b');
  expect(open).toHaveLength(3);
  open[2]?.resolve('of b');
  expect(await other).toBe('of b');
  open[0]?.reject(new Error('no record today'));
  await expect(greedy[0]).rejects.toThrow('no record today');
  for (let next = 1; next < 251; next += 1) {
    open[next]?.resolve('of a');
    await turn();
  }
  expect((await Promise.allSettled(greedy)).filter(({ status }) => status === 'fulfilled')).toHaveLength(249);
});

it('refuses the calls of one who leaves ever more behind, and those of nobody else', async () => {
  const inTurn = threadTurns();
  const ask = (by: string, call: () => Promise<string>): Promise<string> => answerTo(by, () => inTurn(call));
  const never = (): Promise<string> => new Promise(() => undefined);
  for (let n = 0; n < 50_002; n += 1) void ask('a', never);
  await expect(ask('a', never)).rejects.toThrow('too many');
  expect(await ask('b', () => Promise.resolve('of b'))).toBe('of b');
});

it('has one call of each reader under way, as many as the thread answers side by side', async () => {
  const inTurn = threadTurns(3);
  let begun = '';
  const ask = (by: string): void =>
    void answerTo(by, () =>
      inTurn(() => {
        begun += by;
        return new Promise(() => undefined);
      }),
    );
  for (const by of 'aaabbcd') ask(by);
  expect(begun).toBe('abc');
});
