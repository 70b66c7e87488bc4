import { describe, expect, it } from 'vitest';
import { wholeFleet } from '#lib/api/scope.ts';
import type { CurrentCluster } from '#lib/domain/record/current.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { knownFleet } from '../cache/known-fleet.ts';
import { createFleetCache } from '../cache/fleet-cache.ts';
import { sampleMoment } from '../testing/moment.ts';
import { helmGroup, sampleCluster, sampleNow, sampleObject, sampleRef, sampleSource } from '../testing/sample.ts';
import { readOnlyCommands } from './object/commands.ts';
import { decodeCursor, encodeCursor } from './lists/cursor.ts';
import { summaryCore } from './wire-fleet-summary.ts';
import { editDistance } from '#lib/format/edit-distance.ts';
import { nearestClusters, nearestObjects } from './lists/nearest.ts';
import { comparePositions, Position, positionKey } from './lists/worst-first.ts';

describe('commands to copy', () => {
  it.each<[string, ReturnType<typeof sampleObject>, string]>([
    [
      'Kustomization',
      sampleObject({ name: 'checkout' }),
      'flux get kustomizations checkout -n flux-system --context eu-west-3',
    ],
    ['source', sampleSource('eu-west-3'), 'flux get sources git control -n flux-system --context eu-west-3'],
    [
      'HelmRelease',
      sampleObject({ name: 'api', kind: 'HelmRelease', group: helmGroup, namespace: 'apps' }),
      'flux get helmreleases api -n apps --context eu-west-3',
    ],
    [
      'managed, cluster-scoped',
      sampleObject({ name: 'db', kind: 'Instance', group: 'rds.aws.upbound.io', namespace: '' }, { role: 'managed' }),
      'kubectl get instance.rds.aws.upbound.io db --context eu-west-3 -o yaml',
    ],
    [
      'claim',
      sampleObject({ name: 'db', kind: 'Database', group: 'acme.example.org', namespace: 'apps' }, { role: 'claim' }),
      'crossplane beta trace database.acme.example.org db -n apps --context eu-west-3',
    ],
  ])('%s', (_name, object, first) => {
    expect(readOnlyCommands(object)[0]).toBe(first);
  });

  it('only read', () => {
    for (const command of readOnlyCommands(sampleObject({ name: 'checkout' }))) {
      expect(command).toMatch(/^(flux (get|events|tree) |kubectl (get|describe) )/);
    }
  });
});

it('planned work stands by its end; what ends at once, as its clusters do', () => {
  const fleetCache = createFleetCache();
  const ends = { a: 3, b: 2, c: 2, d: 1 };
  fleetCache.apply(Object.keys(ends).map((name) => ({ type: 'cluster', cluster: sampleCluster(name) })));
  const maintenance = Object.entries(ends).map(([name, hours]) => ({
    clusters: [name],
    reason: name,
    until: sampleNow + hours * 3_600_000,
  }));
  const clusters = knownFleet(fleetCache, { ...defaultPolicy, maintenance }).all(sampleNow);
  const { planned } = summaryCore({ scope: wholeFleet, clusters, whole: clusters, now: sampleNow });
  expect(planned.map(({ reason }) => reason)).toEqual(['d', 'b', 'c', 'a']);
});

describe('trouble of the collector', () => {
  const trouble = (states: readonly CurrentCluster['state'][], ago: number | null): string | null => {
    const fleetCache = createFleetCache();
    const records = states.map((state, index) =>
      // What is not vouched for any more is not observed.
      sampleCluster(`c${index}`, {
        state,
        validUntil: sampleNow - 1,
        lastWordAt: ago === null ? null : sampleNow - ago,
      }),
    );
    fleetCache.apply(records.map((cluster) => ({ type: 'cluster', cluster })));
    return sampleMoment(fleetCache).summary().trouble;
  };
  const nothing = (time: string): string =>
    `The collector has said nothing for ${time}: nothing here is known to be so any more.`;

  it.each<[readonly CurrentCluster['state'][], number | null, string | null]>([
    [['live'], 59_999, nothing('a while')],
    [['live'], 60_000, nothing('1 min')],
    [['live', 'unreachable'], 179_999, nothing('2 min')],
    [['live'], null, null],
    [[], 60_000, null],
  ])('where clusters were %j, heard of last %i ms ago: %s', (states, ago, said) => {
    expect(trouble(states, ago)).toBe(said);
  });
});

describe('the nearest names', () => {
  const fleetCache = createFleetCache();
  for (const cluster of ['eu-west-3', 'us-east-1']) {
    fleetCache.apply([
      { type: 'cluster', cluster: sampleCluster(cluster) },
      { type: 'object', object: sampleObject({ cluster, name: 'checkout' }) },
      { type: 'object', object: sampleObject({ cluster, name: 'payments' }) },
    ]);
  }
  const clusters = knownFleet(fleetCache, defaultPolicy).all(sampleNow);
  const words = (refs: readonly ObjectRef[]): string[] => refs.map((ref) => `${ref.cluster}/${ref.name}`);

  it.each<[string, Partial<ObjectRef>, string[]]>([
    ['a slip', { name: 'chekout' }, ['eu-west-3/checkout']],
    ['another namespace', { name: 'checkout', namespace: 'apps' }, ['eu-west-3/checkout', 'us-east-1/checkout']],
    ['nothing like it', { name: 'something-else-entirely' }, []],
    ['an unknown cluster', { name: 'nothing-like-it', cluster: 'eu-west-2' }, ['eu-west-3/']],
  ])('%s', (_name, ref, expected) => {
    expect(words(nearestObjects(sampleRef({ name: '', ...ref }), clusters))).toEqual(expected);
  });

  it('of a cluster', () => {
    expect(nearestClusters('eu-west', clusters).map(({ cluster }) => cluster)).toEqual(['eu-west-3']);
  });

  it.each([
    ['checkout', 'chekout', 1],
    ['abc', 'abc', 0],
    ['', 'ab', 2],
    ['abcdef', 'uvwxyz', 4],
  ])('%s and %s are %i apart, given up beyond 3', (a, b, distance) => {
    expect(editDistance(a, b, 3)).toBe(distance);
  });
});

describe('positions in a list', () => {
  it('sort by cluster first, also where one name begins with another', () => {
    const [a, b] = [sampleRef({ cluster: 'a', name: 'z' }), sampleRef({ cluster: 'a-b', name: 'a' })];
    expect(positionKey(a) < positionKey(b)).toBe(true);
  });

  it('survive their cursor', () => {
    const position = [0, 3, sampleNow, positionKey(sampleRef({ name: 'checkout' }))] as const;
    expect(comparePositions(decodeCursor(encodeCursor(position), Position) ?? [1, 0, 0, ''], position)).toBe(0);
  });

  it.each(['', 'xx', 'W10', Buffer.from('[2,0,0,""]').toString('base64url')])('%j is no cursor', (text) => {
    expect(decodeCursor(text, Position)).toBeNull();
  });
});
