import { expect, it } from 'vitest';
import type { ObjectRef } from '../ref.ts';
import type { ColumnSeed } from './column-of.ts';
import { columnSeeds } from './column-seeds.ts';

const ref: ObjectRef = { cluster: 'a', group: 'apps', kind: 'Kustomization', namespace: 'flux-system', name: 'web' };

function made(id: string, group: string): ColumnSeed {
  return { id, group, title: id, place: 'folder', filter: {} };
}

it('makes a seed once for its id and head, and another under another head', () => {
  const seeds = columnSeeds();
  const first = seeds.of('web', 'apps', () => made('web', 'apps'));
  expect(seeds.of('web', 'apps', () => made('web', 'apps'))).toBe(first);
  expect(seeds.of('web', 'infrastructure', () => made('web', 'infrastructure'))).not.toBe(first);
  expect([...seeds.all()].map(({ group }) => group)).toEqual(['apps', 'infrastructure']);
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
