import { beforeEach, describe, expect, it } from 'vitest';
import type { RefKey } from '#lib/domain/observation/ref.ts';
import { createInventoryClaims, lookedAt, shortHash, type InventoryClaims } from './inventory-claims.ts';

let claims: InventoryClaims;
let changes = 0;
const inventories = new Map<RefKey, readonly string[]>();

function set(owner: RefKey, ...ids: readonly string[]): void {
  claims.move(owner, inventories.get(owner) ?? [], ids);
  inventories.set(owner, ids);
}

function contested(): Record<string, readonly RefKey[]> {
  const { ids, total } = claims.contested((owner) => inventories.get(owner) ?? []);
  expect(total).toBe(ids.size);
  return Object.fromEntries([...ids].map(([id, { owners }]) => [id, owners]));
}

beforeEach(() => {
  changes = 0;
  inventories.clear();
  claims = createInventoryClaims(() => {
    changes += 1;
  });
});

describe('what is held by more than one', () => {
  it('is known with all who hold it, and nobody else is told', () => {
    set('base', 'apps_x__ConfigMap', 'apps_y__ConfigMap');
    expect([changes, claims.any()]).toEqual([0, false]);
    set('other', 'apps_y__ConfigMap', 'apps_z__ConfigMap');
    set('third', 'apps_y__ConfigMap');
    expect(contested()).toEqual({ apps_y__ConfigMap: ['base', 'other', 'third'] });
  });

  it('is so no more once one has let go', () => {
    set('base', 'apps_x__ConfigMap');
    set('other', 'apps_x__ConfigMap');
    set('other');
    expect([contested(), claims.any()]).toEqual([{}, false]);
    set('third', 'apps_x__ConfigMap');
    expect(contested()).toEqual({ apps_x__ConfigMap: ['base', 'third'] });
  });

  it('does not change with a pass that applied the same', () => {
    set('base', 'apps_x__ConfigMap', 'apps_y__ConfigMap');
    set('other', 'apps_x__ConfigMap');
    const before = changes;
    set('base', 'apps_x__ConfigMap', 'apps_y__ConfigMap');
    expect(changes).toBe(before);
    set('base', 'apps_y__ConfigMap', 'apps_x__ConfigMap');
    expect(contested()).toEqual({ apps_x__ConfigMap: ['base', 'other'] });
  });

  it('an inventory that names one id twice holds it once', () => {
    set('base', 'apps_x__ConfigMap', 'apps_x__ConfigMap');
    expect(contested()).toEqual({});
  });
});

describe('two ids that fall on one number', () => {
  const [one, same] = ['apps_c35395__ConfigMap', 'apps_c69427__ConfigMap'];

  it('are told apart by the inventories', () => {
    expect(shortHash(one)).toBe(shortHash(same));
    set('base', one);
    set('other', same);
    expect([claims.any(), contested()]).toEqual([true, {}]);
    const inventoryOf = (owner: RefKey): readonly string[] => inventories.get(owner) ?? [];
    expect([claims.isShared('base', one, inventoryOf), claims.isShared('other', same, inventoryOf)]).toEqual([
      false,
      false,
    ]);
    set('third', same);
    expect(contested()).toEqual({ [same]: ['other', 'third'] });
  });

  it('of one inventory: the one stays when the other goes', () => {
    set('base', one, same);
    set('base', one);
    set('other', one);
    expect(contested()).toEqual({ [one]: ['base', 'other'] });
  });
});

it('against a plain reckoning, over many random changes', () => {
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const owners = ['a', 'b', 'c', 'd'];
  for (let round = 0; round < 400; round += 1) {
    const ids = Array.from({ length: random(6) }, () => `apps_o${random(12)}__ConfigMap`);
    set(owners[random(4)] ?? 'a', ...new Set(ids));
    const plain: Record<string, string[]> = {};
    for (const [owner, held] of inventories) for (const id of held) (plain[id] ??= []).push(owner);
    const expected = Object.entries(plain).filter(([, held]) => held.length > 1);
    const sorted = (entries: readonly (readonly [string, readonly string[]])[]): string =>
      JSON.stringify(entries.map(([id, held]) => `${id} ${held.toSorted().join()}`).toSorted());
    expect(sorted(Object.entries(contested()))).toBe(sorted(expected));
  }
});

describe('a cluster in which everybody holds everything', () => {
  const owners = Array.from({ length: 200 }, (_, n) => `owner-${n}`);
  const ids = Array.from({ length: 8_000 }, (_, n) => `apps_x${n}__ConfigMap`);
  let read = 0;
  const inventoryOf = (): readonly string[] => {
    read += ids.length;
    return ids;
  };

  beforeEach(() => {
    read = 0;
    for (const owner of owners) claims.move(owner, [], ids);
  });

  it('is looked at within bounds: some ids, some owners of each, and that there are more', () => {
    const found = claims.contested(inventoryOf);
    expect(read).toBeLessThan(lookedAt.ids + ids.length);
    expect([found.ids.size, found.total]).toEqual([lookedAt.contested, ids.length]);
    for (const { owners: told, more } of found.ids.values())
      expect([told.length > 1, told.length <= lookedAt.owners, more]).toEqual([true, true, true]);
  });

  it('asks few inventories whether another holds an id', () => {
    expect(claims.isShared('owner-3', 'apps_x7999__ConfigMap', inventoryOf)).toBe(true);
    expect(read).toBe(ids.length);
    expect(claims.isShared('owner-3', 'apps_none__ConfigMap', inventoryOf)).toBe(false);
  });

  it('goes through an inventory once, however many ids are asked for', () => {
    let looked = 0;
    const counted = new Proxy(ids, {
      get(target, key) {
        looked += 1;
        const value: unknown = Reflect.get(target, key);
        return value;
      },
    });
    for (const id of ids.slice(-100)) expect(claims.isShared('owner-3', id, () => counted)).toBe(true);
    expect(looked).toBeLessThan(3 * ids.length);
  });

  it('leaves out an inventory that is too long to be read, and says that there is one more', () => {
    const long = Array.from({ length: lookedAt.ids + 1 }, (_, n) => `apps_y${n}__ConfigMap`);
    const two = createInventoryClaims(() => undefined);
    const held = new Map([
      ['long', [...long, 'apps_z__ConfigMap']],
      ['a', ['apps_z__ConfigMap', 'apps_y1__ConfigMap']],
      ['b', ['apps_z__ConfigMap']],
    ]);
    for (const [owner, inventory] of held) two.move(owner, [], inventory);
    const { ids: told, total } = two.contested((owner) => held.get(owner) ?? []);
    expect([...told]).toEqual([['apps_z__ConfigMap', { owners: ['a', 'b'], more: true }]]);
    expect(total).toBe(2);
  });
});

describe('a namespace in which two appliers hold the same thousands', () => {
  const many = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `evil_x${n}__ConfigMap`);
  const key = (namespace: string, name: string): RefKey =>
    `c1/kustomize.toolkit.fluxcd.io/Kustomization/${namespace}/${name}`;

  it.each([2_000, 49_000, 60_000])('(%i) hides nothing that is held twice in another', (count) => {
    for (const name of ['a', 'b']) set(key('evil', name), ...many(count));
    for (const name of ['infra', 'apps']) set(key('flux-system', name), 'apps_shared_apps_Deployment');
    const { ids, total } = claims.contested((owner) => inventories.get(owner) ?? []);
    expect(ids.get('apps_shared_apps_Deployment')?.owners).toEqual([
      key('flux-system', 'infra'),
      key('flux-system', 'apps'),
    ]);
    expect(total).toBe(count + 1);
    set(key('flux-system', 'apps'));
    const after = claims.contested((owner) => inventories.get(owner) ?? []);
    expect([after.ids.has('apps_shared_apps_Deployment'), after.total]).toEqual([false, count]);
  });
});
