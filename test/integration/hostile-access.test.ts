// What a cluster lets us see, and what it serves: RBAC, tokens, CRDs, and proxies that answer something else.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { refKey } from '#lib/domain/observation/ref.ts';
import type { SimulatedCluster } from '#server/simulator/fleet/simulated-cluster.ts';
import { expectEndured, startHostileFleet, type HostileFleet } from './running/hostile.ts';
import { changesOf, notAsTrue, verdictsOf } from './running/oracle.ts';
import { relistsSince } from './running/requests.ts';

const cluster = 'eu-west-3';
const kustomizations = 'kustomizations.kustomize.toolkit.fluxcd.io';
let fleet: HostileFleet;

beforeAll(async () => {
  fleet = await startHostileFleet(2);
});

afterAll(() => fleet.stop());

function api(): SimulatedCluster {
  return fleet.demo(cluster).cluster;
}

function feedOf(kind: string): string | undefined {
  return fleet.screen.cluster(cluster)?.feeds.find((feed) => feed.kind === kind)?.state;
}

it('a kind that is forbidden, and then allowed again', async () => {
  await expectEndured(fleet, {
    cluster,
    within: 20_000,
    blinds: ['Kustomization'],
    strike() {
      api().access.forbid(kustomizations);
      api().server.endWatches(kustomizations);
    },
    heal() {
      expect(feedOf('Kustomization')).toBe('forbidden');
      api().access.permit(kustomizations);
    },
  });
});

it('a kind that a proxy answers as a Table', () =>
  expectEndured(fleet, {
    cluster,
    within: 60_000,
    blinds: ['Kustomization'],
    strike() {
      api().faults.tables.add(kustomizations);
      api().server.endWatches(kustomizations);
    },
    heal() {
      expect(feedOf('Kustomization')).toBe('failed');
      api().faults.tables.delete(kustomizations);
    },
  }));

it('a token that is rotated, its kubeconfig with it, goes unnoticed', () =>
  expectEndured(fleet, {
    cluster,
    within: 20_000,
    unnoticed: true,
    strike() {
      fleet.simulator.rotateToken(cluster, true);
      api().server.endWatches();
    },
  }));

it('a token that is revoked blinds until the kubeconfig has the new one', () =>
  expectEndured(fleet, {
    cluster,
    within: 30_000,
    blinds: 'cluster',
    strike() {
      fleet.simulator.rotateToken(cluster, false);
      api().server.endWatches();
    },
    heal: () => fleet.simulator.rotateToken(cluster, true),
  }));

it('a CRD that vanishes takes its objects with it, and brings them back', async () => {
  const { clock, screen, simulator, watchUntil } = fleet;
  const ledger = simulator.demo?.ledger;
  const kind = api()
    .store.kinds()
    .find((one) => one.resource === 'subnetgroups');
  if (!ledger || !kind) throw new Error('no SubnetGroup');
  const resource = `subnetgroups.${kind.group}`;
  const stored =
    api()
      .store.store(resource)
      ?.sorted()
      .map((object) => object.name) ?? [];
  const gone = ledger.refs().filter((ref) => ref.cluster === cluster && ref.kind === 'SubnetGroup');
  expect(gone.length).toBeGreaterThan(0);
  const before = verdictsOf(screen);
  const since = clock.now();
  api().store.removeKind(resource);
  await watchUntil(
    'the objects to be gone',
    () => feedOf('SubnetGroup') === 'absent' && gone.every((ref) => screen.object(ref) === null),
  );
  for (const ref of gone) ledger.forget(ref);
  expect(notAsTrue(screen, simulator.truth(clock.now()))).toEqual([]);
  expect(relistsSince(simulator.requests, cluster, since).filter((one) => one !== resource)).toEqual([]);
  api().store.addKind(kind);
  for (const name of stored) {
    const handle = fleet.demo(cluster).managed.get(`SubnetGroup/${name}`);
    if (handle) api().store.put(handle.object, kind);
  }
  for (const ref of gone)
    ledger.register(ref, { verdict: 'converged', alsoRight: ['unconfirmed'], from: clock.now(), within: 60_000 });
  await watchUntil('the objects to be back', () => changesOf(before, verdictsOf(screen)).length === 0, 120_000);
  expect(gone.map((ref) => screen.object(ref)?.ref).map((ref) => ref && refKey(ref))).toEqual(gone.map(refKey));
  expect(fleet.log.said).toEqual([]);
});

it('through all of it nothing but reads and self reviews has reached the clusters', () => {
  expect(fleet.simulator.requests.count()).toBeGreaterThan(100);
  expect(fleet.simulator.requests.writes()).toEqual([]);
});
