import { expect, it } from 'vitest';
import { correctionCounts } from '#lib/domain/observation/drift.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import { noon, observed } from '#lib/domain/testing/observed.ts';
import type { Correction } from '#lib/domain/record/current.ts';
import { createConflictIndex, type PublishedConflicts } from './conflict-index.ts';
import { createExternalClaims } from './external-claims.ts';

const { ref } = observed();
const key = refKey(ref);
const fight: Correction = { at: noon, certainty: 'contested', said: 'ConfigMap/apps/x configured', count: 1 };
const second = 1_000;

function started(before: PublishedConflicts | null = null) {
  return createConflictIndex({ cluster: ref.cluster, entries: new Map(), externals: createExternalClaims(), before });
}

it('starts with what was published before, until it is put together anew', () => {
  const index = started({ conflicts: [], conflictsTotal: 3 });
  expect(index.due()).toBe(-Infinity);
  index.noteCorrections(key, [fight]);
  const { conflicts } = index.current(noon);
  const again = started({ conflicts, conflictsTotal: 1 });
  again.noteCorrections(key, [fight]);
  expect(again.current(noon + 7).conflicts).toEqual(conflicts);
  expect(conflicts.map(({ since }) => since)).toEqual([noon]);
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
