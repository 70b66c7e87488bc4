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
