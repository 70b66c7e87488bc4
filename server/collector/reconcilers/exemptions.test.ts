// Every weakening that docs/exemptions.md names, object by object.
import { describe, expect, it } from 'vitest';
import { exemptionKinds } from '#lib/domain/exemption/exemption.ts';
import type { Observation } from '#lib/domain/observation/observation.ts';
import { isForeignObject } from '#lib/foreign.ts';
import { recordedObject } from '#test/fixtures/recorded.ts';
import { observed } from './testing.ts';

/** Specs that nothing weakens but what their kind is. */
const strong = {
  Kustomization: { interval: '10m', timeout: '3m', prune: true, wait: true, path: './app' },
  HelmRelease: {
    interval: '10m',
    driftDetection: { mode: 'enabled' },
    chart: { spec: { chart: 'web', version: '1.2.3', sourceRef: { kind: 'HelmRepository', name: 'r' } } },
  },
  GitRepository: { interval: '1m', url: 'https://git.example.org/r.git', ref: { commit: 'a'.repeat(40) } },
  OCIRepository: { interval: '1m', url: 'oci://r.example.org/x', ref: { digest: 'sha256:aa' } },
  Bucket: { interval: '1m', endpoint: 's3.example.org', bucketName: 'b' },
  HelmRepository: { interval: '1m', url: 'https://charts.example.org' },
  HelmChart: { interval: '1m', chart: 'web', version: '1.2.3', sourceRef: { kind: 'HelmRepository', name: 'r' } },
  Terraform: { interval: '10m', approvePlan: 'auto', path: './tf' },
  Stack: {
    projectRepo: 'https://git.example.org/s.git',
    commit: 'a'.repeat(40),
    refresh: true,
    continueResyncOnCommitMatch: true,
  },
  Application: {
    source: { repoURL: 'https://git.example.org/r.git', targetRevision: 'a'.repeat(40) },
    destination: { server: 'https://kubernetes.default.svc', namespace: 'web' },
    syncPolicy: { automated: { prune: true, selfHeal: true } },
  },
} as const;

type Kind = keyof typeof strong;

const apiVersions: { readonly [kind in Kind]?: string } = {
  Kustomization: 'kustomize.toolkit.fluxcd.io/v1',
  HelmRelease: 'helm.toolkit.fluxcd.io/v2',
  Terraform: 'infra.contrib.fluxcd.io/v1alpha2',
  Stack: 'pulumi.com/v1',
  Application: 'argoproj.io/v1alpha1',
};

function made(
  kind: Kind,
  spec: object = {},
  rest: { readonly metadata?: object; readonly status?: object } = {},
): Observation {
  return observed({
    apiVersion: apiVersions[kind] ?? 'source.toolkit.fluxcd.io/v1',
    kind,
    metadata: { name: 'x', namespace: 'flux-system', ...rest.metadata },
    spec: { ...strong[kind], ...spec },
    status: rest.status ?? {},
  });
}

/** "kind field" of each exemption. */
function textOf(observation: Observation): string[] {
  return observation.exemptions.map((one) => `${one.kind} ${one.field}`);
}

const byItself: { readonly [kind in Kind]?: readonly string[] } = {
  HelmRelease: ['rendered-on-cluster spec.chart'],
  Bucket: ['floating-reference spec.bucketName'],
};

function chart(part: object): object {
  return { chart: { spec: { ...strong.HelmRelease.chart.spec, ...part } } };
}

const table: readonly (readonly [kind: Kind, spec: object, ...expected: string[]])[] = [
  ['Kustomization', {}],
  ['Kustomization', { suspend: true }, 'suspended spec.suspend'],
  ['Kustomization', { prune: false }, 'prune-disabled spec.prune'],
  ['Kustomization', { prune: undefined }, 'prune-disabled spec.prune'],
  ['Kustomization', { deletionPolicy: 'Orphan' }, 'deletion-orphans spec.deletionPolicy'],
  ['Kustomization', { deletionPolicy: 'WaitForTermination' }],
  ['Kustomization', { force: true }, 'recreates spec.force'],
  [
    'Kustomization',
    { ignore: [{ paths: ['/spec/replicas'] }, { paths: ['/x'], target: { kind: 'Deployment' } }] },
    'drift-ignored spec.ignore[0]',
    'drift-ignored spec.ignore[1]',
  ],
  [
    'Kustomization',
    { postBuild: { substituteFrom: [{ kind: 'ConfigMap', name: 'in' }] } },
    'external-substitution spec.postBuild.substituteFrom',
  ],
  [
    'Kustomization',
    { postBuild: { substituteFrom: [{ kind: 'ConfigMap', name: 'in', optional: true }] } },
    'external-substitution spec.postBuild.substituteFrom',
    'optional-substitution spec.postBuild.substituteFrom',
  ],
  ['Kustomization', { postBuild: { substitute: { a: 'b' } } }, 'overridden spec.postBuild.substitute'],
  ['Kustomization', { postBuild: { substitute: {}, substituteStrategy: 'Always' } }],
  ['Kustomization', { decryption: { provider: 'sops' } }, 'rendered-on-cluster spec.decryption'],
  ['Kustomization', { patches: [{ patch: 'x' }] }, 'overridden spec.patches'],
  ['Kustomization', { images: [{ name: 'a', newTag: 'b' }] }, 'overridden spec.images'],
  ['Kustomization', { components: ['../x'] }, 'overridden spec.components'],
  ['Kustomization', { commonMetadata: { labels: { a: 'b' } } }, 'overridden spec.commonMetadata'],
  ['Kustomization', { targetNamespace: 'x', images: [] }, 'overridden spec.targetNamespace'],
  ['Kustomization', { targetNamespace: '' }],
  ['Kustomization', { interval: undefined }],
  ['Kustomization', { namePrefix: 'x-' }, 'overridden spec.namePrefix'],
  ['Kustomization', { nameSuffix: '-x' }, 'overridden spec.nameSuffix'],
  ['Kustomization', { ignoreMissingComponents: true }, 'missing-tolerated spec.ignoreMissingComponents'],
  ['Kustomization', { wait: false }, 'health-not-checked spec.wait'],
  ['Kustomization', { wait: false, healthChecks: [{ kind: 'Deployment', name: 'x' }] }],
  ['Kustomization', { timeout: '10m' }, 'timeout-exceeds-interval spec.timeout'],
  ['Kustomization', { interval: '24h' }, 'rare-passes spec.interval'],
  ['Kustomization', { interval: '1h' }],
  ['Kustomization', { kubeConfig: { secretRef: { name: 'k' } } }, 'remote-cluster spec.kubeConfig'],
  [
    'Kustomization',
    { dependsOn: [{ name: 'a' }, { name: 'b', readyExpr: 'true' }] },
    'readiness-redefined spec.dependsOn[1].readyExpr',
  ],
  [
    'Kustomization',
    { healthCheckExprs: [{ kind: 'X', current: 'true' }] },
    'readiness-redefined spec.healthCheckExprs',
  ],

  ['HelmRelease', {}],
  ['HelmRelease', { suspend: true }, 'suspended spec.suspend'],
  ['HelmRelease', { driftDetection: undefined }, 'drift-detection-disabled spec.driftDetection.mode'],
  ['HelmRelease', { driftDetection: { mode: 'warn' } }, 'drift-not-undone spec.driftDetection.mode'],
  [
    'HelmRelease',
    { driftDetection: { mode: 'enabled', ignore: [{ paths: ['/spec/replicas'] }] } },
    'drift-ignored spec.driftDetection.ignore[0]',
  ],
  ['HelmRelease', { interval: '12h' }, 'rare-passes spec.interval'],
  ['HelmRelease', chart({ version: '1.x' }), 'floating-reference spec.chart.spec.version'],
  ['HelmRelease', chart({ version: undefined }), 'floating-reference spec.chart.spec.version'],
  [
    'HelmRelease',
    chart({ sourceRef: { kind: 'GitRepository', name: 'g' } }),
    'apply-restricted spec.chart.spec.reconcileStrategy',
  ],
  ['HelmRelease', chart({ sourceRef: { kind: 'GitRepository', name: 'g' }, reconcileStrategy: 'Revision' })],
  [
    'HelmRelease',
    chart({ ignoreMissingValuesFiles: true }),
    'missing-tolerated spec.chart.spec.ignoreMissingValuesFiles',
  ],
  ['HelmRelease', { valuesFrom: [{ kind: 'Secret', name: 's' }] }, 'external-substitution spec.valuesFrom'],
  [
    'HelmRelease',
    { valuesFrom: [{ kind: 'Secret', name: 's', optional: true }] },
    'external-substitution spec.valuesFrom',
    'optional-substitution spec.valuesFrom',
  ],
  ['HelmRelease', { upgrade: { preserveValues: true } }, 'external-substitution spec.upgrade.preserveValues'],
  ['HelmRelease', { install: { remediation: { retries: -1 } } }, 'retries-forever spec.install.remediation.retries'],
  ['HelmRelease', { upgrade: { remediation: { retries: -1 } } }, 'retries-forever spec.upgrade.remediation.retries'],
  ['HelmRelease', { upgrade: { remediation: { retries: 3, remediateLastFailure: false } } }],
  ['HelmRelease', { upgrade: { strategy: { name: 'RetryOnFailure' } } }, 'retries-forever spec.upgrade.strategy'],
  ['HelmRelease', { upgrade: { strategy: { name: 'RemediateOnFailure' } } }],
  [
    'HelmRelease',
    { upgrade: { remediation: { strategy: 'uninstall' } } },
    'deletion-deletes spec.upgrade.remediation.strategy',
  ],
  ['HelmRelease', { install: { disableWait: true } }, 'health-not-checked spec.install.disableWait'],
  ['HelmRelease', { upgrade: { disableWait: true } }, 'health-not-checked spec.upgrade.disableWait'],
  ['HelmRelease', { install: { disableWaitForJobs: true } }, 'health-not-checked spec.install.disableWaitForJobs'],
  ['HelmRelease', { install: { disableHooks: true } }, 'apply-restricted spec.install.disableHooks'],
  ['HelmRelease', { healthCheckExprs: [{ kind: 'X' }] }, 'readiness-redefined spec.healthCheckExprs'],
  ['HelmRelease', { interval: '6h' }, 'rare-passes spec.interval'],
  ['HelmRelease', { interval: '5h59m59s' }],
  ['HelmRelease', { upgrade: { disableWaitForJobs: true } }, 'health-not-checked spec.upgrade.disableWaitForJobs'],
  ['HelmRelease', { test: { enable: true, ignoreFailures: true } }, 'health-not-checked spec.test.ignoreFailures'],
  ['HelmRelease', { upgrade: { disableHooks: true } }, 'apply-restricted spec.upgrade.disableHooks'],
  [
    'HelmRelease',
    { install: { crds: 'Skip' }, upgrade: { crds: 'CreateReplace' } },
    'apply-restricted spec.install.crds',
  ],
  ['HelmRelease', { upgrade: { force: true } }, 'recreates spec.upgrade.force'],
  ['HelmRelease', { kubeConfig: { secretRef: { name: 'k' } } }, 'remote-cluster spec.kubeConfig'],
  ['HelmRelease', { targetNamespace: 'x', storageNamespace: 'y' }, 'overridden spec.targetNamespace'],
  ['HelmRelease', { postRenderers: [{ kustomize: {} }] }, 'overridden spec.postRenderers'],
  ['HelmRelease', { commonMetadata: { labels: { a: 'b' } } }, 'overridden spec.commonMetadata'],
  ['HelmRelease', { uninstall: { keepHistory: true } }, 'deletion-orphans spec.uninstall.keepHistory'],
  [
    'HelmRelease',
    { uninstall: { deletionPropagation: 'orphan' } },
    'deletion-orphans spec.uninstall.deletionPropagation',
  ],

  ['GitRepository', {}],
  ['GitRepository', { suspend: true }, 'suspended spec.suspend'],
  ['GitRepository', { ref: undefined }, 'branch-reference spec.ref'],
  ['GitRepository', { ref: { branch: 'main' } }, 'branch-reference spec.ref.branch'],
  ['GitRepository', { ref: { name: 'refs/heads/main' } }, 'branch-reference spec.ref.name'],
  ['GitRepository', { ref: { name: 'refs/pull/1/head' } }, 'floating-reference spec.ref.name'],
  ['GitRepository', { ref: { tag: 'v1' } }, 'floating-reference spec.ref.tag'],
  ['GitRepository', { ref: { semver: '>=1' } }, 'floating-reference spec.ref.semver'],
  ['GitRepository', { ignore: '/*\n!/deploy' }, 'files-left-out spec.ignore'],
  ['GitRepository', { interval: '24h' }, 'rare-passes spec.interval'],
  ['OCIRepository', {}],
  ['OCIRepository', { ref: undefined }, 'floating-reference spec.ref'],
  ['OCIRepository', { ref: { tag: 'latest' } }, 'floating-reference spec.ref.tag'],
  ['OCIRepository', { ref: { semver: '1.x' } }, 'floating-reference spec.ref.semver'],
  ['Bucket', {}],
  ['HelmRepository', {}],
  ['HelmChart', {}],
  ['HelmChart', { version: '*' }, 'floating-reference spec.version'],
  ['HelmChart', { version: undefined }, 'floating-reference spec.version'],

  ['Terraform', {}],
  ['Terraform', { suspend: true }, 'suspended spec.suspend'],
  ['Terraform', { approvePlan: '' }, 'apply-restricted spec.approvePlan'],
  ['Terraform', { approvePlan: 'disable' }, 'apply-restricted spec.approvePlan'],
  ['Terraform', { planOnly: true }, 'apply-restricted spec.planOnly'],
  ['Terraform', { disableDriftDetection: true }, 'drift-detection-disabled spec.disableDriftDetection'],
  ['Terraform', { destroyResourcesOnDeletion: true }, 'deletion-deletes spec.destroyResourcesOnDeletion'],
  ['Terraform', { interval: '6h' }, 'rare-passes spec.interval'],
  ['Terraform', { varsFrom: [{ kind: 'Secret', name: 's' }] }, 'external-substitution spec.varsFrom'],

  ['Stack', {}],
  ['Stack', { refresh: false }, 'drift-detection-disabled spec.refresh'],
  ['Stack', { continueResyncOnCommitMatch: false }, 'drift-detection-disabled spec.continueResyncOnCommitMatch'],
  ['Stack', { resyncFrequencySeconds: 21_600 }, 'rare-passes spec.resyncFrequencySeconds'],
  ['Stack', { resyncFrequencySeconds: 21_599 }],
  ['Stack', { targets: ['urn:x'] }, 'apply-restricted spec.targets'],
  ['Stack', { destroyOnFinalize: true }, 'deletion-deletes spec.destroyOnFinalize'],
  ['Stack', { branch: 'main' }, 'branch-reference spec.branch'],
  ['Stack', { envRefs: { A: { type: 'Secret' } } }, 'external-substitution spec.envRefs'],
  ['Stack', { secretsRef: { A: { type: 'Secret' } } }, 'external-substitution spec.secretsRef'],
  ['Stack', { envs: ['a'] }, 'external-substitution spec.envs'],
  ['Stack', { envSecrets: ['a'] }, 'external-substitution spec.envSecrets'],

  ['Application', {}],
  [
    'Application',
    { syncPolicy: {} },
    'apply-restricted spec.syncPolicy.automated',
    'drift-not-undone spec.syncPolicy.automated',
  ],
  [
    'Application',
    { syncPolicy: { automated: { enabled: false, prune: true, selfHeal: true } } },
    'apply-restricted spec.syncPolicy.automated',
    'drift-not-undone spec.syncPolicy.automated',
  ],
  [
    'Application',
    { syncPolicy: { automated: {} } },
    'drift-not-undone spec.syncPolicy.automated.selfHeal',
    'prune-disabled spec.syncPolicy.automated.prune',
  ],
  [
    'Application',
    { syncPolicy: { automated: { prune: true, selfHeal: true }, syncOptions: ['Force=true', 'Prune=true'] } },
    'recreates spec.syncPolicy.syncOptions Force=true',
  ],
  ['Application', { ignoreDifferences: [{ kind: 'X' }] }, 'drift-ignored spec.ignoreDifferences[0]'],
  ['Application', { source: { targetRevision: 'main' } }, 'branch-reference spec.source.targetRevision'],
  [
    'Application',
    { source: { chart: 'web', targetRevision: '1.x' } },
    'rendered-on-cluster spec.source.chart',
    'floating-reference spec.source.targetRevision',
  ],
  ['Application', { source: { chart: 'web', targetRevision: '1.2.3' } }, 'rendered-on-cluster spec.source.chart'],
  [
    'Application',
    { source: undefined, sources: [{ targetRevision: 'a'.repeat(40) }, {}] },
    'branch-reference spec.sources[1].targetRevision',
  ],
  ['Application', { destination: { server: 'https://10.0.0.1' } }, 'remote-cluster spec.destination'],
];

describe('what weakens the guarantee', () => {
  it.each(table.map(([kind, spec, ...expected]) => [kind, spec, expected] as const))(
    '%s %j',
    (kind, spec, expected) => {
      expect(textOf(made(kind, spec)).toSorted()).toEqual([...(byItself[kind] ?? []), ...expected].toSorted());
    },
  );

  it('a release of a chart that is referred to is rendered on the cluster all the same', () => {
    const release = made('HelmRelease', { chart: undefined, chartRef: { kind: 'OCIRepository', name: 'c' } });
    expect(textOf(release)).toEqual(['rendered-on-cluster spec.chartRef']);
  });

  it('every meaning is a clause for people, and every kind is known to the list', () => {
    for (const [kind, spec] of table)
      for (const { kind: found, meaning } of made(kind, spec).exemptions) {
        expect(meaning).toMatch(/^\S.*[^.]$/);
        expect(exemptionKinds).toContain(found);
      }
  });

  it('the words of a HelmRelease are these', () => {
    const words = table
      .filter(([kind]) => kind === 'HelmRelease')
      .flatMap(([kind, spec]) => made(kind, spec).exemptions.map(({ meaning }) => meaning));
    expect([...new Set(words)].join('\n')).toMatchInlineSnapshot(`
      "its chart is rendered by the cluster: what is asked there changes what runs
      changes in git do not arrive, drift is not undone
      changes made by hand are neither seen nor undone
      changes made by hand are reported, not undone
      drift in some fields is ignored on every object
      a change by hand may stand for up to 12 h
      version 1.x may name another chart tomorrow
      version * may name another chart tomorrow
      edits of the chart arrive only with a new chart version
      a file of values may be missing without a word
      inputs live in the cluster, not in git
      an input may be missing without a word
      values of the release before are kept, which git does not name
      a failing install is retried without end
      a failing upgrade is retried without end
      a failing upgrade takes the release away
      Ready means applied, not working
      jobs are not waited for
      the chart's hooks do not run
      an expression says what is healthy
      a change by hand may stand for up to 6 h
      failing tests are ignored
      the chart's CRDs are left out
      what cannot be changed is deleted and made anew
      its objects live on another cluster
      changes what the chart says
      the release's records stay when it is deleted
      what its objects made stays"
    `);
  });
});

/** managedFields in which each field of a spec has a manager of its own, called after it. */
function managers(spec: object, path: readonly string[] = ['spec']): object[] {
  return Object.entries(spec).flatMap(([name, value]: [string, unknown]) => {
    const inner = [...path, name];
    const fieldsV1 = inner.toReversed().reduce<object>((within, key) => ({ [`f:${key}`]: within }), {});
    const own = { manager: inner.join('.'), operation: 'Update', time: '2026-11-21T08:00:00Z', fieldsV1 };
    return [own, ...(isForeignObject(value) ? managers(value, inner) : [])];
  });
}

// A change that is meant is written with `vitest run -u` and read in the diff.
it('each weakening has its words, its field and who set that', async () => {
  const lines = table.flatMap(([kind, spec]) => {
    const metadata = { managedFields: managers({ ...strong[kind], ...spec }) };
    const { exemptions } = made(kind, spec, { metadata });
    return [
      `${kind} ${JSON.stringify(spec)}`,
      ...exemptions.map(({ kind: what, field, meaning, by }) => `  ${what}: ${meaning} (${field}, set by ${by})`),
    ];
  });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../../../test/fixtures/kept/readings/exemptions.txt');
});

describe('how far it reaches', () => {
  const inventory = { entries: [{ id: 'a_x__ConfigMap' }, { id: 'a_y__ConfigMap' }, { id: 'a_z__ConfigMap' }] };

  it.each<readonly [Kind, object, object, number | null]>([
    ['HelmRelease', {}, { inventory }, 3],
    ['Kustomization', { prune: false }, { inventory }, 3],
    ['Kustomization', { suspend: true }, { inventory }, 3],
    ['Kustomization', { kubeConfig: { secretRef: { name: 'k' } } }, { inventory }, 3],
    ['Kustomization', { prune: false }, {}, null],
    ['Terraform', { suspend: true }, { inventory }, 3],
    ['GitRepository', { ref: { branch: 'main' } }, {}, null],
    ['Application', { syncPolicy: {} }, { resources: [{ kind: 'Namespace', name: 'web' }] }, 1],
  ])('%s %j', (kind, spec, status, reach) => {
    expect(made(kind, spec, { status }).exemptions[0]?.reach).toBe(reach);
  });

  it('what is set on the live object itself covers that object', () => {
    const metadata = { annotations: { 'kustomize.toolkit.fluxcd.io/reconcile': 'disabled' } };
    expect(made('Kustomization', {}, { metadata, status: { inventory } }).exemptions).toMatchObject([
      { kind: 'reconcile-disabled', reach: null },
    ]);
  });
});

describe('an opt-out on the object itself', () => {
  it.each([
    ['kustomize.toolkit.fluxcd.io/reconcile', 'disabled', 'reconcile-disabled', 'Flux leaves this object as it is'],
    ['kustomize.toolkit.fluxcd.io/ssa', 'Ignore', 'reconcile-disabled', 'Flux leaves this object as it is'],
    [
      'kustomize.toolkit.fluxcd.io/ssa',
      'IfNotPresent',
      'reconcile-disabled',
      'Flux made it once and leaves it as it is',
    ],
    ['kustomize.toolkit.fluxcd.io/ssa', 'Merge', 'apply-restricted', 'fields that others add are kept'],
    ['kustomize.toolkit.fluxcd.io/prune', 'disabled', 'prune-disabled', 'it stays when it is removed from git'],
    [
      'kustomize.toolkit.fluxcd.io/force',
      'enabled',
      'recreates',
      'it is deleted and made anew where it cannot be changed',
    ],
    [
      'helm.toolkit.fluxcd.io/driftDetection',
      'disabled',
      'drift-detection-disabled',
      'Helm drift detection leaves this object out',
    ],
  ])('%s: %s is %s', (key, value, kind, meaning) => {
    for (const field of ['annotations', 'labels'])
      expect(made('Kustomization', {}, { metadata: { [field]: { [key]: value } } }).exemptions).toEqual([
        { kind, field: `metadata.${field}[${key}]`, meaning, by: null, at: null, reach: null },
      ]);
    expect(made('Kustomization', {}, { metadata: { annotations: { [key]: 'x' } } }).exemptions).toEqual([]);
  });
});

describe('who set it', () => {
  const managedFields = [
    {
      manager: 'kustomize-controller',
      operation: 'Apply',
      time: '2026-11-21T08:00:00Z',
      fieldsV1: { 'f:spec': { 'f:interval': {}, 'f:prune': {}, 'f:chart': {}, 'f:ignore': {} } },
    },
    {
      manager: 'kubectl-edit',
      operation: 'Update',
      time: '2026-11-21T09:00:00Z',
      fieldsV1: { 'f:spec': { 'f:prune': {}, 'f:suspend': {} } },
    },
  ];

  it('is the last manager of the field, and nobody where it is a default', () => {
    const spec = { prune: false, suspend: true, wait: undefined, ignore: [{ paths: ['/x'] }] };
    const { exemptions } = made('Kustomization', spec, { metadata: { managedFields } });
    expect(exemptions.map(({ kind, by }) => [kind, by])).toEqual([
      ['suspended', 'kubectl-edit'],
      ['drift-ignored', 'kustomize-controller'],
      ['prune-disabled', 'kubectl-edit'],
      ['health-not-checked', null],
    ]);
    expect(exemptions[0]?.at).toBe(Date.parse('2026-11-21T09:00:00Z'));
  });

  it.each<
    readonly [string, readonly string[], readonly (readonly [string, string | null, string | null, number | null])[]]
  >([
    [
      'kustomization/readyt-reconciliationsucceeded-suspended',
      [],
      [
        ['suspended', 'kubectl-patch', '2026-11-21T07:34:08.000Z', 1],
        ['health-not-checked', 'kubectl-client-side-apply', '2026-11-21T07:31:54.000Z', 1],
      ],
    ],
    [
      'helmrelease/driftedt-driftdetected-readyt-installsucceeded-suspended',
      [],
      [
        ['suspended', 'kubectl-patch', '2026-11-21T07:42:44.000Z', 1],
        ['drift-not-undone', 'kubectl-client-side-apply', '2026-11-21T07:39:43.000Z', 1],
        ['rendered-on-cluster', 'kubectl-client-side-apply', '2026-11-21T07:39:43.000Z', 1],
      ],
    ],
    [
      'helmrelease/readyt-installsucceeded',
      [],
      [
        ['drift-detection-disabled', null, null, 1],
        ['rendered-on-cluster', 'kubectl-client-side-apply', '2026-11-21T07:39:43.000Z', 1],
      ],
    ],
    [
      'gitrepository/readyt-succeeded',
      [],
      [['branch-reference', 'kubectl-client-side-apply', '2026-11-21T07:31:54.000Z', null]],
    ],
    [
      'clusternopresource/readyt--syncedf-reconcilepaused',
      ['managed'],
      [['suspended', 'kubectl-annotate', '2026-11-21T07:42:44.000Z', null]],
    ],
    [
      'clusternopresource/syncedf-reconcileerror',
      ['managed'],
      [['observe-only', 'kubectl-client-side-apply', '2026-11-21T07:35:23.000Z', null]],
    ],
    ['clusternopresource/readyt--syncedt-reconcilesuccess', ['managed'], []],
  ])('recorded: %s', (file, categories, expected) => {
    const { exemptions } = observed(recordedObject(file).object, categories);
    expect(
      exemptions.map(({ kind, by, at, reach }) => [kind, by, at === null ? null : new Date(at).toISOString(), reach]),
    ).toEqual(expected);
  });
});
