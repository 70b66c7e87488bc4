import { expect, it } from 'vitest';
import type { ObjectRef } from '../observation/ref.ts';
import type { ColumnSeed } from './column-seeds.ts';
import { columnSeeds } from './column-seeds.ts';

const ref: ObjectRef = { cluster: 'a', group: 'apps', kind: 'Kustomization', namespace: 'flux-system', name: 'web' };

function made(id: string, group: string): Omit<ColumnSeed, 'slot'> {
  return { id, group, title: id, position: 'folder', filter: {} };
}

it('finds a seed by its head, sort and name', () => {
  const seeds = columnSeeds();
  const first = seeds.add('delivery', 'web', made('web', 'apps'));
  const other = seeds.add('delivery', 'web', made('web', 'infrastructure'));
  expect(seeds.find('apps', 'delivery', 'web')).toBe(first);
  expect(seeds.find('infrastructure', 'delivery', 'web')).toBe(other);
  expect(seeds.find('apps', 'HelmRelease', 'web')).toBeUndefined();
  expect(seeds.find('apps', 'delivery', 'api')).toBeUndefined();
  expect([...seeds.all()]).toEqual([first, other]);
});

it('gives cells one number only where they contribute the same', () => {
  const seeds = columnSeeds();
  const [web, api] = ['web', 'api'].map((id) => seeds.add('delivery', id, made(id, 'apps')));
  if (web === undefined || api === undefined) throw new Error('no seeds');
  const one = seeds.part(web, ref);
  expect(seeds.part(web, { ...ref, cluster: 'b' })).toBe(one);
  const others = [
    seeds.part(web, null),
    seeds.part(web, { ...ref, name: 'other' }),
    seeds.part(web, { ...ref, namespace: 'other' }),
    seeds.part(web, { ...ref, kind: 'HelmRelease' }),
    seeds.part(web, { ...ref, group: 'other' }),
    seeds.part(api, ref),
    seeds.part(api, null),
  ];
  expect(new Set([one, ...others]).size).toBe(8);
  expect(seeds.part(web, ref)).toBe(one);
});

it('gives seeds of one column one slot, under whatever heads', () => {
  const seeds = columnSeeds();
  const [web, other, api] = [
    seeds.add('delivery', 'web', made('web', 'apps')),
    seeds.add('delivery', 'web', made('web', 'infrastructure')),
    seeds.add('delivery', 'api', made('api', 'apps')),
  ];
  expect([web.slot, other.slot, api.slot]).toEqual([0, 0, 1]);
  expect(seeds.also('managed', 'web.example.org', web)).toBe(web);
  expect(seeds.find('apps', 'managed', 'web.example.org')).toBe(web);
});
