import { expect, it } from 'vitest';
import { blindPatience, doubtLease, withReading, type LeaseTrack } from '#lib/domain/heartbeat/lease.ts';
import type { LivenessSign } from '#lib/domain/heartbeat/controller-liveness.ts';
import type { DeploymentState } from '#lib/domain/record/current.ts';
import { instancesOf, selectorHash, type SeenDeployment } from './controller-instances.ts';
import { heartbeatOf, livingControllers, servingOf, unknownHeartbeat, type Living } from './controller-liveness.ts';
import { shardLabel } from './watch-scope.ts';

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

const deployment: SeenDeployment = {
  namespace: 'flux-system',
  name: 'kustomize-controller',
  runs: { type: 'controller', name: 'kustomize-controller' },
  state: 'available',
  version: null,
  selector: '',
  ownNamespaceOnly: false,
  elects: true,
  downSince: 700,
  statusAt: 800,
  readAt: 900,
  status: 'current',
};

it.each<[LivenessSign, LeaseTrack | null, Partial<SeenDeployment> | null, number | null]>([
  ['pod-available', null, {}, 900],
  ['pod-doubted', null, {}, 800],
  ['no-pod', null, {}, 700],
  ['no-pod', null, { downSince: null }, null],
  ['no-pod', moving, {}, 5_000],
  ['scaled-to-zero', moving, { downSince: 5_500 }, 5_500],
  ['scaled-to-zero', null, null, null],
  ['stuck', moving, {}, 6_000],
  ['stuck', looked, {}, 2_000],
  ['stuck', null, {}, null],
  ['lease-moves', moving, {}, 6_000],
  ['lease-stands', moving, {}, 6_000],
  ['lease-unmoved', moving, {}, 6_000],
  ['lease-unmoved', looked, {}, null],
  ['not-known', moving, {}, 6_000],
  ['which-one', moving, {}, 6_000],
  ['nobody', moving, {}, 6_000],
  ['nobody', null, {}, null],
])('%s is dated by what shows it', (sign, lease, part, at) => {
  const one = living(sign, lease);
  const beside = { ...one, instance: { ...one.instance, deployment: part && { ...deployment, ...part } } };
  expect(heartbeatOf('c1', beside, null)).toEqual({
    cluster: 'c1',
    namespace: 'flux-system',
    name: 'kustomize-controller',
    state: 'unknown',
    sign,
    lease: lease && 'flux-system/kustomize-controller',
    deployment: part && 'flux-system/kustomize-controller',
    at,
    awaitedSince: sign === 'lease-unmoved' && lease === looked ? 2_000 : null,
    interval: null,
  });
});

it('is of a state only by its own sign, and of a StatefulSet where its pods are', () => {
  const one = living('pod-available', null);
  const alive: Living = {
    ...one,
    instance: { ...one.instance, deployment: { ...deployment, stateful: true } },
    liveness: { state: 'alive', sign: 'pod-available' },
  };
  expect(heartbeatOf('c1', alive, null)).toMatchObject({ state: 'alive', stateful: true });
  expect(heartbeatOf('c1', alive, null, 'which-one').state).toBe('unknown');
  expect(unknownHeartbeat('c1', 'a', 5, 'nobody', 6)).toEqual({
    cluster: 'c1',
    namespace: '',
    name: 'a',
    state: 'unknown',
    sign: 'nobody',
    lease: null,
    deployment: null,
    at: 6,
    awaitedSince: 5,
    interval: null,
  });
});

it.each<[string, Partial<SeenDeployment>, number, DeploymentState, LivenessSign]>([
  ['a Deployment that was just read', {}, 900, 'available', 'pod-available'],
  ['one that was read within 100 s', {}, 100_899, 'available', 'pod-available'],
  ['one that was read 100 s ago', {}, 100_900, 'unknown', 'not-known'],
  ['one that is not read anew', { status: 'unread' }, 900, 'unknown', 'not-known'],
  ['one whose status is doubted', { status: 'doubted' }, 900, 'available', 'pod-doubted'],
  ['one without a pod, in doubt or not', { status: 'doubted', state: 'unavailable' }, 900, 'unavailable', 'no-pod'],
])('by %s', (_what, part, now, state, sign) => {
  const [one, ...others] = livingControllers(
    instancesOf([], [{ ...deployment, elects: false, ...part }]),
    () => null,
    now,
  );
  expect([one?.deployment, one?.liveness.sign, others]).toEqual([state, sign, []]);
});

it.each<[string, number | null, LivenessSign]>([
  ['were never listed', null, 'pod-available'],
  ['were listed within 75 s', 900 - blindPatience + 1, 'lease-unmoved'],
  ['were listed 75 s ago', 900 - blindPatience, 'pod-available'],
])('one that elects a leader and has no lease, where the leases %s', (_what, listedAt, sign) => {
  expect(
    livingControllers(instancesOf([], [deployment]), () => listedAt, 900).map(({ liveness }) => liveness.sign),
  ).toEqual([sign]);
});

function sees(name: string, state: 'alive' | 'dead', change: Partial<Living['instance']> = {}): Living {
  const { instance } = living('lease-moves', moving);
  return {
    instance: { ...instance, name, ...change },
    liveness: { state, sign: state === 'alive' ? 'lease-moves' : 'lease-stands' },
    deployment: 'unknown',
  };
}

const maybe = { hash: '00000000' };
const no = { hash: selectorHash(`!${shardLabel}`) };

it.each<[string, readonly Living[], string | null, LivenessSign]>([
  ['none is known', [], null, 'not-known'],
  ['none takes it', [sees('a', 'alive', no)], null, 'nobody'],
  ['one surely takes it and lives', [sees('a', 'dead'), sees('b', 'alive')], 'b', 'lease-moves'],
  ['one surely takes it and is dead', [sees('a', 'dead')], 'a', 'lease-stands'],
  ['one is dead and one that may take it lives', [sees('b', 'alive', maybe), sees('a', 'dead')], 'a', 'which-one'],
  ['two that may take it agree', [sees('a', 'dead', maybe), sees('b', 'dead', maybe)], 'a', 'lease-stands'],
  ['two that may take it do not', [sees('a', 'dead', maybe), sees('b', 'alive', maybe)], 'a', 'which-one'],
  ['another program lives', [sees('a', 'alive', { runs: { type: 'controller', name: 'other' } })], null, 'not-known'],
  [
    'a revision of the name lives',
    [sees('a', 'alive', { runs: { type: 'revision', name: 'kustomize-controller' } })],
    null,
    'not-known',
  ],
])('an object is served where %s', (_what, seen, one, sign) => {
  const served = servingOf(seen, 'kustomize-controller', { namespace: 'n', shard: 's' });
  expect([served.one?.instance.name ?? null, served.sign]).toEqual([one, sign]);
});
