import { describe, expect, it } from 'vitest';
import type { Conflict } from '#lib/domain/observation/conflict.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { CurrentFeed } from '#lib/domain/record/current.ts';
import { sampleCluster, sampleNow, sampleRef } from '../../testing/sample.ts';
import { sightOf } from '../sight.ts';
import { conflictsWithin, recordWithin } from './cluster.ts';

const part = sightOf([{ clusters: ['eu-1'], namespaces: ['apps'] }]);
const whole = sightOf([{ clusters: ['eu-1'], namespaces: null }]);

const own = sampleRef({ cluster: 'eu-1', namespace: 'apps', name: 'own' });
const feed = (rest: Partial<CurrentFeed>): CurrentFeed => ({
  ...{ group: own.group, kind: own.kind, version: 'v1', namespaced: true, state: 'live', since: sampleNow - 1_000 },
  ...{ reason: null, lastWordAt: sampleNow, objects: 7, ...rest },
});
const feeds = [
  feed({}),
  feed({ kind: 'Busy' }),
  feed({ kind: 'Empty', state: 'idle', reason: 'probed in turn', lastWordAt: null, objects: 0 }),
  feed({ kind: 'Hidden', state: 'forbidden', reason: 'no', lastWordAt: null, objects: 0 }),
];
const record = { ...sampleCluster('eu-1'), feeds, probes: { kinds: 1, longest: 5 } };

it('tells who sees a part of a cluster nothing of when a kind was heard of, or that there is none of it', () => {
  const seen = recordWithin(record, () => [own], part);
  expect(
    seen.feeds.map(({ kind, state, reason, lastWordAt, objects }) => [kind, state, reason, lastWordAt, objects]),
  ).toEqual([
    [own.kind, 'live', null, null, 1],
    ['Busy', 'live', null, null, 0],
    ['Empty', 'live', null, null, 0],
    ['Hidden', 'forbidden', 'no', null, 0],
  ]);
  expect(seen.probes).toBeNull();
});

it('tells who sees all of it all of that', () => {
  const seen = recordWithin(record, () => [own], whole);
  expect([seen.feeds, seen.probes]).toEqual([feeds, record.probes]);
});

describe('what two manage', () => {
  const far = sampleRef({ cluster: 'a-1', namespace: 'apps', name: 'secret' });
  const { cluster: _far, ...resource } = far;
  const { cluster: _own, ...ownResource } = own;
  const bucket = (owners: readonly ObjectRef[], why = 'both manage one external resource'): Conflict => ({
    ...{ kind: 'external-resource', resource, why, since: sampleNow },
    owners: owners.map((ref) => ({ ref, name: ref.name })),
  });
  const told = (conflict: Conflict, sight = whole) => conflictsWithin('eu-1', [conflict], sight);

  it('in a cloud has the name of the first that is seen', () => {
    for (const sight of [whole, part]) {
      const seen = told(bucket([far, own]), sight);
      expect(JSON.stringify(seen)).not.toContain('secret');
      expect(seen).toMatchObject([{ resource: ownResource, why: 'somebody outside your view manages it too' }]);
    }
    const other = sampleRef({ cluster: 'eu-1', namespace: 'ops', name: 'other' });
    expect(told(bucket([far, other]), part)).toEqual([]);
  });

  it('and others whom nobody names is told without their number and their names', () => {
    const owners = Array.from({ length: 8 }, (_, at) => sampleRef({ ...own, name: `own-${at}` }));
    const why = 'all 12 have applied it; secret not while suspended';
    const inInventories = { ...bucket(owners, why), kind: 'two-inventories', resource: ownResource } as const;
    for (const conflict of [inInventories, bucket(owners, why)])
      expect(told(conflict, part)).toMatchObject([{ why: 'somebody outside your view may manage it too' }]);
    expect(told(inInventories)).toEqual([inInventories]);
    const few = { ...inInventories, owners: inInventories.owners.slice(0, 2) };
    expect(told(few, part)).toEqual([few]);
  });
});
