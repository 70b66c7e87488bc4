import { describe, expect, it } from 'vitest';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import type { ClusterEvent } from './cluster-event.ts';
import { startLeases } from './leases.ts';
import { fakeTransport } from './testing/fake-transport.ts';
import { settled } from './testing/until.ts';
import { defaultTuning } from './tuning.ts';

const lease = {
  metadata: { namespace: 'flux-system', name: 'kustomize-controller-leader-election' },
  spec: {
    holderIdentity: 'pod-1',
    leaseDurationSeconds: 35,
    renewTime: '2026-11-21T02:00:00.123456Z',
    leaseTransitions: 4,
  },
};

describe('leases', () => {
  it('lists each namespace every 15 s from the cache, and tells a refusal apart', async () => {
    const clock = fakeClock();
    const transport = fakeTransport();
    const told: ClusterEvent[] = [];
    const leases = startLeases({
      ...{ transport, clock, random: () => 0.5, tuning: defaultTuning },
      namespaces: () => ['flux-system', 'crossplane-system', 'flux-system'],
      on: (event) => void told.push(event),
    });
    clock.advance(1_000);
    await settled();
    expect(transport.gets.map(({ path }) => path)).toEqual([
      '/apis/coordination.k8s.io/v1/namespaces/flux-system/leases?resourceVersion=0&limit=500',
      '/apis/coordination.k8s.io/v1/namespaces/crossplane-system/leases?resourceVersion=0&limit=500',
    ]);
    transport.gets[0]?.ok({ kind: 'LeaseList', items: [lease, {}, null] });
    transport.gets[1]?.ok({ kind: 'LeaseList', items: [] });
    await settled();
    expect(told).toMatchObject([
      {
        type: 'leases',
        namespace: 'flux-system',
        leases: [
          {
            namespace: 'flux-system',
            name: 'kustomize-controller-leader-election',
            holder: 'pod-1',
            durationSeconds: 35,
            renewTime: Date.UTC(2026, 10, 21, 2, 0, 0, 123),
            transitions: 4,
          },
        ],
      },
      { type: 'leases', namespace: 'crossplane-system', leases: [] },
      { type: 'feed', kind: { group: 'coordination.k8s.io', kind: 'Lease' }, feed: { state: 'live' } },
    ]);
    clock.advance(15_000);
    await settled();
    expect(transport.gets).toHaveLength(4);
    transport.gets[2]?.status(403);
    transport.gets[3]?.ok({ items: [] });
    await settled();
    expect(told.at(-1)).toMatchObject({ type: 'feed', feed: { state: 'forbidden' } });
    await leases.stop();
    expect(clock.pending()).toBe(0);
  });
});
