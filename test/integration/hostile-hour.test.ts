// Answers of an API server that no client can choose: facts of client-go's reflector and of its silent deaths.
import { afterAll, beforeAll, describe, it } from 'vitest';
import { commonKinds } from '#server/simulator/api/kinds.ts';
import type { SimulatedCluster } from '#server/simulator/fleet/simulated-cluster.ts';
import { expectEndured, startHostileFleet, type HostileFleet } from './running/hostile.ts';

const cluster = 'eu-west-3';
let fleet: HostileFleet;

beforeAll(async () => {
  fleet = await startHostileFleet(2);
});

afterAll(() => fleet.stop());

function api(): SimulatedCluster {
  return fleet.demo(cluster).cluster;
}

/** Ends the watches and drops the history behind them, after a write that none of them has seen. */
function forget(): void {
  api().server.endWatches();
  api().store.put(
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'other', namespace: 'default', uid: 'other', creationTimestamp: '2026-01-01T00:00:00Z' },
    },
    commonKinds.configMap,
  );
  api().compact();
}

describe('a watch that is cut short is taken up where it was', () => {
  // The mildest first: a client that was refused waits longer the next time.
  it('by a clean end of every watch', () =>
    expectEndured(fleet, { cluster, within: 10_000, unnoticed: true, strike: () => api().server.endWatches() }));

  it('by GOAWAY', () =>
    expectEndured(fleet, { cluster, within: 15_000, unnoticed: true, strike: () => api().server.goaway() }));

  it('by streams that are reset', () =>
    expectEndured(fleet, { cluster, within: 15_000, strike: () => api().server.resetWatches() }));

  it('by HTTP 500 on every new watch', () =>
    expectEndured(fleet, {
      cluster,
      within: 30_000,
      strike() {
        api().faults.failNext(40, { verb: 'watch' });
        api().server.endWatches();
      },
    }));

  it('by HTTP 429 with Retry-After', () =>
    expectEndured(fleet, {
      cluster,
      within: 30_000,
      strike() {
        api().faults.throttleNext(40, 2, { verb: 'watch' });
        api().server.endWatches();
      },
    }));

  it('by a line that is no JSON', () =>
    expectEndured(fleet, { cluster, within: 20_000, strike: () => api().server.sendMalformedLine() }));
});

describe('a server that has forgotten where the watch was is listed anew', () => {
  it('by 410 as an ERROR event', () =>
    expectEndured(fleet, {
      cluster,
      within: 20_000,
      relist: 'owed',
      strike() {
        forget();
      },
    }));

  it('by 410 as a status', () =>
    expectEndured(fleet, {
      cluster,
      within: 20_000,
      relist: 'owed',
      strike() {
        api().faults.expiredAs = 'status';
        forget();
      },
      heal() {
        api().faults.expiredAs = 'error-event';
      },
    }));

  it('through HTTP 500 on the list', () =>
    expectEndured(fleet, {
      cluster,
      within: 40_000,
      relist: 'owed',
      strike() {
        forget();
        api().faults.failNext(40, { verb: 'watch' });
        api().faults.failNext(40, { verb: 'list' });
      },
    }));

  it('through HTTP 429 on the list', () =>
    expectEndured(fleet, {
      cluster,
      within: 40_000,
      relist: 'owed',
      strike() {
        forget();
        api().faults.throttleNext(40, 1, { verb: 'list' });
        api().faults.throttleNext(40, 1, { verb: 'watch' });
      },
    }));

  it('where WatchList is off, in pages whose continue token expires', () => {
    let expiries = 2;
    return expectEndured(fleet, {
      cluster,
      within: 40_000,
      relist: 'owed',
      strike() {
        api().faults.watchList = false;
        api().faults.delay = 300;
        forget();
      },
      meanwhile() {
        const paged = fleet.simulator.requests
          .all()
          .some((request) => request.cluster === cluster && request.path.includes('continue='));
        if (paged && expiries-- > 0) api().compact();
      },
      heal() {
        api().faults.watchList = true;
        api().faults.delay = 0;
      },
    });
  });
});
