import { describe, expect, it } from 'vitest';
import type { Observation } from '#lib/domain/observation/observation.ts';
import { adapterFor } from '../registry.ts';
import { observed } from '../testing.ts';

interface Parts {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: object;
}

function managed({
  apiVersion = 's3.aws.upbound.io/v1beta2',
  kind = 'Bucket',
  metadata,
  spec,
  status,
}: Parts = {}): Observation {
  return observed({ apiVersion, kind, metadata: { name: 'b', generation: 2, ...metadata }, spec: spec ?? {}, status }, [
    'crossplane',
    'managed',
    'aws',
  ]);
}

function composite(parts: Parts): Observation {
  const { apiVersion = 'acme.org/v1', kind = 'XBucket' } = parts;
  return observed({ ...parts, apiVersion, kind, metadata: { name: 'x', ...parts.metadata } }, ['composite']);
}

function condition(
  type: string,
  status: string,
  reason: string,
  message = '',
  observedGeneration: number | undefined = 2,
): object {
  return { type, status, reason, message, observedGeneration };
}

const synced = condition('Synced', 'True', 'ReconcileSuccess');
const ready = condition('Ready', 'True', 'Available');
const failedSync = (message: string): object => condition('Synced', 'False', 'ReconcileError', message);
const paused = condition('Synced', 'False', 'ReconcilePaused');

function textOf(observation: Observation): string {
  const { summary } = observation;
  if (summary.said === 'bad') return `bad ${summary.fault}${summary.terminal ? ' terminal' : ''}`;
  if (summary.said === 'busy') return summary.before === null ? 'busy' : `busy after ${summary.before.said}`;
  return summary.said;
}

describe('words of a managed resource', () => {
  it.each<readonly [string, readonly object[], string]>([
    ['no condition', [], 'nothing'],
    ['synced and ready', [synced, ready], 'good'],
    ['Ready=True with reason "" (a provider that sets it itself)', [synced, condition('Ready', 'True', '')], 'good'],
    ['synced, Ready not there yet', [synced], 'busy'],
    ['being created', [synced, condition('Ready', 'False', 'Creating')], 'busy'],
    ['being deleted', [synced, condition('Ready', 'False', 'Deleting')], 'busy'],
    ['applied, but it does not work', [synced, condition('Ready', 'False', 'Unavailable')], 'bad health'],
    ['connect failed', [failedSync('connect failed: cannot get credentials'), ready], 'bad observe'],
    ['observe failed', [failedSync('observe failed: api error AccessDenied'), ready], 'bad observe'],
    ['Observe-only and not there', [failedSync('observe failed: external resource does not exist')], 'bad apply'],
    ['create failed', [failedSync('create failed: async create failed: x')], 'bad apply'],
    ['update failed', [failedSync('update failed: refuse to update the external resource'), ready], 'bad apply'],
    ['delete failed', [failedSync('delete failed: BucketNotEmpty'), ready], 'bad apply'],
    ['a reference that cannot be resolved has no prefix', [failedSync('cannot resolve references: x')], 'bad apply'],
    [
      'an incomplete creation is never retried',
      [failedSync('cannot determine creation result - remove the annotation')],
      'bad apply terminal',
    ],
    [
      'policies that are not supported',
      [failedSync('`spec.managementPolicies` is set to a non-default value')],
      'bad apply',
    ],
    [
      'an asynchronous operation failed beside Synced=True',
      [synced, ready, condition('LastAsyncOperation', 'False', 'AsyncUpdateFailed', 'x')],
      'bad apply',
    ],
    [
      'an asynchronous operation is under way, which is no failure',
      [synced, ready, condition('AsyncOperation', 'False', 'Ongoing')],
      'good',
    ],
    ['UpToDate=False UpdateFailed', [synced, ready, condition('UpToDate', 'False', 'UpdateFailed', 'x')], 'bad apply'],
    ['resumed, not yet looked at', [paused, ready], 'busy after good'],
    ['a foreign condition only', [condition('Test', 'True', 'X')], 'busy'],
  ])('%s', (_case, conditions, words) => {
    expect(textOf(managed({ status: { conditions } }))).toBe(words);
  });

  it('an operation that is under way is an overlay', () => {
    expect(
      managed({ status: { conditions: [synced, ready, condition('AsyncOperation', 'False', 'Ongoing')] } }).reconciling,
    ).toBe(true);
    expect(
      managed({ status: { conditions: [synced, ready, condition('AsyncOperation', 'True', 'Finished')] } }).reconciling,
    ).toBe(false);
  });

  it('shows no passes, failing or not: what does not change is not written', () => {
    expect(managed({ status: { conditions: [failedSync('update failed: x')] } }).passes.seenBy).toBe('none');
    expect(managed({ status: { conditions: [synced, ready] } }).passes.seenBy).toBe('none');
  });
});

describe('pauses', () => {
  const off = { annotations: { 'crossplane.io/paused': 'true' } };

  it('keeps what Ready says beneath', () => {
    expect(textOf(managed({ metadata: off, status: { conditions: [paused, ready] } }))).toBe('good');
    expect(
      textOf(managed({ metadata: off, status: { conditions: [paused, condition('Ready', 'False', 'Unavailable')] } })),
    ).toBe('bad health');
  });

  it('from birth there is nothing beneath', () => {
    expect(textOf(managed({ metadata: off, status: { conditions: [paused] } }))).toBe('nothing');
  });

  it('is the annotation with exactly "true", or managementPolicies []', () => {
    expect(managed({ metadata: off }).suspended?.field).toBe('metadata.annotations[crossplane.io/paused]');
    expect(managed({ metadata: { annotations: { 'crossplane.io/paused': 'True' } } }).suspended).toBeNull();
    expect(managed({ spec: { managementPolicies: [] } }).suspended?.field).toBe('spec.managementPolicies');
    expect(managed({ spec: { managementPolicies: ['*'] } }).suspended).toBeNull();
  });
});

describe('drift and exemptions of a managed resource', () => {
  const settled = { conditions: [synced, ready] };

  it.each<readonly [string, object, object, string]>([
    ['Synced=True with everything allowed', {}, settled, 'none'],
    ['Observe-only drift is invisible', { managementPolicies: ['Observe'] }, settled, 'not-measured'],
    [
      'without Update drift is invisible',
      { managementPolicies: ['Observe', 'Create', 'Delete'] },
      settled,
      'not-measured',
    ],
    [
      'UpToDate=False UpdateRestricted',
      { managementPolicies: ['Observe'] },
      { conditions: [synced, ready, condition('UpToDate', 'False', 'UpdateRestricted', 'differs')] },
      'found',
    ],
    [
      'UpToDate=True',
      { managementPolicies: ['Observe'] },
      { conditions: [synced, ready, condition('UpToDate', 'True', 'ObserveMatched')] },
      'none',
    ],
    [
      'UpToDate=False UpdateFailed: it is known to differ, and fails to be made equal',
      {},
      { conditions: [synced, ready, condition('UpToDate', 'False', 'UpdateFailed', 'denied')] },
      'found',
    ],
    [
      'UpToDate=False UpdateRequested: the next poll will tell',
      {},
      { conditions: [synced, ready, condition('UpToDate', 'False', 'UpdateRequested')] },
      'not-measured',
    ],
    [
      'UpToDate=Unknown ReconcilePaused',
      { managementPolicies: [] },
      { conditions: [synced, ready, condition('UpToDate', 'Unknown', 'ReconcilePaused')] },
      'not-measured',
    ],
    [
      'paused keeps an UpToDate=True that proves nothing any more',
      { managementPolicies: [] },
      { conditions: [synced, ready, condition('UpToDate', 'True', 'ObserveMatched')] },
      'not-measured',
    ],
    [
      'UpToDate=False for a reason of tomorrow still says that it differs',
      {},
      { conditions: [synced, ready, condition('UpToDate', 'False', 'SomethingNew')] },
      'found',
    ],
    ['blind', {}, { conditions: [failedSync('observe failed: x')] }, 'not-measured'],
  ])('%s', (_case, spec, status, drift) => {
    expect(managed({ spec, status }).drift.drift).toBe(drift);
  });

  it.each([
    ['Synced', [synced, ready]],
    ['UpToDate', [synced, ready, condition('UpToDate', 'True', 'ObserveMatched')]],
  ])('%s=True of before an edit says nothing of what is declared now', (_type, conditions) => {
    const edited = managed({ metadata: { generation: 3 }, status: { conditions } });
    expect(edited.drift).toEqual({ drift: 'not-measured', why: 'it was last compared before the spec changed' });
  });

  it.each<readonly [string, Parts, string[]]>([
    ['stateful, deletion deletes (the default of old)', { spec: { deletionPolicy: 'Delete' } }, ['deletion-deletes']],
    [
      'stateful, namespaced: by managementPolicies',
      { apiVersion: 's3.aws.m.upbound.io/v1beta1', metadata: { namespace: 'apps' } },
      ['deletion-deletes'],
    ],
    [
      'not stateful',
      { apiVersion: 'iam.aws.upbound.io/v1beta1', kind: 'Role', spec: { deletionPolicy: 'Delete' } },
      [],
    ],
    [
      'a parameter group of rds holds no data',
      { apiVersion: 'rds.aws.upbound.io/v1beta1', kind: 'ParameterGroup' },
      [],
    ],
    ['Orphan', { spec: { deletionPolicy: 'Orphan' } }, ['deletion-orphans']],
    ['Observe-only', { spec: { managementPolicies: ['Observe'], deletionPolicy: 'Delete' } }, ['observe-only']],
    [
      'without Delete',
      { spec: { managementPolicies: ['Observe', 'Create', 'Update', 'LateInitialize'] } },
      ['deletion-orphans'],
    ],
    [
      'without LateInitialize and Update',
      { spec: { managementPolicies: ['Observe', 'Create', 'Delete'] } },
      ['management-restricted', 'deletion-deletes'],
    ],
    ['paused by policies', { spec: { managementPolicies: [] } }, ['suspended']],
  ])('%s', (_case, parts, kinds) => {
    expect(managed(parts).exemptions.map((one) => one.kind)).toEqual(kinds);
  });
});

describe('generations', () => {
  it("are the condition's own first: a spec edited under a dead provider is not looked at", () => {
    expect(managed({ metadata: { generation: 3 }, status: { conditions: [synced, ready] } })).toMatchObject({
      generation: 3,
      observedGeneration: 2,
    });
  });

  it('runtime before 1.20 tells none', () => {
    const conditions = [
      { type: 'Synced', status: 'True', reason: 'ReconcileSuccess' },
      { type: 'Ready', status: 'True', reason: 'Available' },
    ];
    expect(managed({ status: { conditions } }).observedGeneration).toBeNull();
    expect(managed({ status: { conditions, observedGeneration: 2 } }).observedGeneration).toBe(2);
  });
});

describe('relations', () => {
  it('the ProviderConfig of a family lies in the group without the service', () => {
    const spec = { providerConfigRef: { name: 'default' } };
    expect(managed({ spec }).providerConfig).toMatchObject({
      group: 'aws.upbound.io',
      kind: 'ProviderConfig',
      namespace: '',
      name: 'default',
    });
    const namespaced = managed({ apiVersion: 's3.aws.m.upbound.io/v1beta1', metadata: { namespace: 'apps' }, spec });
    expect(namespaced.providerConfig).toMatchObject({
      group: 'aws.m.upbound.io',
      kind: 'ClusterProviderConfig',
      namespace: '',
    });
    expect(
      managed({ apiVersion: 'nop.crossplane.io/v1alpha1', kind: 'NopResource', spec }).providerConfig,
    ).toMatchObject({ group: 'nop.crossplane.io' });
  });

  it('a managed resource belongs to the composite that controls it', () => {
    const ownerReferences = [
      { apiVersion: 'v1', kind: 'ConfigMap', name: 'no' },
      { apiVersion: 'acme.org/v1', kind: 'XBucket', name: 'x', controller: true },
    ];
    expect(managed({ metadata: { ownerReferences } }).parent).toMatchObject({
      group: 'acme.org',
      kind: 'XBucket',
      namespace: '',
      name: 'x',
    });
  });

  it('a composite of v1 and its claim', () => {
    const spec = {
      claimRef: { apiVersion: 'acme.org/v1', kind: 'Bucket', namespace: 'apps', name: 'media' },
      resourceRefs: [
        { apiVersion: 's3.aws.upbound.io/v1beta2', kind: 'Bucket', name: 'media-x1' },
        { apiVersion: 'v1', kind: 'Secret' },
      ],
    };
    const observation = composite({ spec });
    expect(observation.parent).toMatchObject({ kind: 'Bucket', namespace: 'apps', name: 'media' });
    expect(observation.children).toEqual([
      { cluster: 'test', group: 's3.aws.upbound.io', kind: 'Bucket', namespace: '', name: 'media-x1' },
    ]);
  });

  it('a namespaced composite of v2 leaves out the namespace of what it composes', () => {
    const spec = {
      crossplane: { resourceRefs: [{ apiVersion: 's3.aws.m.upbound.io/v1beta1', kind: 'Bucket', name: 'a' }] },
      resourceRefs: [{ kind: 'No', name: 'no' }],
    };
    expect(composite({ metadata: { namespace: 'apps' }, spec }).children).toEqual([
      { cluster: 'test', group: 's3.aws.m.upbound.io', kind: 'Bucket', namespace: 'apps', name: 'a' },
    ]);
  });

  it('a claim names its composite, and waits for it', () => {
    const claim = observed(
      {
        apiVersion: 'acme.org/v1',
        kind: 'Bucket',
        metadata: { name: 'media', namespace: 'apps' },
        spec: { resourceRef: { apiVersion: 'acme.org/v1', kind: 'XBucket', name: 'media-x1' } },
        status: {
          conditions: [
            synced,
            condition('Ready', 'False', 'Waiting', 'Claim is waiting for composite resource to become Ready'),
          ],
        },
      },
      ['claim'],
    );
    expect(claim).toMatchObject({ role: 'claim', children: [{ kind: 'XBucket', namespace: '', name: 'media-x1' }] });
    expect(textOf(claim)).toBe('busy');
  });
});

describe('words of a composite', () => {
  it.each<readonly [string, object[], string]>([
    [
      'no Composition',
      [
        failedSync('cannot select Composition: no compatible Compositions found'),
        condition('Responsive', 'True', 'WatchCircuitClosed'),
      ],
      'bad apply',
    ],
    ['unsynced resources could not be applied', [failedSync('Unsynced resources: a, b, and 2 more')], 'bad apply'],
    ['unready resources', [synced, condition('Ready', 'False', 'Creating', 'Unready resources: a')], 'busy'],
    ['its watches are cut off', [synced, ready, condition('Responsive', 'False', 'WatchCircuitOpen')], 'bad observe'],
    ['well', [synced, ready, condition('Responsive', 'True', 'WatchCircuitClosed')], 'good'],
  ])('%s', (_case, conditions, words) => {
    expect(textOf(composite({ status: { conditions } }))).toBe(words);
  });
});

describe('packages and definitions', () => {
  const pkg = (kind: string, conditions: object[], spec: object = {}, status: object = {}): Observation =>
    observed({
      apiVersion: 'pkg.crossplane.io/v1',
      kind,
      metadata: { name: 'p' },
      spec,
      status: { conditions, ...status },
    });

  it.each<readonly [string, string, object[], object, string]>([
    [
      'installed and healthy',
      'Provider',
      [condition('Installed', 'True', 'ActivePackageRevision'), condition('Healthy', 'True', 'HealthyPackageRevision')],
      {},
      'good',
    ],
    ['unpacking', 'Provider', [condition('Installed', 'False', 'UnpackingPackage')], {}, 'busy'],
    ['just being installed', 'Provider', [condition('Installed', 'False', 'InactivePackageRevision')], {}, 'busy'],
    [
      'a new revision that waits for its activation',
      'Provider',
      [
        condition('Installed', 'False', 'InactivePackageRevision'),
        condition('Healthy', 'True', 'HealthyPackageRevision'),
      ],
      { revisionActivationPolicy: 'Manual' },
      'bad approval',
    ],
    // argo-cd resource_customizations/pkg.crossplane.io/Configuration/testdata/degraded_installed.yaml
    [
      'a configuration whose health is not known yet',
      'Configuration',
      [
        condition('Healthy', 'Unknown', 'UnknownPackageRevisionHealth'),
        condition('Installed', 'True', 'ActivePackageRevision'),
      ],
      {},
      'busy',
    ],
    // argo-cd resource_customizations/pkg.crossplane.io/ProviderRevision/testdata/degraded_healthUnknown.yaml
    [
      'an active revision whose dependencies cannot be resolved',
      'ProviderRevision',
      [condition('Healthy', 'Unknown', 'UnknownPackageRevisionHealth')],
      { desiredState: 'Active' },
      'busy',
    ],
    [
      'a function in order',
      'Function',
      [condition('Installed', 'True', 'ActivePackageRevision'), condition('Healthy', 'True', 'HealthyPackageRevision')],
      {},
      'good',
    ],
    [
      'a function revision whose runtime is down',
      'FunctionRevision',
      [condition('RevisionHealthy', 'True', 'X'), condition('RuntimeHealthy', 'False', 'UnhealthyPackageRevision')],
      { desiredState: 'Active' },
      'bad health',
    ],
    [
      'the runtime is kept at zero until somebody needs it',
      'ProviderRevision',
      [condition('RevisionHealthy', 'True', 'X'), condition('RuntimeActive', 'False', 'AwaitingActivation')],
      { desiredState: 'Active' },
      'good',
    ],
    [
      'unhealthy',
      'Provider',
      [
        condition('Installed', 'True', 'ActivePackageRevision'),
        condition('Healthy', 'False', 'UnhealthyPackageRevision'),
      ],
      {},
      'bad health',
    ],
    ['health not known', 'Provider', [condition('Healthy', 'Unknown', 'UnknownPackageRevisionHealth')], {}, 'busy'],
    [
      'a revision whose runtime is down',
      'ProviderRevision',
      [condition('RevisionHealthy', 'True', 'X'), condition('RuntimeHealthy', 'False', 'Down')],
      {},
      'bad health',
    ],
    [
      'scaled to zero on purpose',
      'ProviderRevision',
      [condition('RevisionHealthy', 'True', 'X'), condition('RuntimeHealthy', 'False', 'AwaitingActivation')],
      {},
      'good',
    ],
    [
      'an inactive revision is kept for a roll back',
      'ProviderRevision',
      [condition('Healthy', 'False', 'X')],
      { desiredState: 'Inactive' },
      'static',
    ],
  ])('%s', (_case, kind, conditions, spec, words) => {
    expect(textOf(pkg(kind, conditions, spec))).toBe(words);
  });

  it.each(['Provider', 'Configuration', 'Function'])(
    'a %s whose package cannot be pulled is no longer at it',
    (kind) => {
      const unpacking = condition('Installed', 'False', 'UnpackingPackage');
      const saying = (message: string): object => ({ ...unpacking, message });
      // crossplane v2 internal/controller/pkg/manager/reconciler.go: Unpacking and Unhealthy, with the error.
      const unhealthy = condition('Healthy', 'False', 'UnhealthyPackageRevision');
      expect(textOf(pkg(kind, [unpacking, unhealthy]))).toBe('bad apply');
      // v1: Unpacking alone, with the error as its message.
      expect(textOf(pkg(kind, [saying('cannot unpack package: 404')]))).toBe('bad apply');
      expect(textOf(pkg(kind, [saying('Waiting for unpack to complete')]))).toBe('busy');
    },
  );

  it('an inactive revision runs nothing, though it keeps the names of what it brought', () => {
    const objectRefs = [{ kind: 'CustomResourceDefinition', name: 'instances.rds.aws.upbound.io' }];
    expect(pkg('ProviderRevision', [], { desiredState: 'Inactive' }, { objectRefs }).provides).toEqual([]);
  });

  it('a condition that is written no more does not hold its generation back', () => {
    const former = { ...condition('Healthy', 'True', 'HealthyPackageRevision'), observedGeneration: 1 };
    const present = { ...condition('RevisionHealthy', 'True', 'HealthyPackageRevision'), observedGeneration: 3 };
    expect(pkg('ProviderRevision', [former, present]).observedGeneration).toBe(3);
  });

  it('a revision names the kinds that it runs', () => {
    const objectRefs = [
      { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name: 'buckets.s3.aws.upbound.io' },
      {
        apiVersion: 'apiextensions.crossplane.io/v1alpha1',
        kind: 'ManagedResourceDefinition',
        name: 'buckets.s3.aws.m.upbound.io',
      },
      { apiVersion: 'v1', kind: 'ServiceAccount', name: 'x' },
    ];
    expect(pkg('ProviderRevision', [], {}, { objectRefs }).provides).toEqual([
      'buckets.s3.aws.upbound.io',
      'buckets.s3.aws.m.upbound.io',
    ]);
  });

  it('a package by tag floats', () => {
    expect(pkg('Provider', [], { package: 'xpkg.crossplane.io/x:v1' }).exemptions.map((one) => one.kind)).toEqual([
      'floating-reference',
    ]);
    expect(pkg('Provider', [], { package: 'xpkg.crossplane.io/x@sha256:aa' }).exemptions).toEqual([]);
  });

  it.each<readonly [string, object[], string]>([
    ['established and offered', [condition('Established', 'True', 'X'), condition('Offered', 'True', 'X')], 'good'],
    ['offered not', [condition('Established', 'True', 'X'), condition('Offered', 'False', 'X')], 'bad apply'],
    ['terminating', [condition('Established', 'False', 'TerminatingCompositeResource')], 'busy'],
    ['nothing yet', [], 'nothing'],
  ])('a definition: %s', (_case, conditions, words) => {
    const xrd = {
      apiVersion: 'apiextensions.crossplane.io/v2',
      kind: 'CompositeResourceDefinition',
      metadata: { name: 'x' },
      status: { conditions },
    };
    expect(textOf(observed(xrd))).toBe(words);
  });
});

describe('which kinds are read', () => {
  it.each([
    ['pkg.crossplane.io', 'ProviderRevision', ['crossplane', 'pkgrev'], 'crossplane'],
    ['pkg.crossplane.io', 'Lock', [], null],
    ['apiextensions.crossplane.io', 'CompositeResourceDefinition', ['crossplane'], 'crossplane'],
    ['apiextensions.crossplane.io', 'Composition', ['crossplane'], null],
    ['apiextensions.crossplane.io', 'ManagedResourceDefinition', ['crossplane'], null],
    ['aws.upbound.io', 'ProviderConfig', ['crossplane', 'provider', 'aws'], null],
    ['s3.aws.upbound.io', 'Bucket', ['crossplane', 'managed', 'aws'], 'crossplane'],
    ['acme.org', 'XBucket', ['composite'], 'crossplane'],
    ['acme.org', 'Bucket', ['claim'], 'crossplane'],
    ['kustomize.toolkit.fluxcd.io', 'Kustomization', ['all', 'fluxcd', 'fluxcd-appliers'], 'flux'],
    ['source.toolkit.fluxcd.io', 'HelmChart', [], 'flux'],
    ['helm.toolkit.fluxcd.io', 'HelmRelease', [], 'helm'],
    ['notification.toolkit.fluxcd.io', 'Alert', [], null],
    ['infra.contrib.fluxcd.io', 'Terraform', [], 'terraform'],
    ['argoproj.io', 'Application', [], 'argocd'],
    ['argoproj.io', 'ApplicationSet', [], null],
    ['apps', 'Deployment', ['all'], null],
  ])('%s %s', (group, kind, categories, reconciler) => {
    expect(adapterFor({ group, kind, categories })?.reconciler ?? null).toBe(reconciler);
  });
});
