import { expect, it } from 'vitest';
import { createParseTurns, createTurns } from './parse-turns.ts';
import { until } from '../testing/until.ts';

function parsing() {
  const order: string[] = [];
  const shared = createTurns();
  return {
    order,
    cluster() {
      const turns = createParseTurns(shared);
      return async (name: string, bytes = 256_001, takes = 0): Promise<void> => {
        await turns.enter(bytes);
        order.push(name);
        setImmediate(() => order.push(`others after ${name}`));
        const end = performance.now() + takes;
        while (performance.now() < end);
      };
    },
  };
}

it('small bodies wait for nobody; large ones come one by one, everybody else between them', async () => {
  const { order, cluster } = parsing();
  const parse = cluster();
  void parse('a');
  void parse('b');
  void parse('small', 256_000);
  await until('all', () => order.length === 6);
  expect(order).toEqual(['small', 'others after small', 'a', 'others after a', 'b', 'others after b']);
});

it('all clusters share the turn, and one with many large bodies holds up the next by one of them', async () => {
  const { order, cluster } = parsing();
  const [sick, well] = [cluster(), cluster()];
  for (const name of ['sick 1', 'sick 2', 'sick 3']) void sick(name);
  void well('well');
  await until('all', () => order.length === 8);
  expect(order.filter((each) => !each.startsWith('others'))).toEqual(['sick 1', 'well', 'sick 2', 'sick 3']);
});

it('others have the thread for as long as a large body took it', async () => {
  const { order, cluster } = parsing();
  const parse = cluster();
  void parse('a', 256_001, 50);
  const second = parse('b');
  await until('the first', () => order.includes('others after a'));
  const from = performance.now();
  await second;
  expect(performance.now() - from).toBeGreaterThan(40);
});
