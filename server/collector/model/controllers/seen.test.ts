// Leases and Deployments as they are listed, one list after the other.
import { expect, it } from 'vitest';
import type { CurrentController } from '#lib/domain/record/current.ts';
import type { ObservedDeployment, ObservedLease } from '../../clusters/cluster-event.ts';
import { createArgoIntervals } from './heartbeats.ts';
import { createSeenDeployments } from './seen-deployments.ts';
import { createSeenLeases } from './seen-leases.ts';

function deployment(part: Partial<ObservedDeployment> = {}): ObservedDeployment {
  return {
    namespace: 'flux-system',
    name: 'a',
    runs: { type: 'controller', name: 'a' },
    state: 'unavailable',
    version: null,
    selector: '',
    ownNamespaceOnly: false,
    elects: true,
    downSince: null,
    statusAt: null,
    ...part,
  };
}

it.each<[string, readonly (readonly [at: number, ObservedDeployment])[], number | null]>([
  ['one with a pod is not', [[100, deployment({ state: 'available', downSince: 50 })]], null],
  ['one without since its condition says', [[100, deployment({ downSince: 50 })]], 50],
  ['one scaled to zero likewise', [[100, deployment({ state: 'scaled-to-zero', downSince: 50 })]], 50],
  ['no later than it was read', [[100, deployment({ downSince: 150 })]], 100],
  ['since it was read where nothing says', [[100, deployment()]], 100],
  [
    'no earlier than a list with its pod',
    [
      [100, deployment({ state: 'available' })],
      [200, deployment({ downSince: 50 })],
    ],
    100,
  ],
  [
    'as long as no pod comes since the first time',
    [
      [100, deployment({ downSince: 50 })],
      [200, deployment({ downSince: 150 })],
    ],
    50,
  ],
])('without a pod: %s', (_what, lists, expected) => {
  const seen = createSeenDeployments(() => true);
  for (const [at, one] of lists) seen.take('controllers', 'flux-system', [one], at);
  expect(seen.all().map(({ downSince, readAt }) => [downSince, readAt])).toEqual([[expected, lists.at(-1)?.[0]]]);
});

it('doubts the status of a Deployment until it is of now, and then no more until the cluster is seen again', () => {
  let ofNow = false;
  const asked: number[] = [];
  const seen = createSeenDeployments((_deployment, at) => {
    asked.push(at);
    return ofNow;
  });
  const take = (at: number) => {
    seen.take('controllers', 'flux-system', [deployment()], at);
    return seen.all().map(({ status }) => status);
  };
  expect(take(1)).toEqual(['doubted']);
  ofNow = true;
  expect(take(2)).toEqual(['current']);
  ofNow = false;
  expect(take(3)).toEqual(['current']);
  seen.doubt();
  expect(seen.all().map(({ status }) => status)).toEqual(['unread']);
  expect(take(4)).toEqual(['doubted']);
  expect(asked).toEqual([1, 2, 4]);
});

it('keeps the Deployments of an Argo CD beside the others of a namespace', () => {
  const seen = createSeenDeployments(() => true);
  const isRead = (name: string, namespace = 'n') => seen.isRead({ namespace, name });
  expect([isRead('a'), isRead('argocd-application-controller')]).toEqual([false, false]);
  seen.take('controllers', 'n', [deployment()], 1);
  expect([isRead('a'), isRead('a', 'm'), isRead('argocd-application-controller')]).toEqual([true, false, false]);
  seen.take('argo', 'n', [deployment({ name: 'b' })], 1);
  expect(isRead('argocd-application-controller')).toBe(true);
  expect(seen.all().map(({ name }) => name)).toEqual(['a', 'b']);
  seen.take('controllers', 'n', null, 2);
  expect(seen.all().map(({ name }) => name)).toEqual(['b']);
});

function lease(name: string, holder: string | null = 'pod-1_1f0c'): ObservedLease {
  return { namespace: 'n', name, holder, durationSeconds: 15, renewTime: 1_000, transitions: 3 };
}

function controller(part: Partial<CurrentController> = {}): CurrentController {
  return {
    namespace: 'n',
    name: 'a',
    state: 'alive',
    deployment: 'available',
    version: null,
    lease: 'lease-a',
    holder: 'pod-0',
    transitions: 2,
    durationSeconds: 15,
    lastMovedAt: 500,
    objects: 0,
    ...part,
  };
}

it('remembers a lease by the name of its controller, where it was ever seen moving', () => {
  const seen = createSeenLeases([
    controller(),
    controller({ name: 'b', lease: null }),
    controller({ name: 'c', lease: 'lease-c', lastMovedAt: null }),
  ]);
  expect(seen.all()).toMatchObject([
    {
      name: 'lease-a',
      rememberedAs: 'a',
      holder: 'pod-0',
      transitions: 2,
      track: { movedBefore: 500, duration: 15_000 },
    },
  ]);
  seen.take('n', [lease('lease-a'), lease('lease-z', '')], 1_500);
  expect(seen.all()).toMatchObject([
    { name: 'lease-a', rememberedAs: 'a', holder: 'pod-1', transitions: 3 },
    { name: 'lease-z', rememberedAs: null, holder: null },
  ]);
});

it('misses a lease that a list of its namespace does not hold, but no other, nor the shards of an Argo CD', () => {
  const seen = createSeenLeases([]);
  const holders = () => seen.all().map(({ name, holder }) => [name, holder]);
  seen.take('n', [lease('a'), lease('b')], 1_500);
  seen.take('m', [{ ...lease('c'), namespace: 'm' }], 1_500);
  seen.takeShardsMap('n', null, 1_500);
  seen.takeShardsMap('n', lease('argocd-app-controller-shard-cm'), 1_500);
  expect([seen.listedAt('n'), seen.listedAt('x')]).toEqual([1_500, null]);
  seen.take('n', [lease('a')], 2_500);
  expect(holders()).toEqual([
    ['a', 'pod-1'],
    ['b', null],
    ['c', 'pod-1'],
    ['argocd-app-controller-shard-cm', 'pod-1'],
  ]);
  expect([seen.listedAt('n'), seen.listedAt('m')]).toEqual([2_500, 1_500]);
  seen.takeShardsMap('n', null, 3_500);
  expect(holders().at(-1)).toEqual(['argocd-app-controller-shard-cm', null]);
});

it('remembers the leases that went last, and no more of them than a thousand', () => {
  const seen = createSeenLeases([]);
  const list = (round: number): ObservedLease[] =>
    Array.from({ length: 800 }, (_, number) => ({
      namespace: 'flux-system',
      name: `l-${round}-${number}`,
      holder: 'pod',
      durationSeconds: 15,
      renewTime: null,
      transitions: 1,
    }));
  for (const round of [1, 2, 3, 4]) seen.take('flux-system', list(round), round);
  const names = seen.all().map(({ name }) => name);
  expect([names.length, names[0], names.at(-1)]).toEqual([1_800, 'l-2-600', 'l-4-799']);
  seen.take('flux-system', list(3), 5);
  expect(seen.all().filter(({ holder }) => holder === 'pod')).toHaveLength(800);
});

it('remembers the Deployments of the namespaces that were read last', () => {
  const seen = createSeenDeployments(() => true);
  seen.take('controllers', 'n-0', [deployment()], 0);
  for (let number = 1; number < 200; number += 1) {
    seen.take('controllers', `n-${number}`, [deployment({ namespace: `n-${number}` })], number);
    seen.take('controllers', 'n-0', [deployment({ namespace: 'n-0' })], number);
  }
  const namespaces = seen.all().map(({ namespace }) => namespace);
  expect([namespaces.length, namespaces[0], namespaces[1]]).toEqual([128, 'n-0', 'n-73']);
});

it('forgets the leases and Deployments of namespaces that are looked at no longer, never those that are', () => {
  const leases = createSeenLeases([controller({ namespace: 'former' })]);
  const deployments = createSeenDeployments(() => true);
  const listed = (namespace: string, count: number) =>
    Array.from({ length: count }, (_, number) => ({ ...lease(`a${number}-leader-election`), namespace }));
  for (let turn = 0; turn < 300; turn += 1) {
    const [at, namespace] = [1_000 * turn, `n${turn}`];
    leases.take('flux-system', listed('flux-system', 3), at);
    deployments.take('controllers', 'flux-system', [deployment()], at);
    leases.take(namespace, listed(namespace, 400), at);
    const many = Array.from({ length: 400 }, (_, number) => deployment({ namespace, name: `d${number}` }));
    deployments.take('controllers', namespace, many, at);
  }
  for (const all of [leases.all(), deployments.all()]) {
    expect(all.length).toBeLessThanOrEqual(5_000);
    expect(all.filter(({ namespace }) => namespace === 'n299').length).toBe(400);
    expect(all.filter(({ namespace }) => namespace === 'former')).toEqual([]);
  }
  expect(leases.all().filter(({ namespace }) => namespace === 'flux-system').length).toBe(3);
  expect([leases.listedAt('n0'), leases.listedAt('n299')]).toEqual([null, 299_000]);
  expect(deployments.isRead({ namespace: 'n0', name: 'd0' })).toBe(false);
});

it('forgets namespaces without anything', () => {
  const leases = createSeenLeases([]);
  for (let turn = 0; turn < 200; turn += 1) leases.take(`n${turn}`, [], turn);
  expect([leases.listedAt('n0'), leases.listedAt('n199')]).toEqual([null, 199]);
});

it('forgets the intervals of Argo CDs that are looked at no longer', () => {
  const intervals = createArgoIntervals();
  const intervalOf = (namespace: string) => intervals.of('argocd-application-controller', { namespace, shard: null });
  const [own, another] = [60_000, 120_000];
  intervals.take('gone', another);
  intervals.take('argocd', own);
  expect(intervalOf('elsewhere')).toBeNull();
  for (let turn = 0; turn < 300; turn += 1) {
    intervals.take('argocd', own);
    intervals.take(`n${turn}`, own);
  }
  expect(intervalOf('elsewhere')).toEqual(own);
});
