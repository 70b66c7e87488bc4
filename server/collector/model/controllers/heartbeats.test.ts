// What proves that loops turn, in the living model of one cluster: a dead controller stales its own objects, and no others.
import { beforeEach, describe, expect, it } from 'vitest';
import { hour } from '#lib/domain/time/length.ts';
import type { ObservedDeployment } from '../../clusters/cluster-event.ts';
import { startBed, type Bed } from '../testing/bed.ts';
import { kinds, kustomizationSpec, offering, ownedBy, passedWell, revision } from '../testing/objects.ts';

const { kustomization, gitRepository, instance, database, providerRevision } = kinds;
const head = revision('a');

let bed: Bed;

beforeEach(() => {
  bed = startBed();
});

function source(name = 'control', labels: { readonly [key: string]: string } = {}) {
  return bed.object(gitRepository, name, { ...offering(bed.clock.now(), head), labels });
}

function app(name: string, labels: { readonly [key: string]: string } = {}) {
  const status = passedWell(bed.clock.now(), head);
  return bed.object(kustomization, name, { labels, spec: kustomizationSpec('control'), status });
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

function deploy(...deployments: readonly ObservedDeployment[]): void {
  for (const [namespace, words] of Map.groupBy(deployments, (one) => one.namespace))
    bed.model.take({ type: 'deployments', at: bed.clock.now(), namespace, deployments: words });
  bed.clock.advance(50);
}

describe('a controller that is gone', () => {
  beforeEach(() => {
    bed.open([
      [gitRepository, source()],
      [kustomization, app('checkout')],
    ]);
    deploy(deployment());
  });

  it('whose Deployment is scaled to zero stales its objects as soon as its lease stands, and is named', () => {
    bed.stand(20_000);
    expect(bed.at('checkout').verdict).toBe('converged');
    deploy(deployment({ state: 'scaled-to-zero' }));
    expect(bed.at('checkout')).toMatchObject({
      verdict: 'stale',
      was: 'converged',
      reason: 'ControllerDead',
      sentence: 'kustomize-controller is scaled to zero, so its last word proves nothing.',
      rootCause: { type: 'controller', namespace: 'flux-system', name: 'kustomize-controller' },
    });
    expect(evidenceOf('checkout')).toContain('Deployment flux-system/kustomize-controller is scaled to 0');
    expect(bed.at('control').verdict).toBe('converged');
  });

  it('stales its objects since its pod was gone, however late that was looked at', () => {
    bed.stand(20_000);
    const gone = bed.clock.now() - 12_000;
    deploy(deployment({ state: 'unavailable', downSince: gone }));
    const { onset } = bed.at('checkout');
    expect(onset).toMatchObject({ time: gone, bound: 'exact' });
    expect(onset.noticedAt).toBeGreaterThan(gone + 11_000);
  });

  it('is back with the first look that finds its lease moving', () => {
    bed.stand(20_000);
    deploy(deployment({ state: 'unavailable' }));
    expect(bed.at('checkout').verdict).toBe('stale');
    bed.pass(10_000);
    bed.write(kustomization, app('checkout'));
    bed.pass(1_000);
    expect(bed.at('checkout').verdict).toBe('converged');
  });

  it('whose lease moves is alive, whatever its Deployment says', () => {
    deploy(deployment({ state: 'unavailable' }));
    bed.pass(30_000);
    expect(bed.at('checkout').verdict).toBe('converged');
  });

  it('whose pod is there and whose lease stands still is stuck', () => {
    bed.stand(70_000);
    expect(bed.at('checkout')).toMatchObject({
      verdict: 'stale',
      sentence:
        'kustomize-controller is stuck: its pod is available, but its lease does not move any more, so its last word proves nothing.',
    });
  });

  it('source-controller: the source is stale, and all that applies from it', () => {
    const controller = { name: 'source-controller', runs: { type: 'controller', name: 'source-controller' } } as const;
    bed.stand(20_000);
    deploy(deployment(), deployment({ ...controller, state: 'unavailable' }));
    expect([bed.at('control').verdict, bed.at('checkout').verdict]).toEqual(['stale', 'stale']);
    expect(bed.at('checkout').rootCause).toMatchObject({ type: 'controller', name: 'source-controller' });
    expect(bed.at('checkout').reason).toBe('SourceStale');
  });

  it('whose Deployment may not be read lives by its lease alone', () => {
    bed.model.take({ type: 'deployments', at: bed.clock.now(), namespace: 'flux-system', deployments: null });
    bed.stand(40_000);
    expect(bed.at('checkout').verdict).toBe('converged');
    bed.stand(30_000);
    expect(bed.at('checkout')).toMatchObject({
      verdict: 'stale',
      sentence: 'kustomize-controller has stopped: its lease does not move any more, so its last word proves nothing.',
    });
    expect(evidenceOf('checkout')).toContain(
      'lease flux-system/kustomize-controller-leader-election has not moved since',
    );
  });
});

function evidenceOf(name: string): readonly string[] {
  return bed.recorded(name).detail.evidence.map(({ text }) => text);
}

describe('measured on real controllers', () => {
  const spec = (interval: string) => kustomizationSpec('control', { interval, timeout: '20s' });
  const every = (name: string, interval: string) =>
    bed.object(kustomization, name, { spec: spec(interval), status: passedWell(bed.clock.now(), head) });

  it('a source writes nothing while nothing changes: its controller alone confirms it, for an hour', () => {
    bed.open([[gitRepository, source()]]);
    bed.pass(hour);
    expect(bed.at('control')).toMatchObject({ verdict: 'converged', confirmation: 'controller' });
    const moved = bed.model.cluster().controllers.find(({ name }) => name === 'source-controller')?.lastMovedAt;
    expect(moved).toBeGreaterThan(bed.clock.now() - 60_000);
    expect(bed.verdicts('control')).toEqual(['converged']);
  });

  it('without a pass an interval of 30 s is stale within ten minutes, though its controller lives; one of 24 h is not', () => {
    bed.open([
      [gitRepository, source()],
      [kustomization, every('often', '30s'), every('daily', '24h')],
    ]);
    bed.pass(600_000);
    expect(bed.at('often')).toMatchObject({ verdict: 'stale', reason: 'NoPass', rootCause: null });
    expect(bed.at('daily')).toMatchObject({ verdict: 'converged', confirmation: 'pass' });
  });

  it('killed, nothing on any object changes; it takes its lease back after the old term, and no pass was seen for 90 s', () => {
    bed.open([
      [gitRepository, source()],
      [kustomization, every('checkout', '10m')],
    ]);
    bed.stand(90_000);
    expect(bed.at('checkout')).toMatchObject({ verdict: 'stale', reason: 'ControllerDead' });
    bed.pass(10_000);
    expect(bed.at('checkout')).toMatchObject({ verdict: 'converged', confirmation: 'pass' });
    expect(bed.verdicts('checkout')).toEqual(['converged', 'stale', 'converged']);
  });
});

describe('shards and instances', () => {
  const sharded = { 'sharding.fluxcd.io/key': 'shard1' };
  const main = deployment({ selector: '!sharding.fluxcd.io/key', elects: false });
  const shard = deployment({
    name: 'kustomize-controller-shard1',
    selector: 'sharding.fluxcd.io/key=shard1',
    elects: false,
  });

  const sources = deployment({
    name: 'source-controller',
    runs: { type: 'controller', name: 'source-controller' },
    selector: '!sharding.fluxcd.io/key',
    elects: false,
  });

  /** Lets a look's time pass in which no lease is to be seen: none of them elects a leader. */
  function readDeployments(...deployments: readonly ObservedDeployment[]): void {
    bed.clock.advance(10_000);
    for (const namespace of ['flux-system', 'tenant-a'])
      bed.model.take({ type: 'leases', at: bed.clock.now(), namespace, leases: [] });
    deploy(sources, ...deployments);
  }

  beforeEach(() => {
    bed.open([
      [gitRepository, source()],
      [kustomization, app('checkout'), app('search', sharded)],
    ]);
    // The leases of the bed are left behind.
    for (let rounds = 0; rounds < 8; rounds += 1) readDeployments(main, shard);
  });

  it('a dead shard stales its objects and no others, and is named', () => {
    readDeployments(main, { ...shard, state: 'unavailable' });
    expect([bed.at('checkout').verdict, bed.at('search').verdict]).toEqual(['converged', 'stale']);
    expect(bed.at('search')).toMatchObject({
      sentence: 'kustomize-controller-shard1 has no pod that is available, so its last word proves nothing.',
      rootCause: { type: 'controller', namespace: 'flux-system', name: 'kustomize-controller-shard1' },
    });
  });

  it('a dead main controller leaves the shards alone', () => {
    readDeployments({ ...main, state: 'scaled-to-zero' }, shard);
    expect([bed.at('checkout').verdict, bed.at('search').verdict]).toEqual(['stale', 'converged']);
  });

  it('each counts its own objects on the page of the cluster', () => {
    const found = bed.model.cluster().controllers.filter(({ name }) => name.startsWith('kustomize-controller'));
    expect(found.map(({ name, version, objects }) => `${name} ${version} ${objects}`)).toEqual([
      'kustomize-controller v1.9.4 1',
      'kustomize-controller-shard1 v1.9.4 1',
    ]);
  });

  it('an instance that takes its own namespace only stales nothing elsewhere', () => {
    const elsewhere = deployment({
      namespace: 'tenant-a',
      ownNamespaceOnly: true,
      state: 'unavailable',
      elects: false,
    });
    readDeployments(main, shard, elsewhere);
    expect(bed.at('checkout').verdict).toBe('converged');
    readDeployments({ ...main, ownNamespaceOnly: true, state: 'unavailable' }, shard, {
      ...elsewhere,
      state: 'available',
    });
    expect(bed.at('checkout').verdict).toBe('stale');
  });

  it('a source of a shard that nobody serves is unconfirmed, and it is said why', () => {
    const lost = source('lost', { 'sharding.fluxcd.io/key': 'shard9' });
    bed.write(gitRepository, lost);
    readDeployments(main, shard);
    expect(bed.at('lost')).toMatchObject({
      verdict: 'unconfirmed',
      sentence:
        'Its last word is good, but nothing proves that this is still so: no instance of source-controller is known that takes it.',
    });
  });
});

describe('Crossplane', () => {
  const healthy = (type: string, reason: string) => ({
    type,
    status: 'True',
    reason,
    message: '',
    lastTransitionTime: new Date(bed.clock.now()).toISOString(),
    observedGeneration: 1,
  });
  const conditions = () => [healthy('Synced', 'ReconcileSuccess'), healthy('Ready', 'Available')];
  const runtime = deployment({
    namespace: 'crossplane-system',
    name: 'aws-rds-1',
    runs: { type: 'revision', name: 'aws-rds-1' },
    elects: null,
    version: 'v2.6.0',
  });

  function revisionOfProvider() {
    return bed.object(providerRevision, 'aws-rds-1', {
      spec: { desiredState: 'Active', image: 'xpkg.example.org/provider-aws-rds:v2.6.0' },
      status: {
        conditions: [
          healthy('RevisionHealthy', 'HealthyPackageRevision'),
          healthy('RuntimeHealthy', 'HealthyPackageRevision'),
        ],
        objectRefs: [
          {
            apiVersion: 'apiextensions.k8s.io/v1',
            kind: 'CustomResourceDefinition',
            name: 'instances.rds.aws.upbound.io',
          },
        ],
      },
    });
  }

  beforeEach(() => {
    const part = { apiVersion: 'rds.aws.upbound.io/v1beta1', kind: 'Instance', name: 'orders' };
    bed.open([
      [providerRevision, revisionOfProvider()],
      [
        instance,
        bed.object(instance, 'alone', { status: { conditions: conditions() } }),
        bed.object(instance, 'orders', { owners: [ownedBy(database, 'ledger')], status: { conditions: conditions() } }),
      ],
      [
        database,
        bed.object(database, 'ledger', { spec: { resourceRefs: [part] }, status: { conditions: conditions() } }),
      ],
    ]);
  });

  it('all is well while core and provider live', () => {
    deploy(runtime);
    expect(['aws-rds-1', 'alone', 'orders', 'ledger'].map((name) => bed.at(name).verdict)).toEqual(
      Array.from({ length: 4 }, () => 'converged'),
    );
    expect(bed.model.cluster().controllers).toContainEqual(
      expect.objectContaining({ name: 'aws-rds-1', version: 'v2.6.0', deployment: 'available', objects: 2 }),
    );
  });

  it('dead core: composites are stale, managed resources live by their provider', () => {
    deploy(runtime);
    bed.stand(40_000);
    deploy(runtime);
    expect([bed.at('ledger').verdict, bed.at('aws-rds-1').verdict]).toEqual(['stale', 'stale']);
    expect(bed.at('ledger').rootCause).toMatchObject({ type: 'controller', name: 'crossplane' });
    expect(bed.at('alone')).toMatchObject({ verdict: 'converged', confirmation: 'controller' });
  });

  it('dead core, and nothing seen of the provider: managed resources are unconfirmed, not stale, for want of a word on it', () => {
    bed.stand(40_000);
    expect(bed.at('alone')).toMatchObject({
      verdict: 'unconfirmed',
      reason: 'ProviderUnconfirmed',
      rootCause: { type: 'controller', name: 'crossplane' },
    });
  });

  it.each(['unavailable', 'scaled-to-zero'] as const)(
    'a provider that is %s stales what it runs, and is the cause',
    (state) => {
      deploy({ ...runtime, state });
      expect(bed.at('aws-rds-1')).toMatchObject({ verdict: 'unhealthy', reason: 'RuntimeNotRunning' });
      expect(bed.at('alone')).toMatchObject({
        verdict: 'stale',
        reason: 'ProviderNotRunning',
        rootCause: { type: 'object', ref: { kind: 'ProviderRevision', name: 'aws-rds-1' } },
      });
      expect(bed.at('ledger').rootCause).toMatchObject({ type: 'object', ref: { name: 'aws-rds-1' } });
      deploy(runtime);
      expect([bed.at('aws-rds-1').verdict, bed.at('alone').verdict]).toEqual(['converged', 'converged']);
    },
  );
});
