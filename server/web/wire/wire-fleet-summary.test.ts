import { toldAlarms } from '../testing/told-alarms.ts';
import { expect, it } from 'vitest';
import { scopeOf, wholeFleet } from '#lib/api/scope.ts';
import { FleetView } from '#lib/api/fleet.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import type { CurrentCluster } from '#lib/domain/record/current.ts';
import { hour } from '#lib/domain/time/length.ts';
import { createFleetCache } from '../cache/fleet-cache.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { sampleMoment } from '../testing/moment.ts';
import { sampleCluster, sampleDiverged, sampleNow, sampleObject } from '../testing/sample.ts';

function momentOf(
  clusters: readonly CurrentCluster[],
  objects: readonly KnownObject[] = [],
  policy = defaultPolicy,
): KnownMoment {
  const fleetCache = createFleetCache();
  fleetCache.apply([
    ...clusters.map((cluster) => ({ type: 'cluster' as const, cluster })),
    ...objects.map((object) => ({ type: 'object' as const, object })),
  ]);
  return sampleMoment(fleetCache, policy, undefined, toldAlarms(objects));
}

const [a, b] = [sampleCluster('a'), sampleCluster('b')];
const good = sampleObject({ cluster: 'a', name: 'good' });
const unread = sampleDiverged({ cluster: 'a', name: 'x' }, { alarm: { state: 'unknown', why: 'none' } });
const sounding = sampleDiverged({ cluster: 'a', name: 'y' }, { alarm: { state: 'sounding', since: 0, by: 'own' } });

it.each([
  ['not needed', [good], 'not-needed'],
  ['not read', [unread], 'not-read'],
  ['read', [sounding], 'read'],
] as const)('alarms are %s', (_what, objects, alarms) => {
  expect(momentOf([a], objects).summary().guarantee.alarms).toBe(alarms);
});

it('planned work stands with its clusters and the objects that it covers', () => {
  const maintenance = [
    { clusters: ['a', 'b'], until: sampleNow + hour, reason: 'Upgrade' },
    { clusters: ['c'], until: sampleNow + 1, reason: 'Move' },
  ];
  const objects = ['a', 'b', 'b', 'c'].map((cluster, n) => sampleDiverged({ cluster, name: `o${n}` }));
  const known = momentOf([a, b, sampleCluster('c')], [good, ...objects], { ...defaultPolicy, maintenance });
  const { planned, filter } = known.summary();
  expect(planned).toEqual([
    { clusters: ['c'], until: '2026-11-21T02:00:00.001Z', reason: 'Move', objects: 1 },
    { clusters: ['a', 'b'], until: '2026-11-21T03:00:00.000Z', reason: 'Upgrade', objects: 3 },
  ]);
  expect(filter).toBeNull();
});

it('of many causes the first five are shown, or all', () => {
  const causes = Array.from({ length: 6 }, (_, n) =>
    sampleDiverged({ cluster: 'a', name: `o${n}` }, { reason: `Why${n}` }),
  );
  const known = momentOf([a], causes);
  const shown = (which: 'first' | 'all') => {
    const { causes: lines, causesTotal, causesObjects } = known.summary(which);
    return [lines.length, causesTotal, causesObjects];
  };
  expect([shown('first'), shown('all')]).toEqual([
    [5, 6, 6],
    [6, 6, 6],
  ]);
});

it('causes that have just begun are one line, unless all are asked for', () => {
  const onset = { time: sampleNow - 1, bound: 'exact', noticedAt: sampleNow - 1 } as const;
  const young = ['x', 'y', 'z'].map((name) =>
    sampleDiverged({ cluster: 'a', name }, { reason: `Why${name}`, onset, awaySince: onset }),
  );
  const known = momentOf([a], young);
  expect([known.summary('first').causesTotal, known.summary('all').causesTotal]).toEqual([1, 3]);
  expect(known.summary('all').causes.map(({ objects }) => objects)).toEqual([1, 1, 1]);
});

it.each<[string, readonly CurrentCluster[], string | null]>([
  ['a cluster is seen', [b], null],
  ['a cluster is being connected', [{ ...b, state: 'connecting' }], null],
  ['none is', [{ ...b, state: 'unreachable' }], '1 min'],
])('the collector is in trouble where what it saw is not vouched for any more, and %s', (_what, others, time) => {
  const lost = sampleCluster('a', { validUntil: sampleNow - 1, lastWordAt: sampleNow - 90_000 });
  const silent = others.map((cluster) => ({ ...cluster, lastWordAt: sampleNow - 100_000 }));
  const { trouble, lastWordAt } = momentOf([lost, ...silent]).summary();
  expect(trouble).toBe(time && `The collector has said nothing for ${time}: nothing here is known to be so any more.`);
  expect(lastWordAt).toBe('2026-11-21T01:58:30.000Z');
});

it('who never heard anything has no last word', () => {
  const { trouble, lastWordAt } = momentOf([{ ...a, validUntil: sampleNow - 1, lastWordAt: null }]).summary();
  expect([trouble, lastWordAt]).toEqual([null, null]);
});

it.each([
  [wholeFleet, 'no object is known on 1 cluster.', null],
  [
    scopeOf(FleetView.parse({ label: 'environment=nowhere' })),
    'Nothing matches this filter.',
    { text: 'environment=nowhere', outside: 'Outside this filter nothing is worse.' },
  ],
])('where nothing is found it says whether a filter keeps nothing', (scope, words, filter) => {
  const summary = momentOf([a]).summary('first', scope);
  expect([summary.guarantee.body, summary.filter]).toEqual([words, filter]);
});
