import { expect, it } from 'vitest';
import type { ObjectRef } from '../ref.ts';
import type { ColumnSeed } from './column-of.ts';
import { columnSeeds } from './column-seeds.ts';

const ref: ObjectRef = { cluster: 'a', group: 'apps', kind: 'Kustomization', namespace: 'flux-system', name: 'web' };

function made(id: string, group: string): ColumnSeed {
  return { id, group, title: id, place: 'folder', filter: {} };
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
  const [web, api] = [made('web', 'apps'), made('api', 'apps')];
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
