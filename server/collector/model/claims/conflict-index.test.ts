import { expect, it } from 'vitest';
import { correctionCounts } from '#lib/domain/observation/drift.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import { noon, observed, tracked } from '#lib/domain/testing/observed.ts';
import type { Correction } from '#lib/domain/record/current.ts';
import { createConflictIndex } from './conflict-index.ts';
import { newEntry } from '../objects/packed-entry.ts';
import { createExternalClaims } from './external-claims.ts';
import { createPublished, type PublishedConflicts } from './published-conflicts.ts';

const { ref } = observed();
const key = refKey(ref);
const fight: Correction = { at: noon, certainty: 'contested', said: 'ConfigMap/apps/x configured', count: 1 };
const second = 1_000;

function started(before: PublishedConflicts | null = null) {
  return createConflictIndex({ cluster: ref.cluster, entries: new Map(), externals: createExternalClaims(), before });
}

it('puts together anew what was published before, each since when it was', () => {
  const index = started({ conflicts: [], conflictsTotal: 3 });
  expect(started({ conflicts: [], conflictsTotal: 3 }).current(noon)).toEqual({ conflicts: [], conflictsTotal: 0 });
  expect(index.due()).toBe(-Infinity);
  index.noteCorrections(key, [fight]);
  const { conflicts } = index.current(noon);
  const again = started({ conflicts, conflictsTotal: 1 });
  again.noteCorrections(key, [fight]);
  expect(again.current(noon + 7).conflicts).toEqual(conflicts);
  expect(conflicts.map(({ since }) => since)).toEqual([noon]);
});

it('claims nothing outside any more once nobody reads its cluster', () => {
  const externals = createExternalClaims();
  const index = createConflictIndex({ cluster: ref.cluster, entries: new Map(), externals, before: null });
  const [bucket, other] = [observed({ externalId: 7 }), observed({ externalId: 8 })];
  index.move(null, bucket);
  index.move(bucket, other);
  for (const thing of [7, 8]) externals.claim(thing, 'other/s3/Bucket//logs');
  expect(externals.contestedOn('other').total).toBe(1);
  index.stop();
  expect(externals.contestedOn('other')).toEqual({ some: [], total: 0 });
});

it('is put together at most once a second, where anything changed', () => {
  const index = started();
  expect(index.current(noon)).toEqual({ conflicts: [], conflictsTotal: 0 });
  expect(index.due()).toBeNull();
  index.noteCorrections(key, [{ ...fight, certainty: 'confirmed' }]);
  index.noteCorrections(key, []);
  expect(index.due()).toBeNull();
  index.noteCorrections(key, [fight]);
  expect(index.due()).toBe(noon + second);
  expect(index.current(noon + second - 1).conflictsTotal).toBe(0);
  const found = index.current(noon + second);
  expect(found.conflictsTotal).toBe(1);
  expect(index.current(noon + 9 * second)).toBe(found);
  index.noteCorrections(key, [{ ...fight, certainty: 'confirmed' }]);
  expect(index.due()).toBe(noon + 2 * second);
  expect(index.current(noon + 2 * second)).toEqual({ conflicts: [], conflictsTotal: 0 });
});

it('forgets a fight a day after it was told last', () => {
  const index = started();
  index.noteCorrections(key, [fight]);
  const found = index.current(noon);
  expect(index.due()).toBe(noon + correctionCounts);
  index.noteCorrections(key, [{ ...fight, at: noon + second }]);
  expect(index.due()).toBe(noon + correctionCounts);
  expect(index.current(noon + correctionCounts).conflicts).toEqual(found.conflicts);
  expect(index.due()).toBe(noon + correctionCounts + second);
  expect(index.current(noon + correctionCounts + second - 1).conflictsTotal).toBe(1);
  expect(index.current(noon + correctionCounts + second).conflictsTotal).toBe(0);
  expect(index.due()).toBeNull();
});

it('is put together anew where the clock was set back', () => {
  const index = started();
  const first = index.current(noon);
  expect(index.current(noon)).toBe(first);
  expect(index.current(noon - 1)).not.toBe(first);
});

it('forgets the fight of an object that is gone, and no other', () => {
  const index = started();
  index.noteCorrections(key, [fight]);
  index.move(null, observed({ ref: { ...ref, name: 'other' } }));
  index.move(observed({ ref: { ...ref, name: 'other' } }), null);
  expect(index.current(noon).conflictsTotal).toBe(1);
  index.move(observed(), observed());
  expect(index.due()).toBe(noon + correctionCounts);
  index.move(observed(), null);
  expect(index.current(noon + second).conflictsTotal).toBe(0);
});

/** Two appliers that hold one ConfigMap, and one that holds another. */
function shared() {
  const held = 'apps_x__ConfigMap';
  const holders = [held, held, 'apps_y__ConfigMap'].map((id, n) =>
    observed({ ref: { ...ref, name: `holder-${n}` }, inventory: [id] }),
  );
  const entries = new Map(holders.map((one) => [refKey(one.ref), newEntry(one.ref, tracked(one), true)]));
  const index = createConflictIndex({ cluster: ref.cluster, entries, externals: createExternalClaims(), before: null });
  for (const one of holders) index.move(null, one);
  const [first, , third] = [...entries.keys()];
  if (first === undefined || third === undefined) throw new Error('no holders');
  return { index, first, third };
}

it('explains a correction by what others hold as well, all of it', () => {
  const { index, first, third } = shared();
  const said = (of: string, text: string) => index.explains(of, text);
  expect(said(first, fight.said)).toBe(true);
  expect(said(first, 'ConfigMap/apps/y configured')).toBe(false);
  expect(said(first, `${fight.said}\nConfigMap/apps/y configured`)).toBe(false);
  expect(said(third, fight.said)).toBe(false);
  expect(said(third, 'ConfigMap/apps/y configured')).toBe(false);
  expect(said(first, 'nothing by its name')).toBe(false);
});

it('tells a fight about what two hold once, as theirs, and any other as its own', () => {
  const { index, first, third } = shared();
  index.noteCorrections(first, [fight]);
  index.noteCorrections(third, [{ ...fight, said: 'ConfigMap/apps/y configured' }]);
  const { conflicts, conflictsTotal } = index.current(noon);
  expect([conflicts.length, conflictsTotal]).toEqual([2, 2]);
});

it('is put together within bounds where everybody holds everything, and each correction looks at few inventories', () => {
  const inventory = Array.from({ length: 4_000 }, (_, n) => `apps_x${n}__ConfigMap`);
  let read = 0;
  const holders = Array.from({ length: 100 }, (_, n) => observed({ ref: { ...ref, name: `holder-${n}` }, inventory }));
  const known = new Map(holders.map((one) => [refKey(one.ref), newEntry(one.ref, tracked(one), true)]));
  class Counted extends Map<string, ReturnType<typeof newEntry>> {
    override get(of: string) {
      read++;
      return super.get(of);
    }
  }
  const entries = new Counted(known);
  const index = createConflictIndex({ cluster: ref.cluster, entries, externals: createExternalClaims(), before: null });
  for (const one of holders) index.move(null, one);
  const { conflicts, conflictsTotal } = index.current(noon);
  expect([conflicts.length, conflictsTotal]).toEqual([200, 4_000]);
  expect(conflicts[0]?.why).toBe('at least 13 have applied it and do so again on every pass');
  read = 0;
  const [first = ''] = known.keys();
  expect(index.explains(first, 'ConfigMap/apps/x3999 configured')).toBe(true);
  expect(index.explains(first, 'ConfigMap/apps/y configured')).toBe(false);
  expect(read).toBeLessThan(20);
});

it('tells the first of three thousand that own the same fields, and how many there are', () => {
  const index = started();
  const rival = {
    type: 'fields',
    managers: ['flux', 'helm'],
    byHand: false,
    fields: ['spec.replicas'],
    at: null,
  } as const;
  for (let n = 0; n < 3_000; n++) index.move(null, observed({ ref: { ...ref, name: `n-${n}` }, rivals: [rival] }));
  const { conflicts, conflictsTotal } = index.current(noon);
  expect([conflicts.length, conflictsTotal]).toEqual([200, 3_000]);
  for (let n = 0; n < 3_000; n++) index.move(observed({ ref: { ...ref, name: `n-${n}` }, rivals: [rival] }), null);
  expect(index.current(noon + 60 * second).conflictsTotal).toBe(0);
});

it('rests for ten times of what putting them together took: one cluster may not hold up the others', () => {
  let clock = 0;
  const published = createPublished(null, () => clock);
  const find = () => {
    clock += 400;
    return { some: [], total: 0, forgetAt: Infinity };
  };
  published.current(noon, find);
  published.touch();
  expect(published.due()).toBe(noon + 4 * second);
  const before = published.current(noon + 4 * second - 1, find);
  expect(published.current(noon + 4 * second, find)).not.toBe(before);
});
