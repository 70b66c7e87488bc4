// A cluster was out of sight: what was known of its loops before proves nothing until one is seen to turn again.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asKnownAt } from '#lib/domain/verdict/as-known-at.ts';
import { minute } from '#lib/domain/time/length.ts';
import type { ObservedDeployment } from '../clusters/cluster-event.ts';
import { startBed, type Bed } from './testing/bed.ts';
import { kinds, kustomizationSpec, passedWell, revision } from './testing/objects.ts';

const { kustomization, helmRelease, instance, providerRevision } = kinds;
let bed: Bed;
/** Sentence said before the cluster was out of sight. */
let before: string;
afterEach(() => bed.model.stop());

function lose(ms: number): void {
  bed.model.take({ type: 'disconnected', at: bed.clock.now(), fault: { type: 'unreachable', message: 'refused' } });
  bed.clock.advance(ms);
  bed.model.take({ type: 'connected', at: bed.clock.now(), protocol: 'h2', version: null });
}

/** Lets time pass while the cluster answers; `each` happens every 5 s. */
function pass(ms: number, each: () => void = () => undefined): void {
  for (let left = ms; left > 0; left -= 5_000) {
    bed.clock.advance(Math.min(left, 5_000));
    bed.model.take({ type: 'alive', at: bed.clock.now() });
    each();
  }
  bed.clock.advance(100);
}

function said(name: string): string {
  const { verdict, confirmation } = asKnownAt(bed.at(name), bed.model.cluster(), bed.clock.now());
  return `${verdict} by ${confirmation}`;
}

function sentence(name: string): string {
  return bed.at(name).sentence;
}

describe('where leases may not be read, a pass', () => {
  const app = () =>
    bed.object(kustomization, 'app', {
      spec: { ...kustomizationSpec('control'), sourceRef: undefined },
      status: passedWell(bed.clock.now() - 1_000, revision('a')),
    });

  function connect(): void {
    bed.model.take({ type: 'connected', at: bed.clock.now(), protocol: 'h2', version: 'v1' });
    bed.model.take({ type: 'kinds', at: bed.clock.now(), kinds: [kustomization], absent: [] });
  }

  beforeEach(() => {
    bed = startBed();
    connect();
    bed.list(kustomization, app());
    pass(30_000);
    before = said('app');
  });

  it('that ended before the gap proves no loop, and the next one does', () => {
    expect(before).toBe('converged by pass');
    lose(5 * minute);
    pass(minute);
    expect([bed.model.cluster().state, said('app')]).toEqual(['live', 'unconfirmed by none']);
    expect(sentence('app')).toContain('no pass has ended since the cluster is seen again');
    bed.write(kustomization, app());
    pass(1_000);
    expect(said('app')).toBe('converged by pass');
  });

  it('that a resumed stream tells of ended when it was written: in the gap it proves nothing', () => {
    const release = (reason: string) =>
      bed.object(helmRelease, 'web', {
        spec: { interval: '10m' },
        status: {
          observedGeneration: 1,
          conditions: [
            {
              type: 'Ready',
              status: reason === 'Progressing' ? 'Unknown' : 'True',
              reason,
              message: '',
              lastTransitionTime: new Date(bed.clock.now()).toISOString(),
            },
          ],
        },
        managedFields: [
          {
            manager: 'helm-controller',
            operation: 'Update',
            apiVersion: 'helm.toolkit.fluxcd.io/v2',
            time: new Date(bed.clock.now()).toISOString(),
            fieldsType: 'FieldsV1',
            fieldsV1: {},
            subresource: 'status',
          },
        ],
      });
    bed.model.take({ type: 'kinds', at: bed.clock.now(), kinds: [kustomization, helmRelease], absent: [] });
    bed.list(helmRelease, release('InstallSucceeded'));
    pass(minute);
    expect(said('web')).toBe('converged by pass');
    bed.model.take({ type: 'disconnected', at: bed.clock.now(), fault: { type: 'unreachable', message: 'refused' } });
    bed.clock.advance(minute);
    const missed = [release('Progressing'), release('InstallSucceeded')];
    bed.clock.advance(4 * minute);
    bed.model.take({ type: 'connected', at: bed.clock.now(), protocol: 'h2', version: null });
    for (const one of missed) bed.write(helmRelease, one);
    pass(minute);
    expect(said('web')).toBe('unconfirmed by none');
    for (const one of [release('Progressing'), release('InstallSucceeded')]) bed.write(helmRelease, one);
    pass(5_000);
    expect(said('web')).toBe('converged by pass');
  });

  it('proves it after a moment in which its cluster was not called lost', () => {
    lose(3_000);
    pass(minute);
    expect(said('app')).toBe('converged by pass');
  });

  it.each([
    [10_000, 'converged by pass'],
    [5 * minute, 'unconfirmed by none'],
  ])('that ended before the collector was started again, after %d ms: %s', (away, expected) => {
    const object = app();
    bed.write(kustomization, object);
    pass(1_000);
    const stored = bed.stored();
    bed.model.stop();
    bed = startBed(stored, bed.clock.now() + away);
    connect();
    bed.list(kustomization, object);
    pass(30_000);
    expect(said('app')).toBe(expected);
  });
});

describe('the Deployment of a provider without a lease', () => {
  let listed: Parameters<Bed['open']>[0];
  /** State that a store knew before the cluster was lost. */
  let stored: ReturnType<Bed['stored']>;
  const runtime: ObservedDeployment = {
    namespace: 'crossplane-system',
    name: 'aws-rds-1',
    runs: { type: 'revision', name: 'aws-rds-1' },
    state: 'available',
    version: 'v2',
    selector: '',
    ownNamespaceOnly: false,
    elects: null,
    downSince: null,
    statusAt: null,
  };

  function deploy(part: Partial<ObservedDeployment> = {}): void {
    const at = bed.clock.now();
    bed.model.take({ type: 'deployments', at, namespace: 'crossplane-system', deployments: [{ ...runtime, ...part }] });
  }

  function probe(): void {
    for (const namespace of ['flux-system', 'crossplane-system'])
      bed.model.take({ type: 'leases', at: bed.clock.now(), namespace, leases: [] });
    deploy();
  }

  /** The lease of kube-controller-manager is looked at and was renewed at `renewTime` (ms). */
  function keeper(renewTime: number): void {
    const namespace = 'kube-system';
    const lease = { namespace, name: 'kube-controller-manager', holder: 'node', durationSeconds: 15, transitions: 1 };
    bed.model.take({ type: 'leases', at: bed.clock.now(), namespace, leases: [{ ...lease, renewTime }] });
  }

  beforeEach(() => {
    bed = startBed();
    const healthy = (type: string, reason: string) => ({
      type,
      status: 'True',
      reason,
      message: '',
      observedGeneration: 1,
      lastTransitionTime: new Date(bed.clock.now()).toISOString(),
    });
    const conditions = ['RevisionHealthy', 'RuntimeHealthy'].map((type) => healthy(type, 'HealthyPackageRevision'));
    const objectRefs = [
      {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        name: 'instances.rds.aws.upbound.io',
      },
    ];
    const provider = bed.object(providerRevision, 'aws-rds-1', {
      spec: { desiredState: 'Active', image: 'x:v2' },
      status: { conditions, objectRefs },
    });
    const status = { conditions: [healthy('Synced', 'ReconcileSuccess'), healthy('Ready', 'Available')] };
    listed = [
      [providerRevision, provider],
      [instance, bed.object(instance, 'alone', { status })],
    ];
    bed.open(listed);
    deploy();
    bed.clock.advance(1_000);
    before = said('alone');
    stored = bed.stored();
    // All that ran died with the API server, and nobody has written a status since: the Deployment is as it was.
    lose(59_000);
    pass(30_000, probe);
  });

  it.each([
    ['was not running: that says nothing of the cluster', false, 'converged by controller'],
    ['found its cluster lost when it was started again', true, 'unconfirmed by none'],
  ])('of a collector that %s', (_what, isLost, expected) => {
    const at = bed.clock.now() + 5 * minute;
    bed.model.stop();
    bed = startBed(stored, at);
    if (isLost) lose(59_000);
    bed.open(listed);
    pass(30_000, probe);
    expect(said('alone')).toBe(expected);
  });

  it('proves nothing while it says what it said before', () => {
    expect(before).toBe('converged by controller');
    expect([bed.model.cluster().state, said('alone')]).toEqual(['live', 'unconfirmed by none']);
    expect(sentence('alone')).toContain(
      'nothing shows that the status of the Deployment of aws-rds-1 was written since',
    );
  });

  it('proves it with the first status that is written since', () => {
    deploy({ statusAt: bed.clock.now() - 5_000 });
    bed.clock.advance(1_000);
    expect(said('alone')).toBe('converged by controller');
  });

  it('proves it when kube-controller-manager has been seen working for a minute', () => {
    const works = (): void => {
      keeper(bed.clock.now() - 1_000);
      probe();
    };
    pass(minute, works);
    expect(said('alone')).toBe('unconfirmed by none');
    pass(15_000, works);
    expect(said('alone')).toBe('converged by controller');
  });

  it('proves nothing while kube-controller-manager does not work', () => {
    const diedAt = bed.clock.now() - 2 * minute;
    pass(20 * minute, () => {
      keeper(diedAt);
      probe();
    });
    expect(said('alone')).toBe('unconfirmed by none');
  });

  it('proves it after five minutes where no lease of kube-controller-manager is to be seen', () => {
    pass(4 * minute, probe);
    expect(said('alone')).toBe('unconfirmed by none');
    pass(minute, probe);
    expect(said('alone')).toBe('converged by controller');
  });

  it('that says that no pod is left is believed at once', () => {
    deploy({ state: 'unavailable' });
    bed.clock.advance(1_000);
    expect(said('alone')).toBe('stale by none');
  });

  it('that may not be read is not made up for by what Crossplane tells of it, before that is of now', () => {
    const refused = (): void => {
      bed.renew();
      bed.model.take({ type: 'deployments', at: bed.clock.now(), namespace: 'crossplane-system', deployments: null });
    };
    pass(minute, refused);
    expect(said('alone')).toBe('unconfirmed by none');
    pass(4 * minute, refused);
    expect(said('alone')).toBe('converged by controller');
  });
});
