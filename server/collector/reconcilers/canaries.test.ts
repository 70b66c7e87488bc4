import { describe, expect, it } from 'vitest';
import type { ForeignObject } from '#lib/foreign.ts';
import { observe } from './registry.ts';
import { observed, watchedKind } from './testing.ts';

const canary = 'cAnArY-7d1f';
const message = `failed: password=${canary} at https://bot:${canary}@git.example.org/x with Bearer ${canary}`;
const metadata = {
  name: 'x',
  namespace: 'apps',
  generation: 1,
  annotations: {
    'kubectl.kubernetes.io/last-applied-configuration': `{"spec":{"values":{"password":"${canary}"}}}`,
    note: canary,
  },
  labels: { note: canary },
  managedFields: [{ manager: 'x', time: '2026-11-21T08:00:00Z', fieldsV1: { 'f:spec': { [`f:${canary}`]: {} } } }],
};
const conditions = [
  'Ready',
  'Synced',
  'Drifted',
  'FetchFailed',
  'Released',
  'Healthy',
  'Installed',
  'Established',
  'LastAsyncOperation',
].map((type) => ({
  type,
  status: type === 'FetchFailed' || type === 'Drifted' ? 'True' : 'False',
  reason: 'Failed',
  message,
  observedGeneration: 1,
}));
/** Everything in which a secret may stand; each kind reads its own part of it. */
const spec = {
  interval: '1m',
  url: `https://bot:${canary}@git.example.org/acme/control.git`,
  endpoint: `bot:${canary}@minio`,
  values: { password: canary },
  postBuild: { substitute: { key: canary }, substituteFrom: [{ kind: 'Secret', name: 's' }] },
  patches: [{ patch: canary }],
  commonMetadata: { labels: { x: canary } },
  forProvider: { password: canary, tags: [canary] },
  initProvider: { password: canary },
  writeConnectionSecretToRef: { name: canary },
  driftDetection: { mode: 'warn', ignore: [{ paths: [canary] }] },
  ignore: [{ paths: [canary] }],
  vars: [{ name: 'p', value: canary }],
  source: {
    repoURL: `https://bot:${canary}@git.example.org/x`,
    helm: { values: canary, parameters: [{ value: canary }] },
  },
  sourceRef: { kind: 'GitRepository', name: 'g' },
  providerConfigRef: { name: 'default' },
};
const status = {
  conditions,
  atProvider: { arn: canary },
  plan: { pending: '', lastApplied: canary },
  artifact: {
    revision: 'main@sha1:ab00a320eb789dbf2deff7bf3de6752bfc745ba4',
    url: `http://sc/${canary}`,
    metadata: { note: canary },
  },
  history: [{ digest: 'sha256:aa', lastReconciledStatus: 'X', chartVersion: '1.0.0', status: 'failed', note: canary }],
  operationState: { phase: 'Failed', message },
  health: { status: 'Degraded', message },
  sync: { status: 'OutOfSync', comparedTo: { source: { repoURL: canary } } },
};

describe('a secret that is planted anywhere', () => {
  it.each([
    ['kustomize.toolkit.fluxcd.io/v1', 'Kustomization', []],
    ['helm.toolkit.fluxcd.io/v2', 'HelmRelease', []],
    ['source.toolkit.fluxcd.io/v1', 'GitRepository', []],
    ['source.toolkit.fluxcd.io/v1', 'OCIRepository', []],
    ['source.toolkit.fluxcd.io/v1', 'HelmRepository', []],
    ['source.toolkit.fluxcd.io/v1', 'HelmChart', []],
    ['source.toolkit.fluxcd.io/v1', 'ExternalArtifact', []],
    ['source.extensions.fluxcd.io/v1beta1', 'ArtifactGenerator', []],
    ['rds.aws.upbound.io/v1beta1', 'Instance', ['managed']],
    ['acme.org/v1', 'XDatabase', ['composite']],
    ['acme.org/v1', 'Database', ['claim']],
    ['pkg.crossplane.io/v1', 'Provider', ['crossplane']],
    ['apiextensions.crossplane.io/v2', 'CompositeResourceDefinition', ['crossplane']],
    ['infra.contrib.fluxcd.io/v1alpha2', 'Terraform', []],
    ['argoproj.io/v1alpha1', 'Application', []],
  ])('never comes out of the observation of a %s %s', (apiVersion, kind, categories) => {
    const observation = observed({ apiVersion, kind, metadata, spec, status }, categories);
    expect(JSON.stringify(observation)).not.toContain(canary);
    expect(observation.summary.said).not.toBe('unrecognised');
  });
});

describe('foreign shapes', () => {
  const odd: readonly unknown[] = [null, 0, 'text', true, [], [[]], {}, { a: 1 }];
  const kinds = [
    ['kustomize.toolkit.fluxcd.io/v1', 'Kustomization', []],
    ['helm.toolkit.fluxcd.io/v2', 'HelmRelease', []],
    ['source.toolkit.fluxcd.io/v1', 'GitRepository', []],
    ['source.extensions.fluxcd.io/v1beta1', 'ArtifactGenerator', []],
    ['s3.aws.upbound.io/v1', 'Bucket', ['managed']],
    ['acme.org/v1', 'XBucket', ['composite']],
    ['acme.org/v1', 'Bucket', ['claim']],
    ['pkg.crossplane.io/v1', 'ProviderRevision', []],
    ['apiextensions.crossplane.io/v1', 'CompositeResourceDefinition', []],
    ['infra.contrib.fluxcd.io/v1alpha2', 'Terraform', []],
    ['argoproj.io/v1alpha1', 'Application', []],
  ] as const;

  it.each(kinds)('%s %s is read without a throw, whatever stands where', (apiVersion, kind, categories) => {
    const watched = watchedKind({ apiVersion, kind }, categories);
    const fields = Object.keys({
      ...spec,
      ...status,
      managedFields: 1,
      labels: 1,
      ownerReferences: 1,
      resourceRefs: 1,
      dependsOn: 1,
      chart: 1,
      ref: 1,
      sources: 1,
      inventory: 1,
      resources: 1,
      destination: 1,
      syncPolicy: 1,
      managementPolicies: 1,
    });
    for (const value of odd) {
      const everywhere = Object.fromEntries(fields.map((field) => [field, value]));
      const shapes: ForeignObject[] = [
        { metadata: value, spec: value, status: value },
        { metadata: everywhere, spec: everywhere, status: everywhere },
      ];
      for (const object of shapes) {
        const observation = observe(watched, object, { cluster: 'test', receivedAt: 0, before: null });
        expect(observation).not.toBeNull();
        const why = observation?.summary.said === 'unrecognised' ? observation.summary.why : '';
        expect(why).not.toContain('could not be read');
      }
    }
  });
});
