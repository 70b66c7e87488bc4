import { expect, it } from 'vitest';
import type { CurrentFeed } from '#lib/domain/record/current.ts';
import { sampleCluster, sampleNow, sampleRef } from '../../testing/sample.ts';
import { sightOf } from '../sight.ts';
import { recordWithin } from './cluster.ts';

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
