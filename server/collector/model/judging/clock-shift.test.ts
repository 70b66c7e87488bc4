// Everything that a cluster dates, on a clock that is 2 s ahead of ours.
import { expect, it } from 'vitest';
import { observed } from '#lib/domain/testing/observed.ts';
import type { ClusterEvent, ObservedDeployment, ObservedLease } from '../../clusters/cluster-event.ts';
import { observedEvent } from '../../reconcilers/testing.ts';
import { createClusterTime } from './cluster-time.ts';

const at = 10_000;

function time(ahead: number | null) {
  const made = createClusterTime();
  if (ahead !== null) made.take({ type: 'clock', at, ahead });
  return made;
}

const workload: ObservedDeployment = {
  namespace: 'argocd',
  name: 'a',
  runs: { type: 'controller', name: 'a' },
  state: 'unavailable',
  version: null,
  selector: '',
  ownNamespaceOnly: false,
  elects: true,
  downSince: 5_000,
  statusAt: null,
};
const lease: ObservedLease = {
  namespace: 'argocd',
  name: 'a',
  holder: 'pod',
  durationSeconds: 15,
  renewTime: 5_000,
  transitions: 1,
};
const argo = (workloads: readonly ObservedDeployment[] | null, heartbeat: ObservedLease | null): ClusterEvent => ({
  type: 'argo',
  at,
  namespace: 'argocd',
  argo: { interval: null, workloads, heartbeat },
});
const shifted = { ...workload, downSince: 3_000 };
const dated = { ...lease, ahead: 2_000 };

it.each<[ClusterEvent, ClusterEvent]>([
  [
    { type: 'deployments', at, namespace: 'argocd', deployments: [workload] },
    { type: 'deployments', at, namespace: 'argocd', deployments: [shifted] },
  ],
  [
    { type: 'deployments', at, namespace: 'argocd', deployments: null },
    { type: 'deployments', at, namespace: 'argocd', deployments: null },
  ],
  [
    { type: 'leases', at, namespace: 'argocd', leases: [lease] },
    { type: 'leases', at, namespace: 'argocd', leases: [dated] },
  ],
  [argo([workload], lease), argo([shifted], dated)],
  [argo(null, null), argo(null, null)],
  [
    { type: 'event', at, event: observedEvent({ firstAt: 5_000, lastAt: 6_000 }) },
    { type: 'event', at, event: observedEvent({ firstAt: 3_000, lastAt: 4_000 }) },
  ],
  [
    { type: 'alive', at },
    { type: 'alive', at },
  ],
])('%j is brought onto ours, and left as it is where the clocks agree or nothing is known', (event, expected) => {
  expect(time(2_000).take(event)).toEqual(expected);
  expect(time(0).take(event)).toBe(event);
  expect(time(null).take(event)).toBe(event);
});

it('brings the undoing of a drift onto ours, and leaves what has no time', () => {
  const undone = { id: 'x', at: 5_000, said: 'ConfigMap/a/b configured', isSure: true };
  const drifted = observed({ drift: { drift: 'none', undone } });
  expect(time(2_000).ours(drifted).drift).toEqual({ drift: 'none', undone: { ...undone, at: 3_000 } });
  const plain = observed();
  expect(time(2_000).ours(plain).drift).toBe(plain.drift);
  expect([time(0).ours(drifted), time(null).ours(drifted)]).toEqual([drifted, drifted]);
  expect(time(0).ours(drifted)).toBe(drifted);
  expect(time(null).ours(drifted)).toBe(drifted);
});
