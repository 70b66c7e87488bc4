// Plumbline can only read. Proven from the other side: by everything that ever reached the API servers.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SimulatedCluster } from '#server/simulator/fleet/simulated-cluster.ts';
import { onlyReads } from '#server/simulator/api/request-log.ts';
import { startHostileFleet, type HostileFleet } from './running/hostile.ts';
import { notAsTrue } from './running/oracle.ts';

let fleet: HostileFleet;

beforeAll(async () => {
  fleet = await startHostileFleet(3);
});

afterAll(() => fleet.stop());

function inTruth(): boolean {
  return notAsTrue(fleet.screen, fleet.simulator.truth(fleet.clock.now())).length === 0;
}

/** Faults that one may meet on the way, each while the others still hurt. */
const blows: readonly ((api: SimulatedCluster) => void)[] = [
  (api) => api.faults.failNext(20),
  (api) => api.server.endWatches(),
  (api) => fleet.simulator.rotateToken(api.name, false),
  (api) => api.server.resetWatches(),
  (api) => api.compact(),
  (api) => api.server.endWatches(),
  (api) => fleet.simulator.rotateToken(api.name, true),
  (api) => api.faults.throttleNext(20, 1),
  (api) => api.server.goaway(),
  (api) => api.access.forbid('selfsubjectaccessreviews.authorization.k8s.io'),
  (api) => api.access.forbid('helmreleases.helm.toolkit.fluxcd.io'),
  (api) => api.server.gate.cut(),
  (api) => api.access.permit('helmreleases.helm.toolkit.fluxcd.io'),
  (api) => (api.faults.watchList = false),
  (api) => (api.faults.aggregatedDiscovery = false),
  (api) => api.server.sendMalformedLine(),
  (api) => api.server.setHttp2(false),
  (api) => api.server.gate.cut(),
  (api) => api.compact(),
  (api) => api.server.endWatches(),
];

it('nothing but GET and the two self reviews, under faults and token rotation', async () => {
  for (const blow of blows) {
    for (const api of fleet.simulator.fleet.values()) blow(api);
    const struckAt = fleet.clock.now();
    await fleet.watchUntil('the next blow', () => fleet.clock.now() >= struckAt + 2_000);
  }
  await fleet.watchUntil('all to be well again', inTruth, 180_000);
  const { requests } = fleet.simulator;
  expect(requests.writes()).toEqual([]);
  expect(requests.all().filter((request) => !onlyReads(request))).toEqual([]);
  const asked = new Set(
    requests.all().map(({ method, path }) => (method === 'GET' ? 'GET' : `${method} ${path.split('/').at(-1)}`)),
  );
  expect(
    [...asked].filter((one) => !['GET', 'POST selfsubjectaccessreviews', 'POST selfsubjectrulesreviews'].includes(one)),
  ).toEqual([]);
  expect(asked.size).toBeGreaterThan(1);
  expect(fleet.log.said).toEqual([]);
});

it('and no request names a Secret', () => {
  expect(fleet.simulator.requests.all().filter(({ path }) => path.includes('/secrets'))).toEqual([]);
});

it('what would be a write is known as one', () => {
  expect(onlyReads({ method: 'POST', path: '/apis/authorization.k8s.io/v1/subjectaccessreviews' })).toBe(false);
  expect(
    onlyReads({ method: 'PATCH', path: '/apis/kustomize.toolkit.fluxcd.io/v1/namespaces/a/kustomizations/b' }),
  ).toBe(false);
});
