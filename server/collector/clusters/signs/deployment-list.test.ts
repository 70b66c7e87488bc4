import { describe, expect, it } from 'vitest';
import type { ForeignObject } from '#lib/foreign.ts';
import type { ClusterFault } from '../cluster-event.ts';
import { createDeploymentList } from './deployments.ts';
import type { SignReader } from './sign-reader.ts';

function deployment(version: string, available: number): ForeignObject {
  return {
    metadata: { namespace: 'flux-system', name: 'kustomize-controller', generation: 1 },
    spec: { template: { spec: { containers: [{ name: 'manager', image: `x/kustomize-controller:${version}` }] } } },
    status: { observedGeneration: 1, availableReplicas: available },
  };
}

/** Output of `kubectl get deployments -o wide`, as the API server makes it. */
function table(version: string, available: number, age: string): ForeignObject {
  const columns = ['Name', 'Ready', 'Up-to-date', 'Available', 'Age', 'Containers', 'Images', 'Selector'];
  const cells = [
    'kustomize-controller',
    `${available}/1`,
    1,
    available,
    age,
    'manager',
    `x/kustomize-controller:${version}`,
  ];
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    columnDefinitions: columns.map((name) => ({ name, type: 'string' })),
    rows: [{ cells: [...cells, 'app=kustomize-controller'] }],
  };
}

const live = { state: 'live' } as const;

/** A server that answers tables where asked for them, and counts what was asked. */
function server(tables = true): {
  readonly asked: string[];
  is(version: string, available: number, age: string): void;
  refuse(fault: ClusterFault | null): void;
  readonly read: SignReader['read'];
} {
  let now = { version: 'v1.9.4', available: 1, age: '9d' };
  let refused: ClusterFault | null = null;
  const asked: string[] = [];
  return {
    asked,
    is: (version, available, age) => void (now = { version, available, age }),
    refuse: (fault) => void (refused = fault),
    read(path, accept) {
      const asTable = tables && accept?.includes('as=Table') === true;
      asked.push(asTable ? 'table' : 'list');
      const base = '/apis/apps/v1/namespaces/flux-system/deployments?resourceVersion=0';
      const wanted = accept === undefined ? base : `${base}&includeObject=None`;
      expect([path, accept ?? null]).toEqual([
        wanted,
        accept === undefined ? null : 'application/json;as=Table;g=meta.k8s.io;v=v1,application/json',
      ]);
      if (refused) return Promise.resolve({ feed: { state: 'forbidden', fault: refused }, body: null });
      const { version, available, age } = now;
      const list = { kind: 'DeploymentList', items: [deployment(version, available)] };
      return Promise.resolve({ feed: live, body: asTable ? table(version, available, age) : list });
    },
  };
}

describe('Deployments', () => {
  it('are read whole where their table has changed, else told as they were', async () => {
    const api = server();
    const reader = createDeploymentList(api.read);
    const said = async (): Promise<string> => {
      const { deployments } = await reader.list('flux-system');
      return `${deployments?.[0]?.version} ${deployments?.[0]?.state}: ${api.asked.splice(0).join(', ')}`;
    };
    expect(await said()).toBe('v1.9.4 available: table, list');
    api.is('v1.9.4', 1, '10d');
    expect(await said()).toBe('v1.9.4 available: table');
    api.is('v1.9.4', 0, '10d');
    expect(await said()).toBe('v1.9.4 unavailable: table, list');
    api.is('v1.9.5', 1, '10d');
    expect(await said()).toBe('v1.9.5 available: table, list');
  });

  it('are read whole now and then, for what no table shows', async () => {
    const api = server();
    const reader = createDeploymentList(api.read);
    for (let read = 0; read < 21; read += 1) await reader.list('flux-system');
    const lists = api.asked.filter((what) => what === 'table').length;
    expect([lists, api.asked.flatMap((what, n) => (what === 'list' ? n : []))]).toEqual([21, [1, 12, 23]]);
  });

  it('come as a list from a server that makes no tables, and are not asked for twice', async () => {
    const api = server(false);
    const reader = createDeploymentList(api.read);
    expect((await reader.list('flux-system')).deployments).toMatchObject([{ version: 'v1.9.4', state: 'available' }]);
    api.is('v1.9.4', 0, '9d');
    expect((await reader.list('flux-system')).deployments).toMatchObject([{ state: 'unavailable' }]);
    expect(api.asked).toEqual(['list', 'list']);
  });

  it('that may not be read are no empty list, nor what they were', async () => {
    const api = server();
    const reader = createDeploymentList(api.read);
    await reader.list('flux-system');
    api.refuse({ type: 'forbidden', message: 'no' });
    expect(await reader.list('flux-system')).toMatchObject({ feed: { state: 'forbidden' }, deployments: null });
  });
});
