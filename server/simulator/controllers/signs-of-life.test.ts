import { describe, expect, it } from 'vitest';
import { numberAt, textAt, timeAt } from '#lib/foreign.ts';
import { commonKinds } from '../api/kinds.ts';
import { createKustomization } from '../objects/kustomization.ts';
import type { Kustomization } from '../objects/kustomization.ts';
import { seededRandom } from '../random.ts';
import { startHelmController } from './helm-controller.ts';
import { holdLease } from './lease-holder.ts';
import { createTestPlane } from './test-plane.ts';
import type { TestPlane } from './test-plane.ts';

const random = seededRandom(3);

function kustomization(test: TestPlane): Kustomization {
  const source = { kind: 'GitRepository', name: 'x' } as const;
  const times = { interval: 20, retryInterval: 20, timeout: 20, createdAt: test.clock.now() };
  const plan = { name: 'app', path: './app', source, dependsOn: [], wait: false, prune: true, inventory: [], ...times };
  return createKustomization(plan, random);
}

describe('events', () => {
  it('are thinned: 25 of an object, then one in five minutes, with the count of all', () => {
    const test = createTestPlane();
    const about = kustomization(test);
    const writes = test.record(commonKinds.event);
    for (let pass = 0; pass < 60; pass++) {
      test.plane.events.emit({
        about,
        component: 'kustomize-controller',
        type: 'Normal',
        reason: 'Progressing',
        message: 'ConfigMap/apps/shared configured',
      });
      test.clock.advance(20_000);
    }
    const counts = writes.map((write) => numberAt(write.object, 'count'));
    expect(counts.slice(0, 26)).toEqual([...Array.from({ length: 25 }, (_, index) => index + 1), 26]);
    const after = writes.slice(26).map((write) => write.at);
    expect(after.length).toBeLessThanOrEqual(4);
    expect(after.slice(1).every((at, index) => at - (after[index] ?? 0) >= 280_000)).toBe(true);
  });

  it('become "(combined from similar events)" where the text varies', () => {
    const test = createTestPlane();
    const about = kustomization(test);
    for (let pass = 0; pass < 14; pass++) {
      test.plane.events.emit({
        about,
        component: 'kustomize-controller',
        type: 'Normal',
        reason: 'ReconciliationSucceeded',
        message: `Reconciliation finished in ${pass}ms`,
      });
      test.clock.advance(1000);
    }
    expect(test.events().filter((text) => text.includes('(combined from similar events): '))).toHaveLength(1);
  });

  it('live one hour', () => {
    const test = createTestPlane();
    const about = kustomization(test);
    test.plane.events.emit({
      about,
      component: 'kustomize-controller',
      type: 'Normal',
      reason: 'Progressing',
      message: 'x',
    });
    test.clock.advance(3_500_000);
    test.plane.events.expire();
    expect(test.events()).toHaveLength(1);
    test.clock.advance(200_000);
    test.plane.events.expire();
    expect(test.events()).toEqual([]);
  });
});

describe('leases', () => {
  it('are renewed every 5 s, stand still while the controller is dead, and change hands after the term', () => {
    const test = createTestPlane();
    const helm = startHelmController(test.plane, random);
    const writes = test.record(commonKinds.lease);
    holdLease(test.plane, helm, 'flux-system', 'helm-controller-leader-election', test.clock.now());
    test.clock.advance(60_000);
    const renewals = writes.map((write) => timeAt(write.object, 'spec', 'renewTime') ?? 0);
    expect(renewals.slice(2).every((at, index) => at - (renewals[index + 1] ?? 0) === 5000)).toBe(true);
    helm.kill();
    const before = writes.length;
    test.clock.advance(20_000);
    helm.revive();
    test.clock.advance(10_000);
    expect(writes.length).toBe(before);
    test.clock.advance(10_000);
    const after = writes.at(-1);
    expect(textAt(after?.object, 'spec', 'holderIdentity')).not.toBe(
      textAt(writes[0]?.object, 'spec', 'holderIdentity'),
    );
    expect(numberAt(after?.object, 'spec', 'leaseTransitions')).toBe(4);
  });

  it('change hands at once where the pod ends in order, and not while the controller is dead', () => {
    const test = createTestPlane();
    const helm = startHelmController(test.plane, random);
    const held = holdLease(test.plane, helm, 'flux-system', 'helm-controller-leader-election', test.clock.now());
    const writes = test.record(commonKinds.lease);
    held.handOver();
    expect(numberAt(writes.at(-1)?.object, 'spec', 'leaseTransitions')).toBe(4);
    const holder = textAt(writes.at(-1)?.object, 'spec', 'holderIdentity');
    test.clock.advance(20_000);
    expect(textAt(writes.at(-1)?.object, 'spec', 'holderIdentity')).toBe(holder);
    helm.kill();
    held.handOver();
    expect(numberAt(writes.at(-1)?.object, 'spec', 'leaseTransitions')).toBe(4);
  });
});
