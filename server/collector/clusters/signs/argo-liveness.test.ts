import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeClock, type FakeClock } from '#server/runtime/fake-clock.ts';
import { startArgoSigns } from './argo-liveness.ts';
import type { ClusterEvent } from '../cluster-event.ts';
import { fakeTransport, type FakeTransport, type PendingGet } from '../testing/fake-transport.ts';
import { settled } from '../testing/until.ts';
import { defaultTuning } from '../tuning.ts';
import { createBoundary } from '../boundary.ts';
import { silentLog } from '#server/runtime/log.ts';

const statefulSet = {
  metadata: { namespace: 'argocd', name: 'argocd-application-controller', generation: 1 },
  spec: {
    template: {
      spec: {
        containers: [
          {
            image: 'quay.io/argoproj/argocd:v3.2.11',
            env: [
              {
                name: 'ARGOCD_RECONCILIATION_TIMEOUT',
                valueFrom: { configMapKeyRef: { name: 'argocd-cm', key: 'timeout.reconciliation' } },
              },
            ],
          },
        ],
      },
    },
  },
  status: { observedGeneration: 1, availableReplicas: 1 },
};
const settings = { data: { 'timeout.reconciliation': '30s', 'dex.config': 'clientSecret: canary' } };
const probedPaths = (namespace: string): string[] => [
  `/apis/apps/v1/namespaces/${namespace}/statefulsets`,
  `/apis/apps/v1/namespaces/${namespace}/deployments`,
  `/api/v1/namespaces/${namespace}/configmaps/argocd-cm`,
  `/api/v1/namespaces/${namespace}/configmaps/argocd-app-controller-shard-cm`,
];

let clock: FakeClock;
let transport: FakeTransport;
let emitted: ClusterEvent[];
let signs: ReturnType<typeof startArgoSigns>;

beforeEach(async () => {
  clock = fakeClock();
  transport = fakeTransport();
  emitted = [];
  const on = (event: ClusterEvent): void => void emitted.push(event);
  signs = startArgoSigns({
    transport,
    clock,
    random: () => 0.5,
    tuning: defaultTuning,
    boundary: createBoundary(silentLog),
    on,
  });
  await settled();
});

afterEach(() => signs.stop());

function asked(): PendingGet[] {
  return transport.gets.splice(0);
}

/** Answers the search; gives what is looked at then. */
async function found(...namespaces: readonly string[]): Promise<PendingGet[]> {
  const [sets, deployments] = asked();
  sets?.ok({ items: namespaces.map((namespace) => ({ metadata: { namespace, name: 'x' } })) });
  deployments?.ok({ items: [] });
  await settled();
  return asked();
}

async function answer(gets: readonly PendingGet[], map: ((get: PendingGet) => void) | null = null): Promise<void> {
  for (const get of gets) {
    if (get.path.includes('/statefulsets')) get.ok({ items: [statefulSet] });
    else if (get.path.includes('/deployments')) get.ok({ items: [] });
    else if (map && get.path.endsWith('argocd-cm')) map(get);
    else if (get.path.endsWith('argocd-cm')) get.ok(settings);
    else get.status(404);
  }
  await settled();
}

describe('the signs of life of Argo CD', () => {
  it('are two ConfigMaps by their names, and what runs its application-controller', async () => {
    const paths = (await found()).map(({ path }) => path.split('?', 1)[0]);
    expect(paths).toEqual(probedPaths('argocd'));
  });

  it('are looked for where it is found', async () => {
    const paths = (await found('gitops')).map(({ path }) => path.split('?', 1)[0]);
    expect(paths).toEqual(probedPaths('gitops'));
  });

  it('tell its pods and its interval, and nothing else of its settings', async () => {
    await answer(await found('argocd'));
    const words = emitted.filter(({ type }) => type === 'argo');
    expect(words).toMatchObject([
      {
        namespace: 'argocd',
        argo: {
          workloads: [
            {
              runs: { type: 'controller', name: 'argocd-application-controller' },
              state: 'available',
              version: 'v3.2.11',
              stateful: true,
            },
          ],
          heartbeat: null,
          interval: 90_000,
        },
      },
    ]);
    expect(JSON.stringify(emitted)).not.toContain('canary');
    expect(emitted.filter(({ type }) => type === 'feed')).toMatchObject([
      { kind: { kind: 'StatefulSet' }, feed: { state: 'live' } },
      { kind: { kind: 'ConfigMap' }, feed: { state: 'live' } },
    ]);
  });

  it('that may not be read are said so, and no interval is known', async () => {
    await answer(await found('argocd'), (get) => get.status(403));
    expect(emitted).toContainEqual(
      expect.objectContaining({ type: 'argo', argo: expect.objectContaining({ interval: null }) }),
    );
    expect(emitted).toContainEqual(
      expect.objectContaining({
        type: 'feed',
        kind: { group: '', kind: 'ConfigMap' },
        feed: expect.objectContaining({ state: 'forbidden' }),
      }),
    );
  });

  it('that are not there tell no interval either', async () => {
    await answer(await found('argocd'), (get) => get.status(404));
    expect(emitted).toContainEqual(
      expect.objectContaining({ type: 'argo', argo: expect.objectContaining({ interval: null }) }),
    );
  });

  it('are looked at again soon, then each 15 s, and at once when the cluster is seen again', async () => {
    await answer(await found('argocd'));
    clock.advance(6_000);
    await settled();
    const second = asked();
    expect(second).toHaveLength(4);
    await answer(second);
    clock.advance(14_000);
    await settled();
    expect(asked()).toHaveLength(0);
    clock.advance(1_000);
    await settled();
    const third = asked();
    expect(third).toHaveLength(4);
    await answer(third);
    signs.again();
    await settled();
    expect(asked()).toHaveLength(4);
  });

  const selector = 'labelSelector=app.kubernetes.io%2Fname%3Dargocd-application-controller&resourceVersion=0';

  it('are searched for among the StatefulSets and Deployments of its name, in at most twenty namespaces', async () => {
    expect(transport.gets.map(({ path }) => path)).toEqual([
      `/apis/apps/v1/statefulsets?${selector}`,
      `/apis/apps/v1/deployments?${selector}`,
    ]);
    const names = Array.from({ length: 21 }, (_, n) => `argo-${n}`);
    const gets = await found(...names, 'argo-0');
    expect(gets.filter((_, n) => n % 4 === 0).map(({ path }) => path)).toEqual(
      names.slice(0, 20).map((name) => `/apis/apps/v1/namespaces/${name}/statefulsets?${selector}`),
    );
    await answer(gets);
    expect(emitted.filter(({ type }) => type === 'searched')).toMatchObject([{ of: 'argo', isWhole: false }]);
    expect(emitted.filter(({ type }) => type === 'feed')).toContainEqual(
      expect.objectContaining({ feed: expect.objectContaining({ state: 'failed' }) }),
    );
  });

  it('are of its Deployment where it has no StatefulSet', async () => {
    const [sets, deployments, ...maps] = await found('argocd');
    sets?.ok({ items: [] });
    deployments?.ok({ items: [statefulSet] });
    await answer(maps);
    expect(emitted.find((event) => event.type === 'argo')?.argo).toEqual({
      heartbeat: null,
      interval: 90_000,
      workloads: [expect.not.objectContaining({ stateful: expect.anything() })],
    });
  });

  it.each<readonly [readonly number[], readonly (string | null)[], unknown]>([
    [[200, 200, 200, 404], ['live', 'live'], []],
    [[404, 404, 404, 404], ['live', 'live'], []],
    [[500, 403, 200, 404], ['forbidden', 'live'], null],
    [[200, 500, 500, 403], ['failed', 'forbidden'], null],
    [[500, 500, 200, 404], ['failed', 'live'], null],
    [[500, 500, 500, 500], ['failed', 'failed'], undefined],
  ])('answered with %j they are %j', async (statuses, states, workloads) => {
    const gets = await found('argocd');
    for (const [n, status] of statuses.entries()) {
      if (status === 200) gets[n]?.ok({ items: [] });
      else gets[n]?.status(status);
    }
    await settled();
    const kinds = [
      { group: 'apps', kind: 'StatefulSet' },
      { group: '', kind: 'ConfigMap' },
    ];
    expect(emitted.flatMap((event) => (event.type === 'feed' ? [[event.kind, event.feed.state]] : []))).toEqual(
      kinds.map((kind, n) => [kind, states[n]]),
    );
    expect(emitted.find((event) => event.type === 'argo')?.argo.workloads).toEqual(workloads);
  });

  it('are searched for anew with each twentieth look', async () => {
    await answer(await found('argocd'));
    const searched: number[] = [];
    for (let look = 1; look <= 20; look += 1) {
      clock.advance(15_000);
      await settled();
      const gets = asked();
      if (gets.length === 2) searched.push(look);
      for (const get of gets) get.ok({ items: [] });
      await settled();
      for (const get of asked()) get.ok({ items: [] });
      await settled();
    }
    expect(searched).toEqual([20]);
  });
});
