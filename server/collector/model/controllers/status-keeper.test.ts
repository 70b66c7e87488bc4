// Whether the status of Deployments is of now, by the lease of kube-controller-manager, which writes it.
import { beforeEach, describe, expect, it } from 'vitest';
import { noon } from '#lib/domain/testing/observed.ts';
import { minute, second } from '#lib/domain/time/length.ts';
import type { CurrentCluster } from '#lib/domain/record/current.ts';
import type { ObservedDeployment, ObservedLease } from '../../clusters/cluster-event.ts';
import { createClusterReturn, createStatusKeeper, type StatusKeeper } from './status-keeper.ts';

const row: CurrentCluster = {
  name: 'c1',
  labels: {},
  state: 'live',
  since: noon,
  reason: null,
  protocol: 'h2',
  version: null,
  lastWordAt: noon,
  validUntil: noon,
  feeds: [],
  probes: null,
  unread: [],
  controllers: [],
  clockAhead: null,
  cautions: [],
  conflicts: [],
  conflictsTotal: 0,
  alarming: null,
};

const deployment: ObservedDeployment = {
  namespace: 'flux-system',
  name: 'a',
  runs: { type: 'controller', name: 'a' },
  state: 'available',
  version: null,
  selector: '',
  ownNamespaceOnly: false,
  elects: true,
  downSince: null,
  statusAt: null,
};

let keeper: StatusKeeper;

beforeEach(() => {
  keeper = createStatusKeeper();
  keeper.doubt(noon);
});

function lease(renewTime: number, name = 'kube-controller-manager'): ObservedLease {
  return { namespace: 'kube-system', name, holder: 'node-1_1f0c', durationSeconds: 15, renewTime, transitions: 2 };
}

/** Looks at its lease each 30 s until `until` (ms), renewed just before each look while `renewed` says so. */
function readLease(from: number, until: number, renewed: boolean): void {
  for (let at = from; at <= until; at += 30 * second)
    keeper.take('kube-system', [lease(renewed ? at - second : noon)], at);
}

describe('the status of a Deployment', () => {
  it('is of now when its keeper has been seen working for a minute', () => {
    readLease(noon, noon + 90 * second, true);
    expect([keeper.vouches(noon + 90 * second - 1), keeper.vouches(noon + 90 * second)]).toEqual([false, true]);
  });

  it('is never of now while its keeper does not work, and is again a minute after it works', () => {
    readLease(noon, noon + 20 * minute, false);
    expect(keeper.vouches(noon + 20 * minute)).toBe(false);
    readLease(noon + 20 * minute + 30 * second, noon + 21 * minute, true);
    expect(keeper.vouches(noon + 21 * minute)).toBe(false);
    readLease(noon + 21 * minute + 30 * second, noon + 22 * minute, true);
    expect(keeper.vouches(noon + 22 * minute)).toBe(true);
  });

  it('is of nobody knows when once its keeper stands, or is not to be seen any more', () => {
    readLease(noon, noon + 2 * minute, true);
    expect(keeper.vouches(noon + 2 * minute)).toBe(true);
    expect(keeper.vouches(noon + 4 * minute)).toBe(false);
    keeper.take('kube-system', [], noon + 4 * minute);
    expect(keeper.vouches(noon + 20 * minute)).toBe(false);
  });

  it('is of now five minutes after its cluster is seen again where no lease of its keeper is to be seen', () => {
    keeper.take('kube-system', [], noon + minute);
    expect([keeper.vouches(noon + 5 * minute - 1), keeper.vouches(noon + 5 * minute)]).toEqual([false, true]);
  });

  it('is doubted anew after the next gap, whatever its keeper did before', () => {
    readLease(noon, noon + 2 * minute, true);
    keeper.doubt(noon + 3 * minute);
    expect(keeper.vouches(noon + 3 * minute)).toBe(false);
    readLease(noon + 3 * minute, noon + 4 * minute, true);
    expect(keeper.vouches(noon + 4 * minute)).toBe(false);
    readLease(noon + 4 * minute + 30 * second, noon + 5 * minute, true);
    expect(keeper.vouches(noon + 5 * minute)).toBe(true);
  });
});

it('leaves the leases of others to the book', () => {
  const others = [lease(noon, 'kube-scheduler'), lease(noon, 'argo')];
  expect(keeper.take('kube-system', [lease(noon), ...others], noon)).toEqual(others);
  expect(keeper.take('flux-system', [lease(noon)], noon)).toEqual([lease(noon)]);
});

it.each<[string, Partial<CurrentCluster> | null, number | null, number | null]>([
  ['never seen before', null, null, null],
  ['believed until later', { state: 'live', validUntil: noon + 1 }, null, null],
  ['believed until now', { state: 'live', validUntil: noon }, null, null],
  ['believed until before', { state: 'live', validUntil: noon - 1 }, noon, noon],
  ['not live before', { state: 'unreachable', validUntil: noon + 1 }, noon, noon],
])('a cluster that was %s is seen since', (_what, before, seenSince, regainedSince) => {
  const made = (wasLost: boolean) => {
    const back = createClusterReturn(before && { ...row, ...before }, createStatusKeeper());
    back.doubt(noon, wasLost);
    return back;
  };
  expect([made(true).seenSince(), made(true).regainedSince()]).toEqual([seenSince, regainedSince]);
  expect([made(false).seenSince(), made(false).regainedSince()]).toEqual([seenSince, null]);
  const again = made(false);
  again.doubt(noon + minute, true);
  expect([again.seenSince(), again.regainedSince()]).toEqual([noon + minute, noon + minute]);
});

it('takes a status for one of now where the cluster was not lost, where it was written since, or where its keeper works', () => {
  const back = createClusterReturn({ ...row, state: 'unreachable' }, keeper);
  const isOfNow = (statusAt: number | null, at = noon + minute) => back.isOfNow({ ...deployment, statusAt }, at);
  expect(isOfNow(null)).toBe(true);
  back.doubt(noon, true);
  expect([isOfNow(null), isOfNow(noon - minute), isOfNow(noon)]).toEqual([false, false, true]);
  expect(isOfNow(null, noon + 5 * minute)).toBe(true);
});
