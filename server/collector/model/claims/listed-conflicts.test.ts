import { expect, it } from 'vitest';
import {
  externalConflict,
  type FoundConflict,
  inventoryConflict,
  rivalConflict,
} from '#lib/domain/observation/conflict.ts';
import { inTurn } from './in-turn.ts';
import { listedConflicts } from './listed-conflicts.ts';

const ref = (cluster: string, name: string) => ({
  ...{ cluster, group: 's3.aws.upbound.io', kind: 'Bucket', namespace: '', name },
});

/** Conflicts of `victim` with another cluster over so many buckets. */
function between(other: string, count: number): FoundConflict[] {
  const names = Array.from({ length: count }, (_, n) => `bucket-${n}`);
  return names.flatMap((name) => externalConflict([ref('victim', name), ref(other, name)], 2) ?? []);
}

function own(count: number): FoundConflict[] {
  const rival = { type: 'fields', managers: ['flux', 'kubectl'], byHand: true, fields: ['spec'], at: null } as const;
  return Array.from({ length: count }, (_, n) => rivalConflict(ref('victim', `own-${n}`), rival));
}

/** Numbers of those that are listed by the other cluster; '' for the victim's own. */
function listed(...found: readonly FoundConflict[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { owners } of listedConflicts('victim', found)) {
    const other = owners.flatMap(({ ref: owner }) => owner?.cluster ?? []).find((name) => name !== 'victim') ?? '';
    counts[other] = (counts[other] ?? 0) + 1;
  }
  return counts;
}

it('of conflicts hides a cluster that claims everything neither those with others nor those of the victim itself', () => {
  expect(listed(...between('evil', 5_000), ...between('w', 3), ...own(40))).toEqual({ evil: 157, w: 3, '': 40 });
  expect(listed(...between('evil', 5_000), ...between('w', 3), ...own(400))).toEqual({ evil: 97, w: 3, '': 100 });
  expect(listed(...between('w', 3), ...own(400))).toEqual({ w: 3, '': 197 });
  expect(listed(...between('evil', 150), ...own(40))).toEqual({ evil: 150, '': 40 });
});

it('of the conflicts within a cluster hides a namespace whose appliers apply whatever they like none but its own', () => {
  const applier = (namespace: string, name: string) => ({
    ...{ cluster: 'victim', group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization', namespace, name },
  });
  const twice = (namespace: string, resource: string): FoundConflict =>
    inventoryConflict(
      { group: '', kind: 'ConfigMap', namespace, name: resource },
      ['a', 'b'].map((name) => ({ ref: applier(namespace, name), suspended: false, fights: false })),
    );
  const many = Array.from({ length: 1_000 }, (_, n) => twice('evil', `a${n}`));
  const names = listedConflicts('victim', [...many, twice('flux-system', 'z'), ...own(3)]).map(
    ({ owners: [first], resource }) => `${first?.ref?.namespace ?? ''} ${resource.name}`,
  );
  expect(names).toHaveLength(200);
  expect(names).toEqual(expect.arrayContaining(['flux-system z', ' own-0', ' own-1', ' own-2']));
});

it('takes a turn of each group, in order', () => {
  const groupOf = (word: string): string => word.slice(0, 1);
  expect(inTurn(['a1', 'a2', 'a3', 'b1', 'c1', 'c2'], groupOf, 5)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2']);
  expect(inTurn(['a1', 'b1'], groupOf, 5)).toEqual(['a1', 'b1']);
  expect(inTurn([], groupOf, 5)).toEqual([]);
});
