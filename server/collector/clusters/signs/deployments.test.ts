// Deployments as flux2's manifests, Crossplane's chart and its package manager make them.
import { describe, expect, it } from 'vitest';
import type { ObservedDeployment } from '../cluster-event.ts';
import { readDeployment } from './deployments.ts';

interface Part {
  readonly name?: string;
  readonly labels?: { readonly [key: string]: string };
  readonly owner?: string;
  readonly container?: object;
  readonly replicas?: number;
  readonly status?: object;
}

function deployment({ name = 'kustomize-controller', labels = {}, owner, container, replicas, status }: Part): object {
  const ownerReferences = owner
    ? [{ apiVersion: 'pkg.crossplane.io/v1', kind: owner, name: 'aws-s3-1a2b', uid: 'u', controller: true }]
    : [];
  return {
    metadata: { namespace: 'flux-system', name, generation: 2, labels, ownerReferences },
    spec: { replicas: replicas ?? 1, template: { spec: { containers: [container ?? manager()] } } },
    status: status ?? { observedGeneration: 2, replicas: 1, availableReplicas: 1 },
  };
}

function manager(args: readonly string[] = [], image = 'ghcr.io/fluxcd/kustomize-controller:v1.9.4'): object {
  return { name: 'manager', image, args: ['--log-level=info', ...args] };
}

function read(part: Part): ObservedDeployment | undefined {
  return readDeployment(deployment(part))[0];
}

describe('which controller a Deployment runs', () => {
  const flux = { 'app.kubernetes.io/part-of': 'flux', 'app.kubernetes.io/component': 'kustomize-controller' };
  const core = {
    name: 'crossplane',
    image: 'xpkg.crossplane.io/crossplane/crossplane:v2.3.3',
    args: ['core', 'start'],
  };
  it.each<[string, Part, ObservedDeployment['runs'] | null]>([
    ['of Flux, by its labels', { labels: flux }, { type: 'controller', name: 'kustomize-controller' }],
    [
      'of a shard of Flux, whose name carries the shard',
      { name: 'kustomize-controller-shard1', labels: flux },
      { type: 'controller', name: 'kustomize-controller' },
    ],
    [
      'of Flux, without labels, from a mirror',
      { container: manager([], 'mirror.example:5000/x/kustomize-controller:v1') },
      { type: 'controller', name: 'kustomize-controller' },
    ],
    [
      'tofu-controller',
      { container: manager([], 'ghcr.io/flux-iac/tofu-controller:v0.16.0') },
      { type: 'controller', name: 'tofu-controller' },
    ],
    ['Crossplane core', { name: 'crossplane', container: core }, { type: 'controller', name: 'crossplane' }],
    ['Crossplane RBAC manager, of the same image', { container: { ...core, args: ['rbac', 'start'] } }, null],
    ['a provider, by its owner', { owner: 'ProviderRevision' }, { type: 'revision', name: 'aws-s3-1a2b' }],
    ['a function', { owner: 'FunctionRevision', container: manager([], 'xpkg.io/function-x:v1') }, null],
    [
      'of Flux, by its labels alone',
      { labels: { ...flux, 'app.kubernetes.io/component': 'source-watcher' }, container: manager([], 'x/y:v1') },
      { type: 'controller', name: 'source-watcher' },
    ],
    [
      'a component of something else',
      { labels: { ...flux, 'app.kubernetes.io/part-of': 'shop' }, container: manager([], 'x/shop:v1') },
      null,
    ],
    [
      'Crossplane core, by its command',
      { container: { name: 'crossplane', image: core.image, command: ['crossplane', 'core', 'start'] } },
      { type: 'controller', name: 'crossplane' },
    ],
    ['no image', { container: { name: 'manager' } }, null],
    ['something else', { name: 'podinfo', container: { name: 'podinfod', image: 'stefanprodan/podinfo:6.7' } }, null],
  ])('%s', (_name, part, runs) => expect(read(part)?.runs ?? null).toEqual(runs));

  it.each(['manager', 'package-runtime', 'crossplane', 'main'])(
    'is told by the container %s, beside others',
    (name) => {
      const loop = { ...manager(), name };
      const proxy = { name: 'proxy', image: 'x/kustomize-controller:v9' };
      const both = (...containers: object[]) => {
        const whole = { ...deployment({}), spec: { template: { spec: { containers } } } };
        return readDeployment(whole)[0]?.version;
      };
      expect([both(loop, proxy), both(proxy, loop)]).toEqual(['v1.9.4', name === 'main' ? 'v9' : 'v1.9.4']);
    },
  );

  it.each([[null], [7], [{ metadata: { name: 'x' } }], [{ metadata: { namespace: 'x' } }]])('none in %j', (shape) => {
    expect(readDeployment({ ...deployment({}), metadata: undefined })).toEqual([]);
    expect(readDeployment(shape)).toEqual([]);
  });
});

describe('its pods', () => {
  it.each<[string, Part, ObservedDeployment['state']]>([
    ['one is available', {}, 'available'],
    ['none is', { status: { observedGeneration: 2, replicas: 1, unavailableReplicas: 1 } }, 'unavailable'],
    // Kubernetes calls a Deployment of no pods Available=True: nothing of it is missing.
    [
      'none is asked for',
      { replicas: 0, status: { observedGeneration: 2, conditions: [{ type: 'Available', status: 'True' }] } },
      'scaled-to-zero',
    ],
    ['the status speaks of a former spec', { status: { observedGeneration: 1, availableReplicas: 1 } }, 'unknown'],
    ['there is no status yet', { status: {} }, 'unknown'],
    ['its status tells no pods', { status: { observedGeneration: 2 } }, 'unavailable'],
  ])('%s', (_name, part, state) => expect(read(part)?.state).toBe(state));

  it('are gone since its own condition says so', () => {
    const since = (status: string) =>
      read({
        status: {
          observedGeneration: 2,
          replicas: 1,
          unavailableReplicas: 1,
          conditions: [{ type: 'Available', status, lastTransitionTime: '2026-11-21T12:00:03Z' }],
        },
      })?.downSince;
    expect([since('False'), since('True'), read({})?.downSince]).toEqual([
      Date.parse('2026-11-21T12:00:03Z'),
      null,
      null,
    ]);
  });
});

describe('its version', () => {
  const at = (image: string, version?: string) =>
    read({ container: manager([], image), ...(version ? { labels: { 'app.kubernetes.io/version': version } } : {}) })
      ?.version;
  it.each([
    ['ghcr.io/fluxcd/kustomize-controller:v1.9.4', undefined, 'v1.9.4'],
    ['localhost:5000/kustomize-controller:v1.9.4@sha256:0123456789abcdef0123', undefined, 'v1.9.4'],
    ['ghcr.io/fluxcd/kustomize-controller:v1.9.4', 'v2.9.4', 'v1.9.4'],
    ['localhost:5000/kustomize-controller@sha256:0123456789abcdef0123', 'v2.9.4', 'v2.9.4'],
    ['localhost:5000/kustomize-controller@sha256:0123456789abcdef0123', undefined, 'sha256:0123456789ab'],
    ['kustomize-controller', undefined, null],
    ['kustomize-controller:v1', undefined, 'v1'],
    ['kustomize-controller@sha512:0123456789abcdef', undefined, null],
  ])('%s, labelled %s: %s', (image, label, version) => expect(at(image, label)).toBe(version));
});

describe('which objects it takes', () => {
  it.each([
    [[], '', false],
    [['--watch-all-namespaces'], '', false],
    [['--watch-all-namespaces=true'], '', false],
    [['--watch-all-namespaces=false'], '', true],
    [['--watch-label-selector=sharding.fluxcd.io/key=shard1'], 'sharding.fluxcd.io/key=shard1', false],
    [['--watch-label-selector', '!sharding.fluxcd.io/key'], '!sharding.fluxcd.io/key', false],
    [['--watch-label-selector', '--watch-all-namespaces', 'false'], 'true', true],
    [['--watch-label-selector'], 'true', false],
    [['--watch-label-selector=a', '--watch-label-selector=b'], 'b', false],
  ] as const)('%j', (args, selector, ownNamespaceOnly) => {
    expect(read({ container: manager(args) })).toMatchObject({ selector, ownNamespaceOnly });
  });
});

describe('whether it elects a leader', () => {
  const env = (value: string) => [{ name: 'LEADER_ELECTION', value }];
  it.each<[string, object, boolean | null]>([
    ['Flux, with its flag', manager(['--enable-leader-election']), true],
    ['Flux, with its flag switched off', manager(['--enable-leader-election=false']), false],
    ['a controller of kubebuilder', manager(['--leader-elect']), true],
    ['one that switches it off', manager(['--leader-elect=false']), false],
    ['a provider, with its flag', { name: 'package-runtime', args: ['--leader-election'] }, true],
    ['a provider without it', { name: 'package-runtime', args: ['--leader-election=false'] }, false],
    ['Flux, without its flag', manager(), false],
    [
      'Crossplane, by its environment',
      { name: 'crossplane', image: 'x/crossplane:v2', args: ['core', 'start'], env: env('true') },
      true,
    ],
    [
      'Crossplane, switched off',
      { name: 'crossplane', image: 'x/crossplane:v2', args: ['core', 'start'], env: env('false') },
      false,
    ],
    ['Crossplane, as it comes', { name: 'crossplane', image: 'x/crossplane:v2', args: ['core', 'start'] }, null],
  ])('%s', (_name, container, elects) => expect(read({ container, owner: 'ProviderRevision' })?.elects).toBe(elects));
});

it('a Deployment of which nothing but its names is told', () => {
  const names = { namespace: 'flux-system', name: 'kustomize-controller' };
  const containers = [{ image: 'kustomize-controller' }];
  expect(readDeployment({ metadata: names, spec: { template: { spec: { containers } } } })).toEqual([
    {
      ...names,
      runs: { type: 'controller', name: 'kustomize-controller' },
      state: 'unavailable',
      version: null,
      selector: '',
      ownNamespaceOnly: false,
      elects: null,
      downSince: null,
      statusAt: null,
    },
  ]);
});

describe('whether a controller sends its events to notification-controller', () => {
  it.each<readonly [readonly string[], true | undefined]>([
    [['--events-addr=http://notification-controller.$(RUNTIME_NAMESPACE).svc.cluster.local./'], true],
    [['--events-addr', 'http://notification-controller/'], true],
    [['--events-addr='], undefined],
    [[], undefined],
  ])('%j', (args, sends) => {
    expect(read({ container: manager(args) })?.sendsEvents).toBe(sends);
  });
});
