import { day } from '#lib/domain/time/length.ts';
import { commonKinds } from '../api/kinds.ts';
import { kubeMicroTime, kubeTime } from '../api/kube-object.ts';
import type { KubeObject } from '../api/kube-object.ts';
import { uuid } from '../objects/metadata.ts';
import type { Controller, ControlPlane } from './control-plane.ts';

interface Lease extends KubeObject {
  spec: {
    holderIdentity: string;
    leaseDurationSeconds: number;
    acquireTime: string;
    renewTime: string;
    leaseTransitions: number;
  };
}

const renewEvery = 5000;
const leaseDurationSeconds = 35;

/** A lease that is being held. */
export type HeldLease = ReturnType<typeof holdLease>;

/**
 * Holds the leader election lease of a controller: renewed every 5 s while it lives, left as it is when it dies, and taken
 * by a new pod after the old term has run out. `lastRenewed` (ms) is its past.
 */
export function holdLease(
  plane: ControlPlane,
  controller: Controller,
  namespace: string,
  leaseName: string,
  lastRenewed: number,
) {
  const { random, scheduler } = plane;
  const acquired = lastRenewed - 9 * 3600 * 1000;
  const podName = (): string => `${controller.name}-${random.hex(9)}-${random.hex(5)}_${uuid(random)}`;
  const lease: Lease = {
    kind: 'Lease',
    apiVersion: 'coordination.k8s.io/v1',
    metadata: { name: leaseName, namespace, uid: uuid(random), creationTimestamp: kubeTime(acquired - day) },
    spec: {
      holderIdentity: podName(),
      leaseDurationSeconds,
      acquireTime: kubeMicroTime(acquired),
      renewTime: kubeMicroTime(lastRenewed),
      leaseTransitions: 3,
    },
  };
  let wasAlive = controller.alive();
  plane.store.put(lease, commonKinds.lease);

  function changeHands(now: number): void {
    lease.spec = { ...lease.spec, holderIdentity: podName(), acquireTime: kubeMicroTime(now) };
    lease.spec.leaseTransitions++;
  }

  function renew(): void {
    const now = scheduler.now();
    const alive = controller.alive();
    const runOut = now > Date.parse(lease.spec.renewTime) + leaseDurationSeconds * 1000;
    if (alive && !wasAlive && !runOut) {
      // The old holder's term must end first, as with a pod that was killed.
    } else if (alive) {
      if (!wasAlive) changeHands(now);
      lease.spec.renewTime = kubeMicroTime(now);
      plane.store.put(lease, commonKinds.lease);
      wasAlive = true;
    } else {
      wasAlive = false;
    }
    scheduler.after(renewEvery, renew);
  }

  scheduler.after(random.between(50, renewEvery), renew);
  return {
    /** The pod ends in order and another takes over at once, as Flux's controllers do (ReleaseOnCancel). */
    handOver(): void {
      const now = scheduler.now();
      if (!controller.alive()) return;
      changeHands(now);
      lease.spec.renewTime = kubeMicroTime(now);
      plane.store.put(lease, commonKinds.lease);
    },
  };
}
