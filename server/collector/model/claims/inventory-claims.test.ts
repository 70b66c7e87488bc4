import { beforeEach, describe, expect, it } from 'vitest';
import type { RefKey } from '#lib/domain/observation/ref.ts';
import { createInventoryClaims, shortHash, type InventoryClaims } from './inventory-claims.ts';

let claims: InventoryClaims;
let changes = 0;
const inventories = new Map<RefKey, readonly string[]>();

function set(owner: RefKey, ...ids: readonly string[]): void {
  claims.move(owner, inventories.get(owner) ?? [], ids);
  inventories.set(owner, ids);
}

function contested(): Record<string, readonly RefKey[]> {
  return Object.fromEntries(claims.contested((owner) => inventories.get(owner) ?? []));
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
