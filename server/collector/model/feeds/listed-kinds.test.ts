import { runInNewContext } from 'node:vm';
import { setFlagsFromString } from 'node:v8';
import { expect, it } from 'vitest';
import { createListedKinds } from './listed-kinds.ts';

const instance = { group: 'rds.aws.upbound.io', kind: 'Instance' };
const service = { group: '', kind: 'Service' };
const part = { cluster: 'c1', ...instance, namespace: '', name: 'db' };

it('knows who lists a kind, by inventory or by parts, as long as it does', () => {
  const kinds = createListedKinds();
  const inventory = ['apps_web_apps_Deployment', 'apps_web__Service', '_orders_rds.aws.upbound.io_Instance'];
  kinds.note('ks', { inventory, children: [] });
  kinds.note('composite', { inventory: [], children: [part] });
  kinds.note('source', { inventory: [], children: [] });
  expect([...kinds.listing(instance)]).toEqual(['ks', 'composite']);
  expect([...kinds.listing(service)]).toEqual(['ks']);
  expect([...kinds.listing({ group: 'apps', kind: 'Service' })]).toEqual([]);
  expect([...kinds.all()]).toEqual(['ks', 'composite']);
  kinds.note('ks', { inventory: ['apps_web__Service'], children: [] });
  expect([...kinds.listing(instance)]).toEqual(['composite']);
  kinds.forget('composite');
  kinds.note('ks', { inventory: [], children: [] });
  expect([[...kinds.listing(instance)], [...kinds.listing(service)], [...kinds.all()]]).toEqual([[], [], []]);
});

it('holds what is listed now, and nothing of what an inventory listed before', () => {
  const kinds = createListedKinds();
  const lists = (round: number): void => {
    const inventory = Array.from({ length: 20_000 }, (_, number) => `a_b_${round}.${number}.${'g'.repeat(120)}_Kind`);
    kinds.note('ks', { inventory, children: [] });
  };
  lists(0);
  const before = heldNow();
  for (let round = 1; round <= 10; round += 1) lists(round);
  // One round takes some 8 MB.
  expect(heldNow() - before).toBeLessThan(30_000_000);
  expect([...kinds.all()]).toEqual(['ks']);
});

/** Bytes that are held once all is collected that nobody holds. */
function heldNow(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  return process.memoryUsage().heapUsed;
}
