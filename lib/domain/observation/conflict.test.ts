import { describe, expect, it } from 'vitest';
import {
  conflictKey,
  conflictsInOrder,
  contestedConflict,
  correctedResources,
  externalConflict,
  fleetConflictKey,
  inventoryConflict,
  namesResource,
  rivalConflict,
  type FoundConflict,
  type Holder,
} from './conflict.ts';
import type { ObjectRef } from './ref.ts';

function applier(name: string, kind = 'Kustomization'): ObjectRef {
  return { cluster: 'c1', group: 'kustomize.toolkit.fluxcd.io', kind, namespace: 'flux-system', name };
}

function holder(name: string, part: Partial<Holder> = {}): Holder {
  return { ref: applier(name), suspended: false, fights: false, ...part };
}

const shared = { group: '', kind: 'ConfigMap', namespace: 'apps', name: 'shared' };

function described({ kind, owners, why }: FoundConflict): string {
  return `${kind}: ${owners.map(({ name }) => name).join(' and ')}: ${why}`;
}

describe('two inventories hold one id', () => {
  it.each<readonly [readonly Holder[], string]>([
    [[holder('on-other'), holder('base')], 'base and on-other: both have applied it and do so again on every pass'],
    [
      [holder('base', { fights: true }), holder('on-other')],
      'base and on-other: both have applied it and rewrite it on nearly every pass',
    ],
    [
      [holder('base'), holder('on-other'), holder('stopped', { suspended: true })],
      'base and on-other and stopped: all 3 have applied it and do so again on every pass; stopped not while suspended',
    ],
  ])('%#', (holders, expected) => {
    const conflict = inventoryConflict(shared, holders);
    expect(described(conflict)).toBe(`two-inventories: ${expected}`);
    expect(conflict.resource).toEqual(shared);
    expect(conflict.owners.every((owner) => owner.ref !== null)).toBe(true);
  });
});

it('of many owners the first are named, and all are counted', () => {
  const holders = Array.from({ length: 12 }, (_, index) => holder(`k${index}`));
  const { owners, why } = inventoryConflict(shared, holders);
  expect(owners).toHaveLength(8);
  expect(why).toMatch(/^all 12 have applied it/);
});

describe('what an object tells of rivals', () => {
  const own = applier('policy');
  it('two managers of one field', () => {
    const rival = {
      type: 'fields',
      managers: ['kustomize-controller', 'helm-controller'],
      byHand: false,
      fields: ['spec.interval', 'spec.path'],
      at: null,
    } as const;
    expect(described(rivalConflict(own, rival))).toBe(
      'shared-fields: kustomize-controller and helm-controller: both own spec.interval, spec.path',
    );
  });

  it('a hand', () => {
    const rival = {
      type: 'fields',
      managers: ['kustomize-controller', 'kubectl-edit'],
      byHand: true,
      fields: ['spec.suspend'],
      at: null,
    } as const;
    const conflict = rivalConflict(own, rival);
    expect(described(conflict)).toBe(
      'edited-by-hand: kustomize-controller and kubectl-edit: kubectl-edit holds spec.suspend beside kustomize-controller',
    );
    expect(conflict.resource).toEqual({ group: own.group, kind: own.kind, namespace: own.namespace, name: 'policy' });
  });

  it('another Application', () => {
    const rival = { type: 'shared', kind: 'Secret', name: 'db', others: ['databases'] } as const;
    expect(described(rivalConflict(applier('nextcloud', 'Application'), rival))).toBe(
      'shared-resource: nextcloud and databases: Argo CD finds it in both',
    );
  });
});

it('two managed resources of one external resource are owners, in order, and the first stands for it', () => {
  const [a, b] = ['b', 'a'].map((name): ObjectRef => ({
    ...applier(name),
    cluster: name,
    group: 's3',
    kind: 'Bucket',
  }));
  const conflict = a && b ? externalConflict([a, b], 2) : null;
  expect(conflict?.owners.map(({ ref }) => ref?.cluster)).toEqual(['a', 'b']);
  expect(conflict?.resource).toMatchObject({ kind: 'Bucket', name: 'a' });
  expect(externalConflict([], 0)).toBeNull();
});

describe('a correction', () => {
  it.each<readonly [string, readonly string[]]>([
    ['ConfigMap/apps/shared configured', ['ConfigMap apps/shared']],
    ['Deployment/apps/web configured, Namespace/apps created', ['Deployment apps/web', 'Namespace /apps']],
    [
      'Cluster state of release apps/web.v3 has been corrected:\nDeployment/apps/web configured',
      ['Deployment apps/web'],
    ],
    ['Successfully requested update of external resource', []],
    ['', []],
  ])('%j names %j', (said, expected) => {
    expect(correctedResources(said).map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`)).toEqual(
      expected,
    );
  });

  it('that is contested by nobody who is known names the resource, or the object itself', () => {
    expect(contestedConflict(applier('base'), 'ConfigMap/apps/shared configured').resource).toEqual(shared);
    expect(contestedConflict(applier('base'), 'something').resource).toMatchObject({ name: 'base' });
  });
});

describe('order and sameness', () => {
  const inventories = inventoryConflict(shared, [holder('a'), holder('b')]);
  const contested = contestedConflict(applier('a'), 'ConfigMap/apps/a configured');

  it('the surest comes first', () => {
    expect(conflictsInOrder([contested, inventories])).toEqual([inventories, contested]);
  });

  it('a conflict that is worded anew is the same', () => {
    const fought = inventoryConflict(shared, [holder('b'), holder('a', { fights: true })]);
    expect(fought.why).not.toBe(inventories.why);
    expect(conflictKey(fought)).toBe(conflictKey(inventories));
    expect(conflictKey(inventoryConflict(shared, [holder('a'), holder('c')]))).not.toBe(conflictKey(inventories));
  });
});

it('a conflict is told whole, whoever tells it', () => {
  const [one, other] = [applier('one'), applier('other')];
  const { cluster: _cluster, ...resource } = one;
  expect(externalConflict([other, one], 2)).toEqual({
    kind: 'external-resource',
    resource,
    owners: [
      { ref: one, name: 'one' },
      { ref: other, name: 'other' },
    ],
    why: 'both manage one external resource, each after its own spec',
  });
  expect(rivalConflict(one, { type: 'shared', kind: 'ConfigMap', name: 'shared', others: ['x', 'y'] })).toEqual({
    kind: 'shared-resource',
    resource: { group: '', kind: 'ConfigMap', namespace: '', name: 'shared' },
    owners: [
      { ref: one, name: 'one' },
      { ref: null, name: 'x' },
      { ref: null, name: 'y' },
    ],
    why: 'Argo CD finds it in both',
  });
  expect(contestedConflict(one, 'ConfigMap/apps/shared configured')).toEqual({
    kind: 'contested-correction',
    resource: shared,
    owners: [
      { ref: one, name: 'one' },
      { ref: null, name: 'somebody who is not seen' },
    ],
    why: 'what is undone there comes back again and again',
  });
  const stopped = [holder('a', { suspended: true }), holder('b', { suspended: true })];
  expect(inventoryConflict(shared, stopped).why).toBe(
    'both have applied it and do so again on every pass; a, b not while suspended',
  );
});

it('a key names all that tells conflicts apart; what lies outside of clusters has one for all of them', () => {
  const conflict = contestedConflict(applier('one'), 'ConfigMap/apps/shared configured');
  const key =
    'contested-correction  ConfigMap apps shared c1/kustomize.toolkit.fluxcd.io/Kustomization/flux-system/one somebody who is not seen';
  expect([conflictKey(conflict), fleetConflictKey('c1', conflict)]).toEqual([key, `c1 ${key}`]);
  const outside = { ...conflict, kind: 'external-resource' } as const;
  expect(fleetConflictKey('c1', outside)).toBe(` ${conflictKey(outside)}`);
});

it.each([
  [{}, true],
  [{ kind: 'Secret' }, false],
  [{ namespace: 'other' }, false],
  [{ name: 'other' }, false],
  [{ group: 'other' }, true],
])('a correction may be about a resource with %j: %s', (part, may) => {
  expect(namesResource(shared, { ...shared, ...part })).toBe(may);
});

it('the surest kind comes first', () => {
  const { resource, owners, why } = contestedConflict(applier('one'), '');
  const kinds = [
    'two-inventories',
    'external-resource',
    'shared-resource',
    'shared-fields',
    'contested-correction',
    'edited-by-hand',
  ] as const;
  const all = kinds.map((kind): FoundConflict => ({ kind, resource, owners, why }));
  expect(conflictsInOrder(all.toReversed())).toEqual(all);
});
