import { expect, it } from 'vitest';
import { doubtLease, withReading, type LeaseTrack } from '#lib/domain/heartbeat/lease.ts';
import type { LivenessSign } from '#lib/domain/heartbeat/controller-liveness.ts';
import { heartbeatOf, type Living } from './controller-liveness.ts';

const reading = (renewTime: number) => ({ holder: 'pod', durationSeconds: 15, renewTime });
const looked = withReading(null, reading(1_000), 2_000);
const moving = withReading(looked, reading(5_000), 6_000);

function living(sign: LivenessSign, track: LeaseTrack | null): Living {
  const [namespace, name] = ['flux-system', 'kustomize-controller'];
  const lease = { namespace, name, track: track ?? looked, holder: 'pod', transitions: 1, rememberedAs: null };
  return {
    instance: {
      namespace,
      name,
      runs: { type: 'controller', name },
      deployment: null,
      hash: null,
      hasTwins: false,
      lease: track && lease,
    },
    liveness: { state: 'unknown', sign },
    deployment: 'unknown',
  };
}

const seenAgain = 9_000;

it.each<[what: string, sign: LivenessSign, lease: LeaseTrack | null, awaitedSince: number | null]>([
  ['a lease that moves is awaited no more', 'lease-moves', moving, null],
  ['nor is a pod that is there', 'pod-available', null, null],
  ['a lease never seen moving is awaited since the first look at it', 'lease-unmoved', looked, 2_000],
  ['one that was out of sight since it was lost', 'lease-unmoved', doubtLease(moving, 8_000), 8_000],
  ['one that is not there since the cluster is seen again', 'lease-unmoved', null, seenAgain],
  ['so is any other sign, though the lease was looked at before', 'pod-doubted', looked, seenAgain],
  ['and a controller that cannot be told', 'which-one', doubtLease(moving, 8_000), seenAgain],
])('%s', (_what, sign, lease, awaitedSince) => {
  expect(heartbeatOf('c1', living(sign, lease), seenAgain).awaitedSince).toBe(awaitedSince);
});
