// The network between collector and API server, below and within TLS.
import { afterAll, beforeAll, it } from 'vitest';
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

it('connections that are cut', () =>
  expectEndured(fleet, { cluster, within: 20_000, unnoticed: true, strike: () => api().server.gate.cut() }));

it('answers that take seconds', () =>
  expectEndured(fleet, {
    cluster,
    within: 40_000,
    lasts: 20_000,
    strike() {
      api().faults.delay = 3_000;
      api().server.gate.setLatency(100);
      api().server.endWatches();
    },
    heal() {
      api().faults.delay = 0;
      api().server.gate.setLatency(0);
    },
  }));

it('connections that are refused, for longer than a controller may be silent', () =>
  expectEndured(fleet, {
    cluster,
    within: 15_000,
    lasts: 80_000,
    blinds: 'cluster',
    unnoticed: true,
    strike: () => api().server.gate.setReach('refused'),
    heal: () => api().server.gate.setReach('open'),
  }));

it('connections that swallow everything, for longer than a controller may be silent', () =>
  expectEndured(fleet, {
    cluster,
    within: 30_000,
    lasts: 80_000,
    blinds: 'cluster',
    unnoticed: true,
    strike: () => api().server.gate.setReach('blackholed'),
    heal: () => api().server.gate.setReach('open'),
  }));

it('streams that fall silent and stay open', () =>
  expectEndured(fleet, {
    cluster,
    within: 60_000,
    strike() {
      api().faults.dropBookmarks = true;
      api().server.muteWatches();
    },
    heal() {
      api().faults.dropBookmarks = false;
    },
  }));

it('a proxy that speaks HTTP/1.1 only', async () => {
  await expectEndured(fleet, {
    cluster,
    within: 30_000,
    async strike() {
      api().server.setHttp2(false);
      api().server.gate.cut();
      await fleet.watchUntil('HTTP/1.1', () => fleet.screen.cluster(cluster)?.protocol === 'http/1.1');
    },
  });
  // Back only with the next connection: one that works is kept.
  api().server.setHttp2(true);
  await api().server.gate.setReach('refused');
  await fleet.watchUntil('the loss', () => fleet.screen.cluster(cluster)?.state === 'unreachable');
  await api().server.gate.setReach('open');
  await fleet.watchUntil('HTTP/2 again', () => fleet.screen.cluster(cluster)?.protocol === 'h2');
  await fleet.watchUntil('the cluster', () => fleet.screen.cluster(cluster)?.state === 'live');
});
