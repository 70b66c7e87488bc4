import { unknownAlarms } from '#lib/domain/alarm/known-object.ts';
import type { KnownAlarms } from '#lib/domain/alarm/chain.ts';
import { describe, expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import { hour } from '#lib/domain/time/length.ts';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import type { Change, StoreReader } from '#server/store/port/port.ts';
import { memoryStore } from '../testing/memory-reader.ts';
import { sampleCluster, sampleDiverged, sampleNow, sampleObject } from '../testing/sample.ts';
import { startFollower } from './follower.ts';
import { knownFleet } from './known-fleet.ts';
import { createFleetCache } from './fleet-cache.ts';

const checkout = sampleObject({ name: 'checkout' });

describe('the picture', () => {
  it('holds what came last, counts it, and forgets what was removed', () => {
    const fleetCache = createFleetCache();
    fleetCache.apply([
      { type: 'object', object: checkout },
      { type: 'object', object: sampleDiverged({ name: 'checkout' }) },
      { type: 'object', object: sampleObject({ name: 'payments' }) },
    ]);
    expect(fleetCache.size()).toBe(2);
    expect(fleetCache.object(checkout.ref)?.verdict).toBe('diverged');
    fleetCache.apply([
      { type: 'removed', ref: checkout.ref },
      { type: 'removed', ref: checkout.ref },
    ]);
    expect(fleetCache.size()).toBe(1);
    fleetCache.apply([{ type: 'cluster-removed', cluster: 'eu-west-3' }]);
    expect([fleetCache.size(), fleetCache.clusterCache('eu-west-3')]).toEqual([0, null]);
  });

  it('numbers what changed over all clusters, and what was only renewed for each', () => {
    const fleetCache = createFleetCache();
    const record = sampleCluster('eu-west-3');
    const confirmation = { confirmedAt: 1, observedAt: 2, validUntil: 3 };
    const moved = (): unknown =>
      [fleetCache.clusterCache('eu-west-3'), fleetCache.clusterCache('us-east-1')].map(
        (one) => one && [one.revision, one.renewal],
      );
    const steps: readonly [Change, unknown][] = [
      [{ type: 'cluster', cluster: record }, [[1, 0], null]],
      [{ type: 'cluster', cluster: { ...record, validUntil: 1 } }, [[1, 1], null]],
      [{ type: 'object', object: checkout }, [[2, 1], null]],
      [{ type: 'confirmed', ref: checkout.ref, ...confirmation }, [[2, 2], null]],
      [
        { type: 'cluster', cluster: sampleCluster('us-east-1') },
        [
          [2, 2],
          [3, 0],
        ],
      ],
      [
        { type: 'cluster', cluster: { ...record, state: 'unreachable' } },
        [
          [4, 2],
          [3, 0],
        ],
      ],
      [
        { type: 'removed', ref: sampleObject({ name: 'other' }).ref },
        [
          [4, 2],
          [3, 0],
        ],
      ],
      [
        { type: 'removed', ref: checkout.ref },
        [
          [5, 2],
          [3, 0],
        ],
      ],
      [{ type: 'cluster-removed', cluster: 'eu-west-3' }, [null, [3, 0]]],
      [
        { type: 'object', object: checkout },
        [
          [6, 0],
          [3, 0],
        ],
      ],
    ];
    for (const [change, expected] of steps) {
      fleetCache.apply([change]);
      expect(moved()).toEqual(expected);
    }
    fleetCache.apply([{ type: 'confirmed', ref: checkout.ref, ...confirmation }]);
    expect(fleetCache.clusterCache('eu-west-3')).toEqual({
      name: 'eu-west-3',
      record: null,
      objects: new Map([[refKey(checkout.ref), { ...checkout, ...confirmation }]]),
      revision: 6,
      renewal: 1,
    });
    expect(fleetCache.object(checkout.ref)).toEqual({ ...checkout, ...confirmation });
    fleetCache.clear();
    expect([fleetCache.size(), [...fleetCache.clusterCaches()]]).toEqual([0, []]);
  });

  it('a confirmation of an object that is not there says nothing', () => {
    const fleetCache = createFleetCache();
    fleetCache.apply([{ type: 'confirmed', ref: checkout.ref, confirmedAt: 1, observedAt: 1, validUntil: 1 }]);
    expect(fleetCache.size()).toBe(0);
    fleetCache.apply([{ type: 'cluster', cluster: sampleCluster('eu-west-3') }]);
    fleetCache.apply([{ type: 'confirmed', ref: checkout.ref, confirmedAt: 1, observedAt: 1, validUntil: 1 }]);
    expect(fleetCache.size()).toBe(0);
  });

  it.each<[string, Change, boolean]>([
    [
      'a renewed cluster',
      {
        type: 'cluster',
        cluster: sampleCluster('eu-west-3', { validUntil: sampleNow + 90_000, lastWordAt: sampleNow + 1 }),
      },
      false,
    ],
    [
      'a confirmation',
      { type: 'confirmed', ref: checkout.ref, confirmedAt: 1, observedAt: 1, validUntil: sampleNow + 900_000 },
      false,
    ],
    ['a changed object', { type: 'object', object: sampleDiverged({ name: 'checkout' }) }, true],
    [
      'a cluster that is lost',
      { type: 'cluster', cluster: sampleCluster('eu-west-3', { state: 'unreachable', reason: 'no route' }) },
      true,
    ],
    ['another cluster', { type: 'cluster', cluster: sampleCluster('us-east-1') }, true],
    ['a cluster less', { type: 'cluster-removed', cluster: 'eu-west-3' }, true],
  ])('%s makes another stamp or not', (_name, change, changes) => {
    const fleetCache = createFleetCache();
    fleetCache.apply([
      { type: 'cluster', cluster: sampleCluster('eu-west-3') },
      { type: 'object', object: checkout },
    ]);
    const fleet = knownFleet(fleetCache, defaultPolicy);
    const before = fleet.stamp(sampleNow);
    fleetCache.apply([change]);
    expect(fleet.stamp(sampleNow) !== before).toBe(changes);
  });
});

/** Alarms of which none sounds for anything that is away. */
const silentWhenDue: KnownAlarms = { ...unknownAlarms('none'), alarmOf: () => ({ state: 'silent', broken: 'rule' }) };

describe('what is known, by the clock alone', () => {
  function fleetOf(...changes: Change[]) {
    const fleetCache = createFleetCache();
    fleetCache.apply([
      { type: 'cluster', cluster: sampleCluster('eu-west-3', { validUntil: sampleNow + hour }) },
      ...changes,
    ]);
    return { fleetCache, fleet: knownFleet(fleetCache, defaultPolicy, silentWhenDue) };
  }

  it('stays the same while nothing runs out', () => {
    const { fleet } = fleetOf({ type: 'object', object: checkout });
    expect(fleet.cluster('eu-west-3', sampleNow + 599_000)).toBe(fleet.cluster('eu-west-3', sampleNow));
  });

  it('an object turns stale at its bound, not before, and comes back with a confirmation', () => {
    const { fleetCache, fleet } = fleetOf({ type: 'object', object: checkout });
    expect(fleet.cluster('eu-west-3', sampleNow)?.worst).toBe('converged');
    expect(fleet.cluster('eu-west-3', sampleNow + 600_000)?.worst).toBe('stale');
    fleetCache.apply([
      {
        type: 'confirmed',
        ref: checkout.ref,
        confirmedAt: sampleNow,
        observedAt: sampleNow,
        validUntil: sampleNow + 900_000,
      },
    ]);
    expect(fleet.cluster('eu-west-3', sampleNow + 600_000)?.worst).toBe('converged');
  });

  it('is judged once where time alone can change nothing more', () => {
    const time = sampleNow - defaultPolicy.alarmWithin;
    const onset = { time, bound: 'exact' as const, noticedAt: time };
    const { fleet } = fleetOf(
      { type: 'object', object: sampleDiverged({ name: 'checkout' }, { awaySince: onset, validUntil: null }) },
      { type: 'cluster', cluster: sampleCluster('eu-west-3', { validUntil: sampleNow }) },
    );
    const known = fleet.cluster('eu-west-3', sampleNow);
    expect(known?.stamp).toBe(1);
    expect(fleet.cluster('eu-west-3', sampleNow)).toBe(known);
    expect(fleet.cluster('eu-west-3', sampleNow + 99 * hour)).toBe(known);
  });

  it('has another stamp with each cluster that comes, goes or changes, and no cluster of no name', () => {
    const fleetCache = createFleetCache();
    const fleet = knownFleet(fleetCache, defaultPolicy);
    const stampsOf = (): unknown => [
      fleet.stamp(sampleNow),
      fleet.all(sampleNow).map(({ name, stamp }) => [name, stamp]),
    ];
    expect(stampsOf()).toEqual([0, []]);
    fleetCache.apply([{ type: 'cluster', cluster: sampleCluster('b') }]);
    expect(stampsOf()).toEqual([2, [['b', 2]]]);
    fleetCache.apply([{ type: 'cluster', cluster: sampleCluster('a') }]);
    expect(stampsOf()).toEqual([
      4,
      [
        ['a', 4],
        ['b', 2],
      ],
    ]);
    const gone = fleet.cluster('b', sampleNow);
    fleetCache.apply([{ type: 'cluster-removed', cluster: 'b' }]);
    expect(stampsOf()).toEqual([5, [['a', 4]]]);
    expect([gone?.name, fleet.cluster('b', sampleNow)]).toEqual(['b', null]);
    fleetCache.apply([{ type: 'cluster-removed', cluster: 'a' }]);
    expect(stampsOf()).toEqual([6, []]);
  });

  it('a cluster that nobody vouches for is unobserved with all that is on it', () => {
    const { fleet } = fleetOf({ type: 'object', object: checkout });
    const known = fleet.cluster('eu-west-3', sampleNow + hour);
    expect([known?.known.state, known?.worst, known?.guarantee]).toEqual([
      'unobserved',
      'unobserved',
      { holds: 0, broken: 0, off: 0, unknown: 1, planned: 0, declared: 0 },
    ]);
  });

  it('the guarantee breaks when the alarm is due, without any write', () => {
    const onset = { time: sampleNow, bound: 'exact' as const, noticedAt: sampleNow };
    const object = sampleDiverged({ name: 'checkout' }, { awaySince: onset, validUntil: null });
    const { fleet } = fleetOf({ type: 'object', object });
    expect(fleet.cluster('eu-west-3', sampleNow)?.guarantee.broken).toBe(0);
    expect(fleet.cluster('eu-west-3', sampleNow + defaultPolicy.alarmWithin)?.guarantee.broken).toBe(1);
  });

  it('planned work counts apart what is away, and its end breaks the guarantee without any write', () => {
    const until = sampleNow + 600_000;
    const fleetCache = createFleetCache();
    fleetCache.apply([
      { type: 'cluster', cluster: sampleCluster('eu-west-3', { validUntil: sampleNow + hour }) },
      { type: 'object', object: sampleDiverged({ name: 'checkout' }, { validUntil: null }) },
      { type: 'object', object: sampleDiverged({ name: 'web' }, { verdict: 'stale', validUntil: null }) },
      { type: 'object', object: sampleObject({ name: 'payments' }, { validUntil: null }) },
    ]);
    const maintenance = [{ clusters: ['eu-west-3'], until, reason: 'Upgrade to 1.36' }];
    const fleet = knownFleet(fleetCache, { ...defaultPolicy, maintenance }, silentWhenDue);
    expect(fleet.cluster('eu-west-3', until - 1)).toMatchObject({
      guarantee: { holds: 1, broken: 0, unknown: 0, planned: 2 },
      plannedWork: { reason: 'Upgrade to 1.36' },
    });
    expect(fleet.cluster('eu-west-3', until)).toMatchObject({
      guarantee: { holds: 1, broken: 2, planned: 0 },
      plannedWork: null,
    });
  });

  it('a cluster of which only objects have come is not observed', () => {
    const fleetCache = createFleetCache();
    fleetCache.apply([{ type: 'object', object: checkout }]);
    expect(knownFleet(fleetCache, defaultPolicy).cluster('eu-west-3', sampleNow)).toMatchObject({
      worst: 'unobserved',
      known: { state: 'unobserved' },
    });
  });
});

describe('the follower', () => {
  async function turns(): Promise<void> {
    for (let n = 0; n < 20; n += 1) await new Promise(setImmediate);
  }

  it('reads in bounded chunks until there is no more', async () => {
    const store = memoryStore();
    for (let n = 0; n < 10; n += 1) store.object(sampleObject({ name: `app-${n}` }));
    const fleetCache = createFleetCache();
    const asked: number[] = [];
    const inner = await store.source.open();
    const reader: StoreReader = {
      ...inner,
      follow: (cursor, limit) => (asked.push(limit), inner.follow(cursor, limit)),
    };
    const follower = startFollower({
      source: { ...store.source, open: () => reader },
      fleetCache,
      clock: fakeClock(),
      log: silentLog,
      chunk: 4,
    });
    await turns();
    expect([fleetCache.size(), asked, follower.synced()]).toEqual([10, [4, 4, 4], true]);
    await follower.stop();
  });

  it('waits for a store that is not there yet', async () => {
    const store = memoryStore();
    store.vanish();
    const clock = fakeClock();
    const fleetCache = createFleetCache();
    const follower = startFollower({ source: store.source, fleetCache, clock, log: silentLog });
    await turns();
    expect([follower.synced(), follower.trouble(), follower.reader()]).toEqual([
      false,
      'The store is not there yet.',
      null,
    ]);
    store.replace();
    store.object(checkout);
    clock.advance(1_000);
    await turns();
    expect([follower.synced(), follower.trouble(), fleetCache.size()]).toEqual([true, null, 1]);
    await follower.stop();
  });

  it('starts anew where the store says that its cursor was of another', async () => {
    const store = memoryStore();
    store.object(checkout);
    const inner = await store.source.open();
    let reset = false;
    const reader: StoreReader = {
      ...inner,
      follow: async (cursor, limit) =>
        reset ? { changes: [], cursor: '0', more: false, reset: true } : inner.follow(cursor, limit),
    };
    const clock = fakeClock();
    const fleetCache = createFleetCache();
    const follower = startFollower({
      source: { ...store.source, open: () => reader },
      fleetCache,
      clock,
      log: silentLog,
    });
    await turns();
    expect(fleetCache.size()).toBe(1);
    reset = true;
    clock.advance(200);
    await turns();
    expect(fleetCache.size()).toBe(0);
    await follower.stop();
  });

  it('tells what keeps the store from being written, and that it has gone', async () => {
    const store = memoryStore();
    store.object(checkout);
    const clock = fakeClock();
    const conditions: (string | null)[] = [];
    const follower = startFollower({
      source: store.source,
      fleetCache: createFleetCache(),
      clock,
      log: silentLog,
      onChanges: () => conditions.push(follower.condition()),
    });
    await turns();
    for (const words of ['the disk is full', null]) {
      store.refuse(words);
      clock.advance(200);
      await turns();
      expect([follower.trouble(), follower.condition()]).toEqual([null, words]);
    }
    expect(conditions).toEqual([null, 'the disk is full', null]);
    await follower.stop();
  });

  it('keeps what it has while the store fails, and goes on where it was', async () => {
    const store = memoryStore();
    store.object(checkout);
    const clock = fakeClock();
    const fleetCache = createFleetCache();
    const follower = startFollower({ source: store.source, fleetCache, clock, log: silentLog });
    await turns();
    store.fail('disk I/O error');
    clock.advance(200);
    await turns();
    expect([follower.trouble(), fleetCache.size()]).toEqual(['disk I/O error', 1]);
    store.fail(null);
    store.object(sampleObject({ name: 'payments' }));
    clock.advance(1_000);
    await turns();
    expect([follower.trouble(), fleetCache.size()]).toEqual([null, 2]);
    await follower.stop();
    expect(clock.pending()).toBe(0);
  });
});
