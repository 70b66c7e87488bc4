import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeClock, type FakeClock } from '#server/runtime/fake-clock.ts';
import type { ClusterEvent } from '../cluster-event.ts';
import { type LivenessProbes, startLivenessProbes } from './liveness-probes.ts';
import { fakeTransport, type FakeTransport, type PendingGet } from '../testing/fake-transport.ts';
import { settled } from '../testing/until.ts';
import { defaultTuning } from '../tuning.ts';
import { createBoundary } from '../boundary.ts';
import { silentLog } from '#server/runtime/log.ts';

const lease = {
  metadata: { namespace: 'flux-system', name: 'kustomize-controller-leader-election' },
  spec: {
    holderIdentity: 'pod-1',
    leaseDurationSeconds: 35,
    renewTime: '2026-11-21T02:00:00.123456Z',
    leaseTransitions: 4,
  },
};
const deployment = {
  metadata: { namespace: 'flux-system', name: 'kustomize-controller', generation: 1 },
  spec: { template: { spec: { containers: [{ name: 'manager', image: 'fluxcd/kustomize-controller:v1.9.4' }] } } },
  status: { observedGeneration: 1, availableReplicas: 1 },
};

let clock: FakeClock;
let transport: FakeTransport;
let emitted: ClusterEvent[];
let signs: LivenessProbes;

beforeEach(async () => {
  clock = fakeClock();
  transport = fakeTransport();
  emitted = [];
  signs = startLivenessProbes({
    transport,
    clock,
    random: () => 0.5,
    tuning: defaultTuning,
    boundary: createBoundary(silentLog),
    namespaces: ['flux-system', 'crossplane-system'],
    on: (event) => void emitted.push(event),
  });
  await settled();
});

afterEach(() => signs.stop());

/** The requests since the last call. */
function asked(): PendingGet[] {
  return transport.gets.splice(0);
}

/** Requests in words, without where everything is asked: "leases flux-system". */
function words(gets: readonly PendingGet[]): string[] {
  return gets.map(({ path }) => {
    const [, namespace = '*', resource = ''] = /(?:namespaces\/([^/]+)\/)?(leases|deployments)\?/.exec(path) ?? [];
    return `${resource} ${namespace}`;
  });
}

/** Answers the search and then the lists, all empty; gives the lists. */
async function round(...found: readonly string[]): Promise<PendingGet[]> {
  const [search] = asked();
  search?.ok({ items: found.map((namespace) => ({ metadata: { namespace, name: 'x' } })) });
  await settled();
  return asked();
}

async function answer(gets: readonly PendingGet[]): Promise<void> {
  for (const get of gets) get.ok({ items: [] });
  await settled();
}

describe('signs of life', () => {
  it('are searched for by label among the names of all Deployments, and listed from the cache', async () => {
    const [search] = transport.gets;
    expect(search?.path).toBe(
      '/apis/apps/v1/deployments?labelSelector=app.kubernetes.io%2Fpart-of+in+%28crossplane%2Cflux%29&resourceVersion=0',
    );
    expect(search?.options.accept).toContain('PartialObjectMetadataList');
    const lists = await round('tenant-flux', 'flux-system');
    expect(words(lists)).toEqual([
      'leases kube-system',
      'leases flux-system',
      'leases crossplane-system',
      'leases tenant-flux',
      'deployments flux-system',
      'deployments crossplane-system',
      'deployments tenant-flux',
    ]);
    expect(lists.every(({ path }) => path.includes('?resourceVersion=0'))).toBe(true);
  });

  it('are told whole, per namespace', async () => {
    const lists = await round();
    const byWords = new Map(lists.map((get, index) => [words(lists)[index], get]));
    byWords.get('leases flux-system')?.ok({ kind: 'LeaseList', items: [lease, {}, null] });
    byWords.get('deployments flux-system')?.ok({ kind: 'DeploymentList', items: [deployment, {}, null] });
    byWords.get('leases crossplane-system')?.ok({ items: [] });
    byWords.get('deployments crossplane-system')?.ok({ items: [] });
    await settled();
    expect(emitted.filter(({ type }) => type === 'leases')).toMatchObject([
      {
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
      { namespace: 'crossplane-system', leases: [] },
    ]);
    expect(emitted.filter(({ type }) => type === 'deployments')).toMatchObject([
      { namespace: 'flux-system', deployments: [{ name: 'kustomize-controller', state: 'available' }] },
      { namespace: 'crossplane-system', deployments: [] },
    ]);
    expect(emitted.filter(({ type }) => type === 'feed')).toMatchObject([
      { kind: { group: 'apps', kind: 'Deployment' }, feed: { state: 'live' } },
      { kind: { group: 'coordination.k8s.io', kind: 'Lease' }, feed: { state: 'live' } },
    ]);
  });

  it('leases each 15 s, Deployments each 30 s, the search each 5 min; the second look at the leases soon', async () => {
    await answer(await round());
    const seen: string[] = [];
    for (let second = 1; second <= 310; second += 1) {
      clock.advance(1_000);
      await settled();
      const gets = asked();
      for (const what of words(gets)) if (!what.endsWith('crossplane-system')) seen.push(`${second} ${what}`);
      await answer(gets);
    }
    expect(seen.slice(0, 5)).toEqual([
      '6 leases flux-system',
      '21 leases kube-system',
      '21 leases flux-system',
      '21 deployments flux-system',
      '36 leases flux-system',
    ]);
    // The 20th look after the first.
    expect(seen).toContain('291 deployments *');
    const count = (what: string): number => seen.filter((each) => each.endsWith(what)).length;
    expect(['leases flux-system', 'deployments flux-system', 'leases kube-system', 'deployments *'].map(count)).toEqual(
      [21, 10, 10, 1],
    );
  });

  it('the lease of kube-controller-manager alone is read of its namespace, and nothing waits for it', async () => {
    const [keeper, ...lists] = await round();
    expect(keeper?.path).toBe(
      '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases?resourceVersion=0&fieldSelector=metadata.name%3Dkube-controller-manager',
    );
    const whole = '/apis/coordination.k8s.io/v1/namespaces/flux-system/leases?resourceVersion=0&limit=500';
    expect(lists.map(({ path }) => path)).toContain(whole);
    await answer(lists);
    for (const seconds of [6, 15, 15]) {
      clock.advance(seconds * 1_000);
      await settled();
      const gets = asked();
      expect(words(gets)).toContain('leases flux-system');
      expect(words(gets)).not.toContain('leases kube-system');
      await answer(gets);
    }
    keeper?.ok({ items: [{ ...lease, metadata: { namespace: 'kube-system', name: 'kube-controller-manager' } }] });
    await settled();
    expect(emitted).toContainEqual(
      expect.objectContaining({
        type: 'leases',
        namespace: 'kube-system',
        leases: [expect.objectContaining({ name: 'kube-controller-manager' })],
      }),
    );
  });

  it('a lease of kube-controller-manager that may not be read is nothing to warn of', async () => {
    const [keeper, ...lists] = await round();
    keeper?.status(403);
    await answer(lists);
    expect(emitted.filter(({ type }) => type === 'feed')).toMatchObject([
      { kind: { kind: 'Deployment' }, feed: { state: 'live' } },
      { kind: { kind: 'Lease' }, feed: { state: 'live' } },
    ]);
  });

  it('that are refused are told apart from those that are not there', async () => {
    const lists = await round();
    const refused = lists.filter(({ path }) => path.includes('/flux-system/'));
    for (const get of lists) if (refused.includes(get)) get.status(403);
    await answer(lists.filter((get) => !refused.includes(get)));
    expect(emitted).toContainEqual(
      expect.objectContaining({ type: 'deployments', namespace: 'flux-system', deployments: null }),
    );
    expect(emitted.filter(({ type }) => type === 'feed')).toMatchObject([
      { kind: { kind: 'Deployment' }, feed: { state: 'forbidden' } },
      { kind: { kind: 'Lease' }, feed: { state: 'forbidden' } },
    ]);
  });

  it('that are refused stay so in a round in which they are not due', async () => {
    for (const get of await round()) {
      if (get.path.includes('/deployments')) get.status(403);
      else get.ok({ items: [] });
    }
    await settled();
    clock.advance(6_000);
    await settled();
    await answer(asked());
    expect(emitted.flatMap((event) => (event.type === 'feed' ? [[event.kind.kind, event.feed.state]] : []))).toEqual([
      ['Deployment', 'forbidden'],
      ['Lease', 'live'],
    ]);
  });

  it('are looked for where they usually are while the search is refused, and searched for again soon where it failed', async () => {
    const [search] = asked();
    search?.status(503);
    await settled();
    const lists = asked();
    expect(words(lists)).toContain('leases flux-system');
    await answer(lists);
    clock.advance(6_000);
    await settled();
    const again = asked();
    expect(words(again)[0]).toBe('deployments *');
    again[0]?.status(403);
    await answer(again.slice(1));
    clock.advance(15_000);
    await settled();
    expect(words(transport.gets)).not.toContain('deployments *');
  });

  it('are looked at again at once after the cluster could not be reached', async () => {
    const lost = { type: 'fault', retryAfter: null, fault: { type: 'unreachable', message: 'no route' } } as const;
    for (const get of await round()) get.answer(lost);
    await settled();
    clock.advance(1_000);
    await settled();
    expect(words(asked())).toEqual([
      'leases kube-system',
      'leases flux-system',
      'leases crossplane-system',
      'deployments flux-system',
      'deployments crossplane-system',
    ]);
  });

  it('are looked at at once when the cluster is seen again, and the leases soon once more', async () => {
    await answer(await round());
    clock.advance(6_000);
    await settled();
    await answer(asked());
    signs.again();
    await settled();
    const lists = asked();
    expect(words(lists)).toEqual([
      'leases kube-system',
      'leases flux-system',
      'leases crossplane-system',
      'deployments flux-system',
      'deployments crossplane-system',
    ]);
    await answer(lists);
    clock.advance(6_000);
    await settled();
    expect(words(asked())).toEqual(['leases flux-system', 'leases crossplane-system']);
  });

  it('that are too many together, of all namespaces, are not read, and the feed says so', async () => {
    const items = Array.from({ length: 1_500 }, (_, number) => ({
      ...lease,
      metadata: { namespace: 'flux-system', name: `l-${number}` },
    }));
    for (const get of await round()) get.ok({ items: get.path.includes('/leases?') ? items : [] });
    await settled();
    const taken = emitted.flatMap((event) => (event.type === 'leases' ? event.leases.length : []));
    expect(taken).toEqual([1_500]);
    expect(emitted.findLast((event) => event.type === 'feed' && event.kind.kind === 'Lease')).toMatchObject({
      feed: {
        state: 'failed',
        fault: {
          message: 'the namespaces of its controllers list 3,000 Leases together; at most 2,000 are read',
        },
      },
    });
  });

  it('in more namespaces than are looked at are a fault, and a controller that was found stays looked for', async () => {
    await answer(
      (await round('true-flux')).filter((get) => {
        if (!get.path.includes('/namespaces/true-flux/deployments?')) return true;
        const own = { ...deployment, metadata: { ...deployment.metadata, namespace: 'true-flux' } };
        get.ok({ kind: 'DeploymentList', items: [own] });
        return false;
      }),
    );
    const searched = () => emitted.flatMap((event) => (event.type === 'searched' ? event.isWhole : []));
    expect(searched()).toEqual([true]);
    for (let left = 20; left > 0 && !words(transport.gets).includes('deployments *'); left -= 1) {
      await answer(asked());
      clock.advance(16_000);
      await settled();
    }
    const tenants = Array.from({ length: 70 }, (_, number) => `a-${number}`);
    const [search, ...others] = asked().toSorted(({ path }) => (path.startsWith('/apis/apps/v1/deployments') ? -1 : 1));
    search?.ok({ items: [...tenants, 'true-flux'].map((namespace) => ({ metadata: { namespace, name: 'x' } })) });
    await answer(others);
    expect(searched()).toEqual([true, false]);
    for (let left = 3; left > 0; left -= 1) {
      clock.advance(16_000);
      await settled();
      const next = asked();
      const looked = words(next).filter((each) => each.startsWith('leases'));
      expect([looked.length, looked.includes('leases true-flux')]).toEqual([
        looked.includes('leases kube-system') ? 67 : 66,
        true,
      ]);
      await answer(next);
    }
    expect(emitted.findLast((event) => event.type === 'feed' && event.kind.kind === 'Deployment')).toMatchObject({
      feed: {
        state: 'failed',
        fault: {
          message: '71 namespaces carry the label of controllers beside the usual ones; at most 64 are looked at',
        },
      },
    });
  });

  it('of which more are labelled than are read are a fault, too', async () => {
    const [search] = asked();
    search?.ok({ items: Array.from({ length: 2_001 }, () => ({ metadata: { namespace: 'a', name: 'x' } })) });
    await settled();
    await answer(asked());
    expect(emitted.filter(({ type }) => type === 'searched')).toMatchObject([{ isWhole: false }]);
    expect(emitted.findLast((event) => event.type === 'feed' && event.kind.kind === 'Deployment')).toMatchObject({
      feed: { state: 'failed' },
    });
  });

  it('leave nothing behind when they are stopped', async () => {
    await answer(await round());
    await signs.stop();
    expect(clock.pending()).toBe(0);
  });
});
