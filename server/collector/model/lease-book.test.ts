import { beforeEach, describe, expect, it } from 'vitest';
import { noon, seenCluster } from '#lib/domain/testing/observed.ts';
import type { LeaseWord } from '../clusters/cluster-event.ts';
import { controllerOf, createLeaseBook, type LeaseBook } from './lease-book.ts';

const second = 1_000;
/** leaseDurationSeconds 35 and 15 s of slack. */
const term = 50 * second;

let book: LeaseBook;

beforeEach(() => {
  book = createLeaseBook('c1', null);
});

function lease(renewTime: number | null, name = 'kustomize-controller-leader-election'): LeaseWord {
  return { namespace: 'flux-system', name, holder: 'pod_1f0c', durationSeconds: 35, renewTime, transitions: 2 };
}

function look(at: number, ...leases: readonly LeaseWord[]): readonly string[] {
  return book.take('flux-system', leases, at);
}

function stateOf(): string {
  return book.heartbeat('kustomize-controller').state;
}

describe('which controller holds a lease', () => {
  it.each([
    ['kustomize-controller-leader-election', 'kustomize-controller'],
    ['crossplane-leader-election-core', 'crossplane'],
    ['1953de50.contrib.fluxcd.io', 'tofu-controller'],
    ['crossplane-leader-election-rbac', 'rbac'],
    ['kube-scheduler', null],
  ])('%s', (name, controller) => expect(controllerOf(name)).toBe(controller));
});

describe('a lease', () => {
  it('that was never seen moving proves nothing, however long it stands', () => {
    look(noon, lease(noon - 3_600 * second));
    look(noon + 15 * second, lease(noon - 3_600 * second));
    look(noon + 600 * second, lease(noon - 3_600 * second));
    expect([stateOf(), book.settle(noon + 900 * second), book.next(noon)]).toEqual(['unknown', [], null]);
  });

  it('that moves lives, and dies by the clock when it stands in every look', () => {
    look(noon, lease(noon));
    expect(look(noon + 15 * second, lease(noon + 14 * second))).toEqual(['kustomize-controller']);
    expect([stateOf(), book.next(noon)]).toEqual(['alive', noon + 15 * second + term]);
    for (const at of [30, 45, 60]) look(noon + at * second, lease(noon + 14 * second));
    expect(book.settle(noon + 15 * second + term - 1)).toEqual([]);
    expect(book.settle(noon + 15 * second + term)).toEqual(['kustomize-controller']);
    expect(stateOf()).toBe('dead');
  });

  it('that lives again is alive at once', () => {
    look(noon, lease(noon));
    look(noon + 15 * second, lease(noon + 14 * second));
    look(noon + 120 * second, lease(noon + 14 * second));
    expect(stateOf()).toBe('dead');
    expect(look(noon + 135 * second, lease(noon + 130 * second))).toEqual(['kustomize-controller']);
    expect(stateOf()).toBe('alive');
  });

  it('that nobody could look at lives on until its cluster would be called lost, and is unknown then, not dead', () => {
    look(noon, lease(noon));
    look(noon + 15 * second, lease(noon + 14 * second));
    expect(book.settle(noon + 15 * second + term)).toEqual([]);
    expect([stateOf(), book.next(noon + 15 * second + term)]).toEqual(['alive', noon + 90 * second]);
    expect(book.settle(noon + 90 * second)).toEqual(['kustomize-controller']);
    expect([stateOf(), book.next(noon + 90 * second)]).toEqual(['unknown', null]);
    look(noon + 600 * second, lease(noon + 598 * second));
    expect(stateOf()).toBe('alive');
  });

  it('that stood still while nobody looked is dead at the next look', () => {
    look(noon, lease(noon));
    look(noon + 15 * second, lease(noon + 14 * second));
    book.settle(noon + 300 * second);
    look(noon + 600 * second, lease(noon + 14 * second));
    expect(stateOf()).toBe('dead');
  });

  it('that was deleted is not renewed either', () => {
    look(noon, lease(noon));
    look(noon + 15 * second, lease(noon + 14 * second));
    look(noon + 60 * second);
    book.settle(noon + 15 * second + term);
    expect(stateOf()).toBe('dead');
  });
});

describe('after a restart', () => {
  const controllers = [
    {
      namespace: 'flux-system',
      name: 'kustomize-controller',
      state: 'alive' as const,
      lastMovedAt: noon - 3_600 * second,
      durationSeconds: 35,
      holder: 'pod',
      transitions: 2,
      version: null,
      deployment: 'unknown' as const,
      objects: 4,
    },
  ];

  beforeEach(() => {
    book = createLeaseBook('c1', seenCluster({ controllers }));
  });

  it('a lease that moved in an earlier life is neither alive nor dead before it was looked at', () => {
    expect([stateOf(), book.settle(noon), book.next(noon), book.proven(0)]).toEqual(['unknown', [], null, false]);
  });

  it('a standing lease is given its whole time anew, and is dead where it has stood still all the while', () => {
    look(noon, lease(noon - 3_600 * second));
    expect(stateOf()).toBe('unknown');
    for (const at of [6, 21, 36]) look(noon + at * second, lease(noon - 3_600 * second));
    expect(book.next(noon)).toBe(noon + term);
    expect(book.settle(noon + term - 1)).toEqual([]);
    expect(book.settle(noon + term)).toEqual(['kustomize-controller']);
    expect(stateOf()).toBe('dead');
  });

  it('a living one is alive with the second look that finds it moved', () => {
    look(noon, lease(noon - second));
    look(noon + 6 * second, lease(noon + 4 * second));
    expect([stateOf(), book.proven(noon)]).toEqual(['alive', true]);
  });
});

it('is proven when every lease was looked at twice, and once since a given time', () => {
  expect(book.proven(0)).toBe(false);
  look(noon, lease(noon));
  expect(book.proven(0)).toBe(false);
  look(noon + 6 * second, lease(noon + 5 * second), lease(noon, 'source-controller-leader-election'));
  expect(book.proven(0)).toBe(false);
  look(noon + 21 * second, lease(noon + 20 * second), lease(noon + 20 * second, 'source-controller-leader-election'));
  expect([book.proven(0), book.proven(noon + 21 * second), book.proven(noon + 22 * second)]).toEqual([
    true,
    true,
    false,
  ]);
});

it('counts the objects of each controller', () => {
  look(noon, lease(noon));
  expect(book.current(new Map([['kustomize-controller', 7]]))).toMatchObject([
    {
      ...{ name: 'kustomize-controller', namespace: 'flux-system', objects: 7, durationSeconds: 35, lastMovedAt: null },
      ...{ holder: 'pod', transitions: 2 },
    },
  ]);
});

describe('several controllers of one name', () => {
  const of = (namespace: string, suffix = ''): Omit<LeaseWord, 'renewTime'> => ({
    namespace,
    name: `kustomize-controller-leader-election${suffix}`,
    holder: 'pod',
    durationSeconds: 35,
    transitions: 0,
  });

  /** Looks each 15 s for two minutes; those in `moving` are renewed, the others stop after half a minute. */
  function lives(all: readonly Omit<LeaseWord, 'renewTime'>[], moving: readonly Omit<LeaseWord, 'renewTime'>[]): void {
    for (let at = noon; at <= noon + 120 * second; at += 15 * second) {
      for (const namespace of new Set(all.map((one) => one.namespace))) {
        const leases = all
          .filter((one) => one.namespace === namespace)
          .map((one) => ({ ...one, renewTime: moving.includes(one) ? at : Math.min(at, noon + 30 * second) }));
        book.take(namespace, leases, at);
      }
    }
  }

  const here = of('flux-system');
  const there = of('tenant-flux');
  const shard = of('flux-system', '-5f2b8c1d');
  it.each([
    ['both live', [here, there], [here, there], 'apps', 'alive'],
    ['one has died, and nobody knows which of them the object is of', [here, there], [there], 'apps', 'unknown'],
    ['one has died, the object is where the other lives', [here, there], [there], 'tenant-flux', 'alive'],
    ['one has died, the object is where it was', [here, there], [there], 'flux-system', 'unknown'],
    ['both have died', [here, there], [], 'apps', 'dead'],
    ['a shard has died beside the one that takes everything', [here, shard], [here], 'apps', 'alive'],
    ['a lease was left behind by a controller that is sharded now', [here, shard], [shard], 'apps', 'unknown'],
    ['all shards live', [shard], [shard], 'apps', 'alive'],
    ['a shard has died beside another', [shard, of('flux-system', '-77')], [shard], 'apps', 'unknown'],
  ] as const)('%s', (_name, all, moving, namespace, state) => {
    lives(all, moving);
    expect(book.heartbeat('kustomize-controller', namespace).state).toBe(state);
  });
});
