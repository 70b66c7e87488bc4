import { toldAlarms } from '../testing/told-alarms.ts';
import { expect, it } from 'vitest';
import { defaultPolicy, type Policy } from '#lib/domain/guarantee/guarantee.ts';
import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import { knownFleet } from '../cache/known-fleet.ts';
import { createFleetCache } from '../cache/fleet-cache.ts';
import { sampleCluster, sampleDiverged, sampleNow, sampleObject } from '../testing/sample.ts';
import { clusterSentence } from './cluster-sentence.ts';
import { partialTexts } from './partial.ts';

const unread = { alarm: { state: 'unknown', why: 'none' } } as const;
const sounding = { alarm: { state: 'sounding', since: 0, by: 'own' } } as const;
const good = sampleObject({ name: 'good' });
const away = sampleDiverged({ name: 'away' });
const stale = sampleDiverged({ name: 'stale' }, { verdict: 'stale' });

function said(objects: readonly KnownObject[], hidden: readonly string[] = [], policy: Policy = defaultPolicy) {
  const fleetCache = createFleetCache();
  fleetCache.apply([{ type: 'cluster', cluster: sampleCluster('eu-west-3') }]);
  fleetCache.apply(objects.map((object) => ({ type: 'object', object })));
  const known = knownFleet(fleetCache, policy, toldAlarms(objects)).cluster('eu-west-3', sampleNow);
  if (known === null) throw new Error('The cluster is not there.');
  return clusterSentence(known, hidden, sampleNow);
}

function sentence(...asked: Parameters<typeof said>): string {
  return said(...asked).text;
}

it.each([
  ['in order', [good], 'So it is: 1 object.'],
  ['nothing', [], 'That cannot be said: no object of a reconciler has been found here yet.'],
  ['silent', [good, away], 'Not so: nobody is being called for 1 diverged.'],
  ['silent and stale', [away, stale], 'Not so: nobody is being called for 1 diverged, 1 stale.'],
  ['silent, only stale', [good, stale], 'Not so: nobody is being called for 1 stale.'],
  [
    'no alarm source',
    [
      { ...away, ...unread },
      { ...stale, ...unread },
    ],
    'Not as in git: 1 diverged. Not confirmed: 1 stale of 2 objects. Paging status unknown: no alert source is configured.',
  ],
  [
    'only stale, no alarm source',
    [good, { ...stale, ...unread }],
    'Not confirmed: 1 stale of 2 objects. Paging status unknown: no alert source is configured.',
  ],
  [
    'sounding',
    [good, { ...stale, ...sounding }],
    'So it is: 2 objects. Alarms are sounding, or not yet due, for 1 stale.',
  ],
])('%s', (_name, objects, expected) => {
  expect(sentence(objects)).toBe(expected);
});

it('what cannot be read comes before what is in order, and what is stale is not called away', () => {
  expect(sentence([good], ['HelmRelease'])).toBe(
    'HelmRelease cannot be read here. Of what is seen, nothing is away from git: 1 object.',
  );
  expect(sentence([good, { ...stale, ...sounding }], ['HelmRelease'])).toBe(
    'HelmRelease cannot be read here. Of what is seen, all else is as in git: 2 objects. Alarms are sounding, or not yet due, for 1 stale.',
  );
});

it('planned work makes nothing good', () => {
  const maintenance = [{ clusters: ['eu-west-3'], until: sampleNow + 1, reason: 'Upgrade' }];
  expect(sentence([good, away], [], { ...defaultPolicy, maintenance })).toBe(
    'So it is but for planned work: 1 of 2 objects is not known to be as in git.',
  );
  expect(sentence([good, away, stale], [], { ...defaultPolicy, maintenance })).toBe(
    'So it is but for planned work: 2 of 3 objects are not known to be as in git.',
  );
});

it('says of what is seen that nothing is away, where nothing is', () => {
  expect(sentence([good], ['HelmRelease'])).toBe(
    'HelmRelease cannot be read here. Of what is seen, nothing is away from git: 1 object.',
  );
});

it('is never more than unknown where the sentence says that it cannot be said', () => {
  const truthOf = (objects: readonly KnownObject[], hidden: readonly string[] = []) => said(objects, hidden).truth;
  expect([truthOf([good]), truthOf([away]), truthOf([{ ...stale, ...sounding }])]).toEqual([
    'holds',
    'broken',
    'holds',
  ]);
  expect([truthOf([]), truthOf([{ ...stale, ...unread }]), truthOf([good], ['HelmRelease'])]).toEqual([
    'unknown',
    'unknown',
    'unknown',
  ]);
});

it.each([
  ['heard before', sampleNow - 7_200_000, 'That cannot be said: the cluster has not been seen for 49 min.'],
  ['never heard', null, 'That cannot be said: the cluster has not been seen for at least 49 min.'],
])('a cluster that is not seen: %s', (_, lastWordAt, expected) => {
  const since = sampleNow - 49 * 60_000;
  const fleetCache = createFleetCache();
  const cluster = { ...sampleCluster('eu-west-3'), state: 'unreachable' as const, since, lastWordAt };
  fleetCache.apply([{ type: 'cluster', cluster }]);
  const known = knownFleet(fleetCache, defaultPolicy).cluster('eu-west-3', sampleNow);
  if (known === null) throw new Error('The cluster is not there.');
  expect(clusterSentence(known, [], sampleNow).text).toBe(expected);
  const unreachable = expected.includes('at least') ? 'for at least 49 min' : 'for 49 min';
  expect(partialTexts([known], () => cluster, sampleNow)).toEqual([`eu-west-3 unreachable ${unreachable}`]);
});

it.each([
  [['A'], 'A'],
  [['A', 'B', 'C'], 'A, B, C'],
  [['A', 'B', 'C', 'D'], '4 kinds'],
])('kinds that cannot be read are named, or counted where they are many: %j', (hidden, named) => {
  expect(sentence([], hidden)).toBe(`That cannot be said: ${named} cannot be read here.`);
});
