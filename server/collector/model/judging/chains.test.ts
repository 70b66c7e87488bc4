import { beforeEach, describe, expect, it } from 'vitest';
import type { ForeignObject } from '#lib/foreign.ts';
import { hour, minute } from '#lib/domain/time/length.ts';
import type { WatchedKind } from '../../clusters/cluster-event.ts';
import { startBed, type Bed } from '../testing/bed.ts';
import {
  deliveredBy,
  listing,
  kinds,
  kustomizationSpec,
  offering,
  ownedBy,
  passedWell,
  ready,
  revision,
  rfc3339,
} from '../testing/objects.ts';

const { kustomization, gitRepository, helmRelease, instance, database, providerRevision } = kinds;

function sourceKind(kind: string): WatchedKind {
  const group = 'source.toolkit.fluxcd.io';
  return { group, kind, version: 'v1', resource: `${kind.toLowerCase()}s`, namespaced: true, categories: [] };
}

const ociRepository = sourceKind('OCIRepository');
const externalArtifact = sourceKind('ExternalArtifact');
const helmChart = sourceKind('HelmChart');
const helmRepository = sourceKind('HelmRepository');
const generator: WatchedKind = {
  ...sourceKind('ArtifactGenerator'),
  group: 'source.extensions.fluxcd.io',
  version: 'v1beta1',
};
const claim: WatchedKind = {
  ...database,
  kind: 'Database',
  resource: 'databases',
  namespaced: true,
  categories: ['claim'],
};

const [commitA, commitB] = ['a'.repeat(40), 'b'.repeat(40)];
const digest = (digit: string) => `latest@sha256:${digit.repeat(64)}`;
const url = 'https://git.example.org/acme/control.git';

let bed: Bed;

beforeEach(() => {
  bed = startBed();
});

const now = () => bed.clock.now();

function good(
  kind: WatchedKind,
  name: string,
  spec: object,
  artifact: object | null,
  status: object = {},
): ForeignObject {
  return bed.object(kind, name, {
    spec: { interval: '1m', ...spec },
    status: {
      conditions: [
        ready('True', 'Succeeded', now() - 60_000),
        { ...ready('True', 'Succeeded', now() - 60_000), type: 'ArtifactInStorage' },
      ],
      observedGeneration: 1,
      ...(artifact ? { artifact } : {}),
      ...status,
    },
  });
}

const control = (digit = 'a') => bed.object(gitRepository, 'control', offering(now() - 60_000, revision(digit)));

/** managedFields that tell when the status was written last. */
function writtenAt(object: ForeignObject, at: number): ForeignObject {
  const managedFields = [{ manager: 'source-watcher', subresource: 'status', time: rfc3339(at), fieldsV1: {} }];
  return { ...object, metadata: { ...Object(object['metadata']), managedFields } };
}

function generated(sources: readonly object[], at = now()): readonly (readonly [WatchedKind, ...ForeignObject[]])[] {
  const inventory = [{ name: 'app', namespace: 'flux-system', digest: 'sha256:1', filename: '1.tar.gz' }];
  const sourceRef = { apiVersion: 'source.extensions.fluxcd.io/v1beta1', kind: 'ArtifactGenerator', name: 'gen' };
  return [
    [generator, writtenAt(good(generator, 'gen', { sources }, null, { inventory }), at)],
    [externalArtifact, good(externalArtifact, 'app', { sourceRef }, { revision: digest('1') })],
  ];
}

function applying(source: object, applied: string, status: object = {}): ForeignObject {
  return bed.object(kustomization, 'apps', {
    spec: kustomizationSpec('', { sourceRef: source }),
    status: { ...passedWell(now() - 60_000, applied), ...status },
  });
}

/** The Kustomization of the control repository, that has applied one object. */
function applied(id: string, status: object = {}): ForeignObject {
  return applying({ kind: 'GitRepository', name: 'control' }, revision('a'), { ...listing(id), ...status });
}

const git = { alias: 'git', kind: 'GitRepository', name: 'control' };

describe('the commit behind a generated artifact', () => {
  const from = { kind: 'ExternalArtifact', name: 'app' };

  it('lies two hops away, at the source that its generator has worked on', () => {
    bed.open([[gitRepository, control()], ...generated([git]), [kustomization, applying(from, digest('1'))]]);
    expect(bed.at('apps')).toMatchObject({ commit: commitA, repository: url, commitDiffers: 'no' });
    expect(bed.at('app')).toMatchObject({ commit: commitA, repository: url });
  });

  it('is not named while the generator has not worked on what its source offers', () => {
    bed.open([
      [gitRepository, control()],
      ...generated([git], now() - hour),
      [kustomization, applying(from, digest('1'))],
    ]);
    expect(bed.at('apps').commit).toBeNull();
  });

  it('is not named where it is made of two repositories, unless it is annotated', () => {
    const lib = bed.object(gitRepository, 'lib', offering(now() - 60_000, revision('c')));
    const two = [git, { alias: 'lib', kind: 'GitRepository', name: 'lib' }];
    bed.open([[gitRepository, control(), lib], ...generated(two), [kustomization, applying(from, digest('1'))]]);
    expect(bed.at('apps').commit).toBeNull();
    const origin = applying(from, digest('1'), { lastAppliedOriginRevision: revision('a') });
    bed.write(kustomization, origin);
    bed.pass(1_000);
    expect(bed.at('apps').commit).toBe(commitA);
  });

  it('the fault of a repository goes through both hops, and what depends on it is one cause', () => {
    bed.open([[gitRepository, control()], ...generated([git]), [kustomization, applying(from, digest('1'))]]);
    const broken = bed.object(gitRepository, 'control', {
      ...offering(now() - 60_000, revision('a')),
      status: {
        ...offering(now() - 60_000, revision('a')).status,
        conditions: [ready('False', 'GitOperationFailed', now())],
      },
    });
    bed.write(gitRepository, broken);
    bed.pass(6 * minute);
    for (const name of ['gen', 'app', 'apps'])
      expect(bed.at(name)).toMatchObject({ verdict: 'stale', rootCause: { type: 'object', ref: { name: 'control' } } });
  });

  it('an artifact that its generator has made and that is gone is missing', () => {
    const [made] = generated([git]);
    bed.open([[gitRepository, control()], ...(made ? [made] : []), [externalArtifact]]);
    bed.pass(6 * minute);
    expect(bed.at('gen')).toMatchObject({ verdict: 'diverged', reason: 'Missing' });
  });
});

describe('a Kustomization that was never applied', () => {
  it.each(['BuildFailed', 'ReconciliationFailed', 'DependencyNotReady'])(
    'runs at no commit after %s, though the one that delivers it was applied at one',
    (reason) => {
      bed.open([
        [gitRepository, control()],
        [
          kustomization,
          applying({ kind: 'GitRepository', name: 'control' }, revision('a')),
          bed.object(kustomization, 'never', {
            labels: deliveredBy('apps'),
            spec: kustomizationSpec('control'),
            status: { conditions: [ready('False', reason, now() - 60_000)], lastAttemptedRevision: revision('a') },
          }),
        ],
      ]);
      expect(bed.at('apps').commit).toBe(commitA);
      expect(bed.at('never')).toMatchObject({ commit: null, revision: { applied: null } });
    },
  );
});

describe('the commit behind an OCI artifact', () => {
  const from = { kind: 'OCIRepository', name: 'image' };
  const image = (digit: string, commit: string) =>
    good(
      ociRepository,
      'image',
      { url: 'oci://registry.internal/acme/control' },
      {
        revision: digest(digit),
        metadata: {
          'org.opencontainers.image.revision': `main@sha1:${commit}`,
          'org.opencontainers.image.source': url,
        },
      },
    );

  it('is annotated, with its repository; the registry is none', () => {
    bed.open([
      [ociRepository, image('1', commitA)],
      [kustomization, applying(from, digest('1'), { lastAppliedOriginRevision: revision('a') })],
    ]);
    expect(bed.at('apps')).toMatchObject({ commit: commitA, repository: url, commitDiffers: 'no' });
  });

  it('of what was tried and runs is that of the newer artifact, not of what was applied before', () => {
    const unhealthy = applying(from, digest('1'), {
      conditions: [ready('False', 'HealthCheckFailed', now() - 60_000)],
      lastAttemptedRevision: digest('2'),
      lastAppliedOriginRevision: revision('a'),
    });
    bed.open([
      [ociRepository, image('2', commitB)],
      [kustomization, unhealthy],
    ]);
    expect(bed.at('apps')).toMatchObject({ verdict: 'unhealthy', commit: commitB, commitDiffers: 'no' });
  });

  it('is not said to be the newest where what is offered is not read', () => {
    bed.open([[kustomization, applying(from, digest('1'), { lastAppliedOriginRevision: revision('a') })]]);
    expect(bed.at('apps')).toMatchObject({ commit: commitA, commitDiffers: 'unknown' });
  });

  it('differs from the one that is offered while it is not taken up', () => {
    const old = applying(from, digest('1'), { lastAppliedOriginRevision: revision('a') });
    bed.open([
      [ociRepository, image('2', commitB)],
      [kustomization, old],
    ]);
    expect(bed.at('apps')).toMatchObject({ commit: commitA, commitDiffers: 'yes' });
  });
});

describe('a Kustomization out of a bucket', () => {
  it('has no commit of its own, and is at that of who delivers it', () => {
    const bucket = sourceKind('Bucket');
    const store = good(
      bucket,
      'store',
      { endpoint: 's3.example.org', bucketName: 'b' },
      { revision: digest('1').slice(7) },
    );
    const root = bed.object(kustomization, 'root', {
      spec: kustomizationSpec('control'),
      status: {
        ...passedWell(now() - 60_000, revision('a')),
        ...listing('flux-system_apps_kustomize.toolkit.fluxcd.io_Kustomization'),
      },
    });
    const apps = bed.object(kustomization, 'apps', {
      labels: deliveredBy('root'),
      spec: kustomizationSpec('', { sourceRef: { kind: 'Bucket', name: 'store' } }),
      status: passedWell(now() - 60_000, digest('1').slice(7)),
    });
    bed.open([
      [gitRepository, control()],
      [bucket, store],
      [kustomization, root, apps],
    ]);
    expect(bed.at('apps')).toMatchObject({ verdict: 'converged', commit: commitA, repository: url });
    expect(bed.at('store')).toMatchObject({ verdict: 'converged', commit: null });
  });
});

describe('a HelmRelease', () => {
  const release = (labels: { readonly [key: string]: string }, version = '0.1.0') =>
    bed.object(helmRelease, 'web', {
      labels,
      spec: { interval: '10m' },
      status: {
        conditions: [ready('True', 'UpgradeSucceeded', now() - 60_000)],
        observedGeneration: 1,
        helmChart: 'flux-system/web-chart',
        history: [{ status: 'deployed', chartVersion: version }],
      },
    });
  const chartOf = (sourceRef: object, version = '0.1.0') => {
    const spec = { sourceRef, chart: './web', version: '0.1.0' };
    const status = { observedSourceArtifactRevision: revision('a') };
    return good(helmChart, 'web-chart', spec, { revision: version }, status);
  };

  it('is at the commit of the Kustomization that applied it, wherever its chart is from', () => {
    const repository = good(helmRepository, 'charts', { url: 'https://charts.example.org' }, { revision: 'sha256:1' });
    bed.open([
      [gitRepository, control()],
      [helmRepository, repository],
      [kustomization, applied('flux-system_web_helm.toolkit.fluxcd.io_HelmRelease')],
      [helmChart, chartOf({ kind: 'HelmRepository', name: 'charts' })],
      [helmRelease, release(deliveredBy('apps'))],
    ]);
    expect(bed.at('web')).toMatchObject({ commit: commitA, repository: url, commitDiffers: 'no' });
  });

  it.each([
    ['never installed, for want of its chart', 'SourceNotReady'],
    ['whose first installation failed', 'InstallFailed'],
  ])('one that was %s runs at no commit, though its Kustomization was applied at one', (_what, reason) => {
    const never = bed.object(helmRelease, 'web', {
      labels: deliveredBy('apps'),
      spec: {
        interval: '10m',
        chart: { spec: { chart: 'web', sourceRef: { kind: 'HelmRepository', name: 'charts' } } },
      },
      status: { conditions: [ready('False', reason, now() - 60_000)], lastAttemptedRevision: '0.1.0' },
    });
    bed.open([
      [gitRepository, control()],
      [kustomization, applying({ kind: 'GitRepository', name: 'control' }, revision('a'))],
      [helmRelease, never],
    ]);
    expect(bed.at('apps').commit).toBe(commitA);
    expect(bed.at('web').commit).toBeNull();
  });

  it('goes stale with the index of its chart, which it names over two hops, and not with a chart of one version', () => {
    const index = (status: string) =>
      bed.object(helmRepository, 'charts', {
        spec: { interval: '1m', url: 'https://charts.example.org' },
        status: {
          conditions: [ready(status, status === 'True' ? 'Succeeded' : 'IndexationFailed', now())],
          observedGeneration: 1,
          artifact: { revision: 'sha256:1' },
        },
      });
    const sourceRef = { kind: 'HelmRepository', name: 'charts' };
    const ranged = good(helmChart, 'web-chart', { sourceRef, chart: 'web', version: '0.x' }, { revision: '0.1.0' });
    bed.open([
      [helmRepository, index('True')],
      [helmChart, ranged],
      [helmRelease, release({})],
    ]);
    bed.write(helmRepository, index('False'));
    bed.pass(6 * minute);
    for (const name of ['web-chart', 'web'])
      expect(bed.at(name)).toMatchObject({
        verdict: 'stale',
        rootCause: { ref: { kind: 'HelmRepository', name: 'charts' } },
      });
    bed.write(
      helmChart,
      good(helmChart, 'web-chart', { sourceRef, chart: 'web', version: '0.1.0' }, { revision: '0.1.0' }),
    );
    bed.pass(5_000);
    for (const name of ['web-chart', 'web']) expect(bed.at(name).verdict).not.toBe('stale');
  });

  it.each([
    ['0.1.0', null],
    [`0.1.0+${commitA.slice(0, 12)}`, commitA],
  ])('that nobody delivers, at chart version %s, is at commit %s', (version, commit) => {
    bed.open([
      [gitRepository, control()],
      [helmChart, chartOf({ kind: 'GitRepository', name: 'control' }, version)],
      [helmRelease, release({}, version)],
    ]);
    expect(bed.at('web').commit).toBe(commit);
    expect(bed.at('web-chart')).toMatchObject({ commit: commitA, repository: url });
  });
});

describe('a managed resource', () => {
  const apiVersion = (kind: WatchedKind) => `${kind.group}/${kind.version}`;
  const conditions = (synced = 'True', reason = 'ReconcileSuccess') => [
    { ...ready('True', 'Available', now() - hour) },
    { ...ready(synced, reason, now() - 60_000), type: 'Synced' },
  ];
  const revisionOf = () =>
    bed.object(providerRevision, 'provider-aws-rds', {
      spec: { desiredState: 'Active' },
      status: {
        conditions: [
          { ...ready('True', 'HealthyPackageRevision', now()), type: 'RevisionHealthy' },
          { ...ready('True', 'HealthyPackageRevision', now()), type: 'RuntimeHealthy' },
        ],
        objectRefs: [{ kind: 'CustomResourceDefinition', name: 'instances.rds.aws.upbound.io' }],
      },
    });

  function chain(compositeConditions = conditions(), claimAnnotations = {}, sister = conditions()): void {
    const part = (name: string, own: readonly object[]): ForeignObject =>
      bed.object(instance, name, {
        owners: [ownedBy(database, 'orders-xr')],
        spec: { providerConfigRef: { name: 'default' } },
        status: { conditions: own },
      });
    bed.open([
      [gitRepository, control()],
      [kustomization, applied('flux-system_orders_example.org_Database')],
      [providerRevision, revisionOf()],
      [
        claim,
        bed.object(claim, 'orders', {
          labels: deliveredBy('apps'),
          annotations: claimAnnotations,
          spec: { resourceRef: { apiVersion: apiVersion(database), kind: 'XDatabase', name: 'orders-xr' } },
          status: { conditions: conditions() },
        }),
      ],
      [
        database,
        // Crossplane hands the labels of a claim on to its composite.
        bed.object(database, 'orders-xr', {
          labels: deliveredBy('apps'),
          spec: {
            claimRef: { apiVersion: apiVersion(claim), kind: 'Database', name: 'orders', namespace: 'flux-system' },
            resourceRefs: ['orders-db', 'orders-replica'].map((name) => ({
              apiVersion: apiVersion(instance),
              kind: 'Instance',
              name,
            })),
          },
          status: { conditions: compositeConditions },
        }),
      ],
      [instance, part('orders-db', conditions()), part('orders-replica', sister)],
    ]);
  }

  it('depends on composite, claim and Kustomization, whose commit it is at', () => {
    chain();
    expect(bed.at('orders-db')).toMatchObject({
      verdict: 'converged',
      commit: commitA,
      upstreams: {
        parent: { kind: 'XDatabase', name: 'orders-xr' },
        provider: { kind: 'ProviderRevision', name: 'provider-aws-rds' },
        providerConfig: { kind: 'ProviderConfig', name: 'default' },
      },
    });
    // The labels of the composite are copied: its claim makes it.
    expect(bed.at('orders-xr')).toMatchObject({ verdict: 'converged', deliveredBy: null });
    expect(bed.at('orders')).toMatchObject({ verdict: 'converged', deliveredBy: { name: 'apps' } });
  });

  it('is unconfirmed under a claim that is paused, with the claim as its cause', () => {
    chain(conditions(), { 'crossplane.io/paused': 'true' });
    for (const name of ['orders-xr', 'orders-db'])
      expect(bed.at(name)).toMatchObject({
        verdict: 'unconfirmed',
        reason: 'CompositeNotConverged',
        rootCause: { type: 'object', ref: { kind: 'Database', name: 'orders' } },
      });
  });

  it('is unconfirmed under a composite that cannot compose, and its sister, though it fails, is no cause of that', () => {
    chain(conditions('False', 'ReconcileError'), {}, conditions('False', 'ReconcileError'));
    expect(bed.at('orders-db')).toMatchObject({
      verdict: 'unconfirmed',
      rootCause: { type: 'object', ref: { kind: 'XDatabase', name: 'orders-xr' } },
    });
  });

  function underPaused(uid?: string): void {
    const namespaced = { ...instance, namespaced: true };
    const owners = [ownedBy(database, 'orders-xr', uid)];
    const paused = bed.object(database, 'orders-xr', {
      annotations: { 'crossplane.io/paused': 'true' },
      status: { conditions: conditions() },
    });
    bed.open([
      [providerRevision, revisionOf()],
      [database, paused],
      [namespaced, bed.object(namespaced, 'orders-db', { owners, status: { conditions: conditions() } })],
    ]);
  }

  it('whose owner is gone is not judged by what has the name of that now', () => {
    underPaused('uid-of-before');
    expect(bed.at('orders-db')).toMatchObject({
      verdict: 'unconfirmed',
      reason: 'CompositeNotSeen',
      sentence: 'XDatabase orders-xr, which it is a part of, is not there.',
      rootCause: null,
      commit: null,
      upstreams: { parent: null },
    });
  });

  it('of a namespace depends on a composite of the cluster: an owner reference names no namespace', () => {
    underPaused();
    expect(bed.at('orders-db')).toMatchObject({
      verdict: 'unconfirmed',
      reason: 'CompositeNotConverged',
      upstreams: { parent: { kind: 'XDatabase', namespace: '', name: 'orders-xr' } },
    });
  });

  it('is not touched by a sister that fails; composite and claim are, and name her', () => {
    chain(conditions(), {}, conditions('False', 'ReconcileError'));
    expect(bed.at('orders-db').verdict).toBe('converged');
    for (const name of ['orders-xr', 'orders'])
      expect(bed.at(name)).toMatchObject({
        verdict: 'diverged',
        rootCause: { type: 'object', ref: { name: 'orders-replica' } },
      });
  });

  function breakKustomization(): void {
    const conditions = [ready('False', 'BuildFailed', now())];
    bed.write(kustomization, applied('flux-system_orders_example.org_Database', { conditions }));
    bed.pass(3_000);
  }

  it('is unconfirmed when the Kustomization of its claim breaks', () => {
    chain();
    breakKustomization();
    for (const name of ['orders', 'orders-xr', 'orders-db'])
      expect(bed.at(name)).toMatchObject({
        verdict: 'unconfirmed',
        rootCause: { type: 'object', ref: { kind: 'Kustomization', name: 'apps' } },
      });
  });

  it('is so too where the composite stays diverged by a sister all the while', () => {
    chain(conditions(), {}, conditions('False', 'ReconcileError'));
    breakKustomization();
    expect(bed.at('orders-xr')).toMatchObject({ verdict: 'diverged', rootCause: { ref: { name: 'orders-replica' } } });
    expect(bed.at('orders-db')).toMatchObject({ verdict: 'unconfirmed', rootCause: { ref: { name: 'apps' } } });
  });
});
