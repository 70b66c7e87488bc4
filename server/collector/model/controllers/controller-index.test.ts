// The controllers of a cluster by their leases and Deployments: who lives, and whose objects that touches.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { CurrentController } from '#lib/domain/record/current.ts';
import { noon, seenCluster } from '#lib/domain/testing/observed.ts';
import { hour, minute, second } from '#lib/domain/time/length.ts';
import type { ObservedDeployment, ObservedLease } from '../../clusters/cluster-event.ts';
import { createControllerIndex, type ControllerIndex, type Served } from './controller-index.ts';

/** leaseDurationSeconds 35 and 15 s of slack. */
const term = 50 * second;

let book: ControllerIndex;

beforeEach(() => {
  book = createControllerIndex('c1', null);
});

function lease(renewTime: number, part: Partial<ObservedLease> = {}): ObservedLease {
  return {
    namespace: 'flux-system',
    name: 'kustomize-controller-leader-election',
    holder: 'kustomize-controller-6f5b7c9d4-x2x9z_1f0c',
    durationSeconds: 35,
    renewTime,
    transitions: 2,
    ...part,
  };
}

function deployment(part: Partial<ObservedDeployment> = {}): ObservedDeployment {
  return {
    namespace: 'flux-system',
    name: 'kustomize-controller',
    runs: { type: 'controller', name: 'kustomize-controller' },
    state: 'available',
    version: 'v1.9.4',
    selector: '',
    ownNamespaceOnly: false,
    elects: true,
    downSince: null,
    statusAt: null,
    ...part,
  };
}

function readLeases(at: number, ...leases: readonly ObservedLease[]): readonly string[] {
  return [...book.takeLeases('flux-system', leases, at).controllers];
}

function read(at: number, ...deployments: readonly ObservedDeployment[]): readonly string[] {
  return [...book.takeDeployments('flux-system', deployments, at).controllers];
}

function stateOf(namespace = 'apps', shard: string | null = null): string {
  return book.heartbeat('kustomize-controller', { namespace, shard }).state;
}

function all(served: readonly Served[] = []): readonly CurrentController[] {
  return book.current(served);
}

describe('a lease', () => {
  it('that moves makes its controller live, and by the clock it dies when it stands in every look', () => {
    expect(readLeases(noon, lease(noon))).toEqual(['kustomize-controller']);
    expect(readLeases(noon + 15 * second, lease(noon + 14 * second))).toEqual(['kustomize-controller']);
    expect([stateOf(), book.next(noon)]).toEqual(['alive', noon + 15 * second + term]);
    for (const at of [30, 45, 60]) expect(readLeases(noon + at * second, lease(noon + 14 * second))).toEqual([]);
    expect([...book.settle(noon + 15 * second + term - 1).controllers]).toEqual([]);
    expect([...book.settle(noon + 15 * second + term).controllers]).toEqual(['kustomize-controller']);
    expect(book.heartbeat('kustomize-controller', { namespace: 'apps', shard: null })).toEqual({
      cluster: 'c1',
      namespace: 'flux-system',
      name: 'kustomize-controller',
      state: 'dead',
      sign: 'lease-stands',
      awaitedSince: null,
      interval: null,
      lease: 'flux-system/kustomize-controller-leader-election',
      deployment: null,
      at: noon + 15 * second,
    });
    expect(readLeases(noon + 75 * second, lease(noon + 74 * second))).toEqual(['kustomize-controller']);
    expect(stateOf()).toBe('alive');
  });

  it('that nobody could look at lives on until its cluster would be called lost, and is unknown then, not dead', () => {
    readLeases(noon, lease(noon));
    readLeases(noon + 15 * second, lease(noon + 14 * second));
    book.settle(noon + 15 * second + term);
    expect([stateOf(), book.next(noon + 15 * second + term)]).toEqual(['alive', noon + 90 * second]);
    book.settle(noon + 90 * second);
    expect([stateOf(), book.next(noon + 90 * second)]).toEqual(['unknown', null]);
  });

  it('that was deleted is not renewed either', () => {
    readLeases(noon, lease(noon));
    readLeases(noon + 15 * second, lease(noon + 14 * second));
    readLeases(noon + 60 * second);
    book.settle(noon + 15 * second + term);
    expect(stateOf()).toBe('dead');
  });
});

describe('a Deployment', () => {
  beforeEach(() => {
    readLeases(noon, lease(noon));
    readLeases(noon + 15 * second, lease(noon + 14 * second));
  });

  it('without a pod outdoes no lease that moves', () => {
    read(noon + 16 * second, deployment({ state: 'unavailable' }));
    expect(stateOf()).toBe('alive');
  });

  it.each([
    ['unavailable', 'no-pod'],
    ['scaled-to-zero', 'scaled-to-zero'],
  ] as const)(
    'that is %s is dead with the next look that finds its lease standing, long before its term',
    (state, sign) => {
      read(noon + 21 * second, deployment({ state }));
      expect(readLeases(noon + 30 * second, lease(noon + 14 * second))).toEqual(['kustomize-controller']);
      expect(book.heartbeat('kustomize-controller', { namespace: 'apps', shard: null })).toMatchObject({
        state: 'dead',
        sign,
        deployment: 'flux-system/kustomize-controller',
        at: noon + 21 * second,
      });
    },
  );

  it.each([
    ['since its own condition says so', 18, 14, 18],
    ['no earlier than a look that found its pod', 3, 14, 16],
    ['no later than the look that finds it gone', 40, 14, 26],
    ['no earlier than its lease was renewed', 18, 20, 20],
  ])('is dead %s', (_name, downSince, renewed, at) => {
    read(noon + 16 * second, deployment());
    readLeases(noon + 24 * second, lease(noon + renewed * second));
    read(noon + 26 * second, deployment({ state: 'unavailable', downSince: noon + downSince * second }));
    readLeases(noon + 39 * second, lease(noon + renewed * second));
    expect(book.heartbeat('kustomize-controller', { namespace: 'apps', shard: null })).toMatchObject({
      state: 'dead',
      sign: 'no-pod',
      at: noon + at * second,
    });
  });

  it('that has no pod is dead at once where its lease was given back', () => {
    readLeases(noon + 20 * second, lease(noon + 19 * second, { holder: null, durationSeconds: 1 }));
    expect(stateOf()).toBe('alive');
    read(noon + 21 * second, deployment({ state: 'scaled-to-zero' }));
    expect(stateOf()).toBe('dead');
  });

  it('that is available does not save a lease that stands still for its term: the loop is stuck', () => {
    for (const at of [30, 45, 60]) {
      readLeases(noon + at * second, lease(noon + 14 * second));
      read(noon + at * second, deployment());
    }
    book.settle(noon + 15 * second + term);
    expect(book.heartbeat('kustomize-controller', { namespace: 'apps', shard: null })).toMatchObject({
      state: 'dead',
      sign: 'stuck',
    });
  });

  it('that elects a leader and has no lease where leases can be read does not lead: its pod proves nothing', () => {
    book = createControllerIndex('c1', null);
    read(noon, deployment());
    expect(stateOf()).toBe('alive');
    readLeases(noon, lease(noon, { name: 'source-controller-leader-election', holder: 'source-controller-1-abcde_2' }));
    expect(book.heartbeat('kustomize-controller', { namespace: 'apps', shard: null })).toMatchObject({
      state: 'unknown',
      sign: 'lease-unmoved',
    });
    read(noon + second, deployment({ elects: false }));
    expect(stateOf()).toBe('alive');
  });

  it('that could not be read for too long says nothing any more', () => {
    book = createControllerIndex('c1', null);
    read(noon, deployment({ elects: false }));
    expect(stateOf()).toBe('alive');
    expect(book.next(noon)).toBe(noon + 100 * second);
    expect([...book.settle(noon + 100 * second).controllers]).toEqual(['kustomize-controller']);
    expect([stateOf(), book.next(noon + 100 * second)]).toEqual(['unknown', null]);
  });

  it('that may not be read any more is no dead one', () => {
    read(noon + 16 * second, deployment({ state: 'unavailable' }));
    book.takeDeployments('flux-system', null, noon + 17 * second);
    readLeases(noon + 30 * second, lease(noon + 14 * second));
    expect(stateOf()).toBe('alive');
    expect(all()).toMatchObject([{ deployment: 'unknown', version: null }]);
  });

  it.each([
    [280, 280],
    [300, 300],
    [3600, 300],
  ])('tells the length of a lease of %d s in whole seconds, five minutes at most', (durationSeconds, told) => {
    readLeases(noon + 16 * second, lease(noon + 15 * second, { durationSeconds }));
    expect(all()).toMatchObject([{ durationSeconds: told }]);
  });

  it('tells version and holder for the record', () => {
    read(noon + 16 * second, deployment());
    expect(all([{ controller: 'kustomize-controller', object: { namespace: 'apps', shard: null }, count: 7 }])).toEqual(
      [
        {
          namespace: 'flux-system',
          name: 'kustomize-controller',
          lease: 'kustomize-controller-leader-election',
          state: 'alive',
          lastMovedAt: noon + 15 * second,
          durationSeconds: 35,
          holder: 'kustomize-controller-6f5b7c9d4-x2x9z',
          transitions: 2,
          version: 'v1.9.4',
          deployment: 'available',
          ownReferencesOnly: false,
          sendsEvents: false,
          objects: 7,
        },
      ],
    );
  });
});

describe('after a restart', () => {
  const controllers: readonly CurrentController[] = [
    {
      namespace: 'flux-system',
      name: 'kustomize-controller',
      lease: 'kustomize-controller-leader-election',
      state: 'alive',
      lastMovedAt: noon - 3_600 * second,
      durationSeconds: 35,
      holder: 'pod',
      transitions: 2,
      version: 'v1.9.3',
      deployment: 'available',
      objects: 4,
    },
    {
      namespace: 'crossplane-system',
      name: 'aws-s3-1a2b',
      lease: null,
      state: 'alive',
      lastMovedAt: null,
      durationSeconds: null,
      holder: null,
      transitions: null,
      version: 'v1.2.0',
      deployment: 'available',
      objects: 9,
    },
  ];

  beforeEach(() => {
    book = createControllerIndex('c1', seenCluster({ controllers }));
  });

  it('a lease that moved in an earlier run is neither alive nor dead before it was looked at', () => {
    book.settle(noon);
    expect([stateOf(), book.next(noon), book.proven(0)]).toEqual(['unknown', null, false]);
  });

  it('a standing lease is given its whole time anew, and is dead where it has stood still all the while', () => {
    for (const at of [0, 6, 21, 36]) readLeases(noon + at * second, lease(noon - 3_600 * second));
    expect([stateOf(), book.next(noon + 36 * second)]).toEqual(['unknown', noon + term]);
    book.settle(noon + term);
    expect(stateOf()).toBe('dead');
  });

  it('a living one is alive with the second look that finds it moved', () => {
    readLeases(noon, lease(noon - second));
    readLeases(noon + 6 * second, lease(noon + 4 * second));
    expect([stateOf(), book.proven(noon)]).toEqual(['alive', true]);
  });

  it('what is remembered of a controller stands until it was looked for', () => {
    readLeases(noon, lease(noon - second));
    expect(all()).toMatchObject([
      { name: 'kustomize-controller', version: 'v1.9.3', state: 'unknown', deployment: 'unknown', objects: 0 },
      { name: 'aws-s3-1a2b', version: 'v1.2.0', state: 'unknown', deployment: 'unknown', objects: 0 },
    ]);
    read(noon, deployment());
    book.takeDeployments('crossplane-system', [], noon);
    expect(all().map(({ name, version }) => `${name} ${version}`)).toEqual(['kustomize-controller v1.9.4']);
  });
});

it('is proven when every lease was looked at twice, and once since a given time', () => {
  const source = { name: 'source-controller-leader-election' };
  expect(book.proven(0)).toBe(false);
  readLeases(noon, lease(noon));
  expect(book.proven(0)).toBe(false);
  readLeases(noon + 6 * second, lease(noon + 5 * second), lease(noon, source));
  expect(book.proven(0)).toBe(false);
  readLeases(noon + 21 * second, lease(noon + 20 * second), lease(noon + 20 * second, source));
  expect([book.proven(0), book.proven(noon + 21 * second), book.proven(noon + 22 * second)]).toEqual([
    true,
    true,
    false,
  ]);
});

it('is not proven after a gap before its Deployments are read again too', () => {
  for (const at of [0, 6, 21]) readLeases(noon + at * second, lease(noon + at * second));
  read(noon, deployment());
  expect(book.proven(noon)).toBe(true);
  book.doubt(noon + minute, true);
  for (const at of [61, 76, 91]) readLeases(noon + at * second, lease(noon + at * second));
  expect(book.proven(noon + minute)).toBe(false);
  read(noon + 92 * second, deployment());
  expect(book.proven(noon + minute)).toBe(true);
});

it('touches the Applications where the interval of their controller is another, and only then', () => {
  const argo = { workloads: [], heartbeat: null, interval: minute };
  const take = (interval: number) => [...book.takeArgo('argocd', { ...argo, interval }, noon).controllers];
  expect([take(minute), take(minute), take(2 * minute)]).toEqual([
    ['argocd-application-controller'],
    [],
    ['argocd-application-controller'],
  ]);
});

it('knows the interval of an Application beside every Argo CD only where all of them have one', () => {
  const interval = (namespace: string) =>
    book.heartbeat('argocd-application-controller', { namespace, shard: null }).interval;
  const take = (namespace: string, each: number | 'never') =>
    book.takeArgo(namespace, { workloads: [], heartbeat: null, interval: each }, noon);
  take('argocd', minute);
  expect([interval('argocd'), interval('apps')]).toEqual([minute, minute]);
  take('tenant', 'never');
  expect([interval('argocd'), interval('apps'), interval('tenant')]).toEqual([minute, null, 'never']);
  take('tenant', minute);
  expect(interval('apps')).toBe(minute);
});

describe('several controllers of one name, where only leases are known', () => {
  const of = (namespace: string, suffix = ''): Partial<ObservedLease> => ({
    namespace,
    name: `kustomize-controller-leader-election${suffix}`,
  });

  /** Looks each 15 s for two minutes; those in `moving` are renewed, the others stop after half a minute. */
  function startWith(leases: readonly Partial<ObservedLease>[], moving: readonly Partial<ObservedLease>[]): void {
    for (let at = noon; at <= noon + 120 * second; at += 15 * second) {
      for (const namespace of new Set(leases.map((one) => one.namespace ?? ''))) {
        const words = leases
          .filter((one) => one.namespace === namespace)
          .map((one) => lease(moving.includes(one) ? at : Math.min(at, noon + 30 * second), one));
        book.takeLeases(namespace, words, at);
      }
    }
  }

  const here = of('flux-system');
  const there = of('tenant-flux');
  const odd = of('flux-system', '-5f2b8c1d');
  // sha256 of "!sharding.fluxcd.io/key", of "sharding.fluxcd.io/key=shard1": fluxcd/pkg runtime/leaderelection GenerateID.
  const rest = of('flux-system', '-42da7484');
  const shard1 = of('flux-system', '-73fdc1be');
  it.each([
    ['both live', [here, there], [here, there], 'apps', null, 'alive'],
    ['one has died, and nobody knows which of them the object is of', [here, there], [there], 'apps', null, 'unknown'],
    ['one has died, the object is where the other lives', [here, there], [there], 'tenant-flux', null, 'alive'],
    ['one has died, the object is where it was', [here, there], [there], 'flux-system', null, 'unknown'],
    ['both have died', [here, there], [], 'apps', null, 'dead'],
    [
      'one with a selector that is not known has died beside the one that takes everything',
      [here, odd],
      [here],
      'apps',
      null,
      'alive',
    ],
    ['a lease was left behind by a controller that is sharded now', [here, odd], [odd], 'apps', null, 'unknown'],
    ['the only one has a selector that is not known', [odd], [odd], 'apps', null, 'alive'],
    [
      'one of two with selectors that are not known has died',
      [odd, of('flux-system', '-77777777')],
      [odd],
      'apps',
      null,
      'unknown',
    ],
    ['a shard has died, the object is of it', [rest, shard1], [rest], 'apps', 'shard1', 'dead'],
    ['a shard has died, the object is of none', [rest, shard1], [rest], 'apps', null, 'alive'],
    ['a shard lives, the object is of it', [rest, shard1], [shard1], 'apps', 'shard1', 'alive'],
    ['a shard lives, the object is of none', [rest, shard1], [shard1], 'apps', null, 'dead'],
  ] as const)('%s', (_name, leases, moving, namespace, shard, state) => {
    startWith(leases, moving);
    expect(stateOf(namespace, shard)).toBe(state);
  });
});

describe('several controllers of one name, with their Deployments', () => {
  const main = deployment({ selector: '!sharding.fluxcd.io/key', elects: false });
  const shard1 = deployment({
    name: 'kustomize-controller-shard1',
    selector: 'sharding.fluxcd.io/key=shard1',
    elects: false,
  });
  const tenantA = deployment({ namespace: 'tenant-a', ownNamespaceOnly: true, elects: false });
  const tenantB = deployment({ namespace: 'tenant-b', ownNamespaceOnly: true, elects: false });
  const dead = (one: ObservedDeployment): ObservedDeployment => ({ ...one, state: 'unavailable' });
  const all1 = deployment({ elects: false });
  // Anybody may call a Deployment so in a namespace of theirs.
  const alike = deployment({ namespace: 'tenant-a', elects: null });
  const alike2 = deployment({ namespace: 'tenant-b', elects: null });

  function deploy(deployments: readonly ObservedDeployment[]): void {
    for (const [namespace, words] of Map.groupBy(deployments, (one) => one.namespace))
      book.takeDeployments(namespace, words, noon);
  }

  it.each([
    // who runs, object's namespace and shard, its heartbeat: state, sign, name
    ['the main one of two', [main, dead(shard1)], 'apps', null, 'alive pod-available kustomize-controller'],
    ['the shard that is dead', [main, dead(shard1)], 'apps', 'shard1', 'dead no-pod kustomize-controller-shard1'],
    ['the shard that lives', [dead(main), shard1], 'apps', 'shard1', 'alive pod-available kustomize-controller-shard1'],
    ['the main one that is dead', [dead(main), shard1], 'apps', null, 'dead no-pod kustomize-controller'],
    ['a shard that nobody serves', [main, shard1], 'apps', 'shard2', 'unknown nobody kustomize-controller'],
    [
      'an instance of its namespace',
      [tenantA, dead(tenantB)],
      'tenant-a',
      null,
      'alive pod-available kustomize-controller',
    ],
    [
      'a dead instance of its namespace',
      [tenantA, dead(tenantB)],
      'tenant-b',
      null,
      'dead no-pod kustomize-controller',
    ],
    ['a namespace that nobody serves', [tenantA, tenantB], 'apps', null, 'unknown nobody kustomize-controller'],
    [
      'one that takes all, beside a dead one of the namespace',
      [deployment({ elects: false }), dead(tenantA)],
      'tenant-a',
      null,
      'alive pod-available kustomize-controller',
    ],
    [
      'one whose selector asks for other labels',
      [deployment({ selector: 'team=a', elects: false })],
      'apps',
      null,
      'alive pod-available kustomize-controller',
    ],
    [
      'two of which one is dead, by labels that are not known',
      [deployment({ selector: 'team=a', elects: false }), dead(deployment({ name: 'b', selector: 'team=b' }))],
      'apps',
      null,
      'unknown which-one kustomize-controller',
    ],
    [
      'one that is dead at home, whoever calls one alike elsewhere',
      [dead(all1), alike],
      'apps',
      null,
      'dead no-pod kustomize-controller',
    ],
    [
      'one that lives at home, whoever calls a dead one alike',
      [all1, dead(alike)],
      'apps',
      null,
      'alive pod-available kustomize-controller',
    ],
    [
      'one in the namespace of the object, beside a dead one at home that takes all',
      [dead(all1), alike],
      'tenant-a',
      null,
      'unknown which-one kustomize-controller',
    ],
    [
      'one in the namespace of the object, beside a dead one at home that takes its own namespace alone',
      [dead({ ...all1, ownNamespaceOnly: true }), alike],
      'tenant-a',
      null,
      'alive pod-available kustomize-controller',
    ],
    ['one elsewhere that is the only one', [alike], 'apps', null, 'alive pod-available kustomize-controller'],
    [
      'one elsewhere that is the only one, where the other parts of Flux are at home',
      [alike, deployment({ name: 'source-controller', runs: { type: 'controller', name: 'source-controller' } })],
      'apps',
      null,
      'unknown nobody kustomize-controller',
    ],
    [
      'a dead one elsewhere that is the only one, where the other parts of Flux are at home',
      [dead(alike), deployment({ name: 'source-controller', runs: { type: 'controller', name: 'source-controller' } })],
      'apps',
      null,
      'unknown nobody kustomize-controller',
    ],
    [
      'the same in the namespace of the object',
      [alike, deployment({ name: 'source-controller', runs: { type: 'controller', name: 'source-controller' } })],
      'tenant-a',
      null,
      'alive pod-available kustomize-controller',
    ],
    [
      'two elsewhere of which one is dead',
      [alike, dead(alike2)],
      'apps',
      null,
      'unknown which-one kustomize-controller',
    ],
    ['two elsewhere that live', [alike, alike2], 'apps', null, 'alive pod-available kustomize-controller'],
    [
      'one in the namespace of the object',
      [dead(alike2), alike],
      'tenant-a',
      null,
      'alive pod-available kustomize-controller',
    ],
  ] as const)('%s', (_name, deployments, namespace, shard, expected) => {
    deploy(deployments);
    const { state, sign, name } = book.heartbeat('kustomize-controller', { namespace, shard });
    expect(`${state} ${sign} ${name}`).toBe(expected);
  });

  it('dates since when nobody takes an object, anew each time', () => {
    const at = (namespace: string, shard: string): number | null =>
      book.heartbeat('kustomize-controller', { namespace, shard }).at;
    deploy([main]);
    const first = at('apps', 'shard1');
    expect(first).not.toBeNull();
    book.settle(noon + 5 * minute);
    expect(at('apps', 'shard1')).toBe(first);
    deploy([main, shard1]);
    book.heartbeat('kustomize-controller', { namespace: 'apps', shard: 'shard1' });
    deploy([main]);
    book.settle(noon + 9 * minute);
    expect(at('apps', 'shard1')).toBe(noon + 9 * minute);
  });

  it('count the objects that are their own, each', () => {
    deploy([main, shard1, tenantA]);
    const count = (namespace: string, shard: string | null, count: number): Served => ({
      controller: 'kustomize-controller',
      object: { namespace, shard },
      count,
    });
    const found = all([count('apps', null, 5), count('apps', 'shard1', 3), count('apps', 'shard9', 2)]);
    expect(found.map(({ namespace, name, objects }) => `${namespace}/${name} ${objects}`)).toEqual([
      'flux-system/kustomize-controller 5',
      'flux-system/kustomize-controller-shard1 3',
      'tenant-a/kustomize-controller 0',
    ]);
  });

  it('a lease goes with its Deployment by the hash of the selector, and one that was left behind is passed over', () => {
    const left = lease(noon - 3_600 * second, { holder: 'kustomize-controller-0-aaaaa_1' });
    const own = { name: 'kustomize-controller-leader-election-42da7484' };
    read(noon, { ...main, elects: true });
    readLeases(noon, left, lease(noon, own));
    readLeases(noon + 15 * second, left, lease(noon + 14 * second, own));
    expect(all().map(({ name, lease: held, state }) => `${name} ${held} ${state}`)).toEqual([
      'kustomize-controller kustomize-controller-leader-election-42da7484 alive',
    ]);
  });
});

describe('the pods of a package revision', () => {
  const provider = deployment({
    name: 'aws-s3-1a2b',
    runs: { type: 'revision', name: 'aws-s3-1a2b' },
    elects: null,
    version: 'v1.2.0',
  });
  const held = (at: number, holder = 'aws-s3-1a2b-5d4c-abcde_7'): ObservedLease =>
    lease(at, { name: 'crossplane-leader-election-provider-aws-s3', holder, durationSeconds: 60 });

  it('are known by their Deployment', () => {
    const changed = book.takeDeployments('flux-system', [provider], noon);
    expect([[...changed.revisions], book.runtime('aws-s3-1a2b')]).toMatchObject([['aws-s3-1a2b'], { state: 'alive' }]);
    book.takeDeployments('flux-system', [{ ...provider, state: 'unavailable' }], noon + 30 * second);
    expect(book.runtime('aws-s3-1a2b')).toMatchObject({ state: 'dead', sign: 'no-pod', at: noon + 30 * second });
    expect(book.runtime('another-9f9f')).toBeNull();
  });

  it('are those in the namespace of Crossplane, whoever calls others alike elsewhere', () => {
    const states = (...deployments: readonly ObservedDeployment[]) => {
      for (const namespace of ['a', 'b', 'crossplane-system'])
        book.takeDeployments(
          namespace,
          deployments.filter((one) => one.namespace === namespace),
          noon,
        );
      return book.runtime('aws-s3-1a2b')?.state;
    };
    const at = (namespace: string, state: ObservedDeployment['state']) => ({ ...provider, namespace, state });
    expect([
      states(at('a', 'available'), at('crossplane-system', 'unavailable')),
      states(at('a', 'unavailable'), at('crossplane-system', 'available')),
      states(at('a', 'available'), at('b', 'unavailable')),
      states(at('a', 'available'), at('b', 'available')),
    ]).toEqual(['dead', 'alive', 'dead', 'alive']);
  });

  it('hold a lease that is found by its holder, whatever its authors call it', () => {
    book.takeDeployments('flux-system', [provider], noon);
    readLeases(noon, held(noon));
    readLeases(noon + 15 * second, held(noon + 14 * second));
    expect(book.runtime('aws-s3-1a2b')).toMatchObject({ sign: 'lease-moves' });
    expect(all([{ revision: 'aws-s3-1a2b', count: 12 }])).toMatchObject([
      { name: 'aws-s3-1a2b', lease: 'crossplane-leader-election-provider-aws-s3', objects: 12 },
    ]);
  });

  it('are known by their lease alone where Deployments may not be read', () => {
    readLeases(noon, held(noon));
    readLeases(noon + 15 * second, held(noon + 14 * second));
    expect(book.runtime('aws-s3-1a2b')).toMatchObject({ state: 'alive', name: 'provider-aws-s3' });
  });
});

describe('a controller that may run where nobody looks', () => {
  const elsewhere = deployment({ namespace: 'tools' });
  const state = () => book.heartbeat('kustomize-controller', { namespace: 'apps', shard: null });

  it('is neither alive nor dead by one that is looked at elsewhere, until all are', () => {
    for (const [now, known] of [
      [elsewhere, 'alive'],
      [{ ...elsewhere, state: 'unavailable' as const }, 'dead'],
    ] as const) {
      book.takeDeployments('tools', [now], noon);
      expect(state().state).toBe(known);
      expect([...book.searched('controllers', false).controllers]).toEqual(['kustomize-controller']);
      expect(state()).toMatchObject({ state: 'unknown', sign: 'not-searched' });
      book.searched('controllers', true);
      expect(state().state).toBe(known);
    }
  });

  it('is what it is where it is installed by default', () => {
    book.searched('controllers', false);
    expect(state()).toMatchObject({ state: 'unknown', sign: 'not-searched' });
    read(noon, deployment());
    expect(state().state).toBe('alive');
  });

  it('so are the pods of a provider', () => {
    const runs = { type: 'revision', name: 'provider-aws-1' } as const;
    book.takeDeployments('tools', [deployment({ namespace: 'tools', name: 'provider-aws-1', runs })], noon);
    expect(book.runtime('provider-aws-1')?.state).toBe('alive');
    expect([...book.searched('controllers', false).revisions]).toEqual(['provider-aws-1']);
    expect(book.runtime('provider-aws-1')).toMatchObject({ state: 'unknown', sign: 'not-searched' });
  });
});

it('looks at the clock, which it does with each turn of judging, without writing down who lives of thousands', () => {
  const many = Array.from({ length: 2_000 }, (_, number) =>
    deployment({ name: `kustomize-controller-${number}`, selector: `sharding.fluxcd.io/key=s${number}` }),
  );
  book.takeDeployments('flux-system', many, noon);
  const written = vi.spyOn(JSON, 'stringify');
  expect(book.settle(noon + 1_000).controllers.size).toBe(0);
  expect([...book.settle(noon + hour).controllers]).toEqual(['kustomize-controller']);
  expect(written.mock.calls.length).toBeLessThan(10);
  written.mockRestore();
});

it('tells no more instances of one program apart than are gone through for each of many objects', () => {
  const sharded = (number: number) =>
    deployment({ name: `kustomize-controller-${number}`, selector: `sharding.fluxcd.io/key=s${number}` });
  const served = Array.from({ length: 50_000 }, (_, number) => ({
    controller: 'kustomize-controller',
    object: { namespace: `n${number}`, shard: `s${number}` },
    count: 1,
  }));
  const about = (count: number) => {
    book.takeDeployments(
      'flux-system',
      Array.from({ length: count }, (_, number) => sharded(number)),
      noon,
    );
    return book.heartbeat('kustomize-controller', { namespace: 'apps', shard: 's7' });
  };
  expect(about(100)).toMatchObject({ state: 'alive', sign: 'pod-available' });
  const began = process.cpuUsage().user;
  expect(book.current(served).map(({ objects }) => objects)).toEqual(Array.from({ length: 100 }, () => 1));
  expect((process.cpuUsage().user - began) / 1e6).toBeLessThan(2);
  expect(about(2_000)).toMatchObject({ state: 'unknown', sign: 'too-many' });
  expect(book.current(served).every(({ objects }) => objects === 0)).toBe(true);
});
