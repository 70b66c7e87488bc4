import { expect, it } from 'vitest';
import { refKey } from '#lib/domain/observation/ref.ts';
import { createFleetCache } from '../cache/fleet-cache.ts';
import { sampleCluster, sampleNow, sampleObject } from '../testing/sample.ts';
import { pastFleetCache, vouchedNow } from './past-fleet-cache.ts';

const past = sampleCluster('eu-west-3', { validUntil: sampleNow });

it.each([
  ['nobody', new Map<string, number>(), sampleNow],
  ['somebody beyond that', new Map([['eu-west-3', sampleNow + 1]]), sampleNow],
  ['somebody until before', new Map([['eu-west-3', sampleNow - 1]]), sampleNow - 1],
  ['somebody for another', new Map([['us-east-1', sampleNow - 1]]), sampleNow],
])('a cluster for which %s vouches now was seen no longer than that', (_who, vouched, validUntil) => {
  const cache = pastFleetCache({ clusters: [past], objects: [] }, vouched);
  expect(cache.clusterCache('eu-west-3')?.record?.validUntil).toBe(validUntil);
});

it('only what is live now is vouched for', () => {
  const present = createFleetCache();
  const clusters = [past, sampleCluster('us-east-1', { state: 'unreachable' })];
  present.apply(clusters.map((cluster) => ({ type: 'cluster', cluster })));
  expect([...vouchedNow(present)]).toEqual([['eu-west-3', sampleNow]]);
});

it('holds the objects of each cluster, also of one that has no record, and nothing in it moves', () => {
  const [one, other] = [
    sampleObject({ name: 'a', cluster: 'eu-west-3' }),
    sampleObject({ name: 'b', cluster: 'gone' }),
  ];
  const cache = pastFleetCache({ clusters: [past], objects: [one, other] }, new Map());
  expect(cache.size()).toBe(2);
  expect([...cache.clusterCaches()].map(({ name, record }) => [name, record?.name ?? null])).toEqual([
    ['eu-west-3', 'eu-west-3'],
    ['gone', null],
  ]);
  expect([cache.object(one.ref), cache.object(other.ref)]).toEqual([one, other]);
  expect(cache.object({ ...one.ref, name: 'c' })).toBeNull();
  expect(cache.object({ ...one.ref, cluster: 'nowhere' })).toBeNull();
  expect(cache.clusterCache('nowhere')).toBeNull();
  const own = cache.clusterCache('gone')?.objects;
  expect([own?.size, [...(own?.values() ?? [])], [...(own?.entries() ?? [])]]).toEqual([
    1,
    [other],
    [[refKey(other.ref), other]],
  ]);
});

it('a kind that is only declared is read of no cluster', () => {
  const declared = past.feeds
    .slice(0, 1)
    .map(({ group, kind }) => sampleObject({ name: 'a', group, kind }, { role: 'declared' }));
  const cache = pastFleetCache({ clusters: [past], objects: declared }, new Map());
  expect(cache.clusterCache('eu-west-3')?.record?.feeds).toEqual(past.feeds.slice(1));
});
