import { expect, it } from 'vitest';
import { observed } from '#lib/domain/testing/observed.ts';
import { createRemoteApplierIndex } from './remote-applier-index.ts';

const { ref } = observed();
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

it('tells a hundred clusters of fifty thousand appliers in turns, of each in the end', async () => {
  const index = createRemoteApplierIndex(() => true);
  const told = new Set<string>();
  let calls = 0;
  for (let cluster = 0; cluster < 100; cluster += 1)
    index.listen(({ name }) => {
      calls += 1;
      told.add(name);
    });
  for (let number = 0; number < 50_000; number += 1) index.publish({ ...ref, name: `app-${number}` }, null);
  expect(calls).toBeLessThan(30_000);
  const before = calls;
  await turn();
  expect(calls - before).toBeLessThan(30_000);
  while (told.size < 50_000) await turn();
  expect(calls).toBe(5_000_000);
});

it('tells at once of few, and of many that change again before their turn once', async () => {
  const index = createRemoteApplierIndex(() => true);
  const told: string[] = [];
  index.listen(({ name }) => void told.push(name));
  index.publish({ ...ref, name: 'first' }, null);
  expect(told).toEqual(['first']);
  for (let again = 0; again < 100_000; again += 1) index.publish({ ...ref, name: `app-${again % 10}` }, null);
  await turn();
  await turn();
  expect(told.length).toBeLessThan(20_020);
  expect(new Set(told).size).toBe(11);
});
