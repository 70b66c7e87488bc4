import { describe, expect, it } from 'vitest';
import type { Observation } from '#lib/domain/observation/observation.ts';
import { observed } from '../testing.ts';

const revision = 'main@sha1:ab00a320eb789dbf2deff7bf3de6752bfc745ba4';
const former = 'main@sha1:fc16a6c2871d2f381c9617fc0104777921502bae';

interface Parts {
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: object;
}

function kustomization({ metadata, spec, status }: Parts = {}): Observation {
  return observed({
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: {
      name: 'x',
      namespace: 'flux-system',
      uid: 'u',
      resourceVersion: '1',
      generation: 2,
      creationTimestamp: '2026-11-21T07:00:00Z',
      ...metadata,
    },
    spec: {
      interval: '10m',
      path: './clusters/x',
      prune: true,
      wait: true,
      sourceRef: { kind: 'GitRepository', name: 'control' },
      ...spec,
    },
    status,
  });
}

function ready(status: string, reason: string, message = '', observedGeneration = 2): object {
  return { type: 'Ready', status, reason, message, observedGeneration, lastTransitionTime: '2026-11-21T08:05:00Z' };
}

function history(part: object = {}): object[] {
  const entry = {
    digest: 'sha256:aa',
    firstReconciled: '2026-11-21T07:00:00Z',
    lastReconciled: '2026-11-21T08:00:00Z',
  };
  return [
    {
      ...entry,
      lastReconciledStatus: 'ReconciliationSucceeded',
      totalReconciliations: 7,
      metadata: { revision },
      ...part,
    },
  ];
}

describe('components of a Kustomization', () => {
  it.each<readonly [string, object, readonly string[] | null]>([
    ['none', {}, []],
    ['null', { components: null }, []],
    ['some, as they are', { components: ['../tls', './a//b/'] }, ['../tls', './a//b/']],
    ['more than are kept', { components: Array.from({ length: 257 }, () => '../tls') }, null],
    ['too long together', { components: Array.from({ length: 5 }, (_, n) => `../${n}${'a'.repeat(1_000)}`) }, null],
    ['one that is too long', { components: ['../tls', 'x'.repeat(2_000)] }, null],
    ['one that is no text', { components: ['../tls', 7] }, null],
    ['no list', { components: '../tls' }, null],
  ])('%s', (_, spec, components) => {
    expect(kustomization({ spec }).builds).toEqual({ components, ignore: null, sparse: [] });
  });
});

describe('words of a Kustomization', () => {
  it.each([
    ['BuildFailed', 'apply'],
    ['ReconciliationFailed', 'apply'],
    ['PruneFailed', 'apply'],
    ['AccessDenied', 'apply'],
    ['InvalidCELExpression', 'apply'],
    ['FeatureGateDisabled', 'apply'],
    ['DirectoryCreationFailed', 'apply'],
    ['SomethingNewInFlux3', 'apply'],
    ['HealthCheckFailed', 'health'],
    ['DependencyNotReady', 'dependency'],
    ['ArtifactFailed', 'artifact'],
  ])('Ready=False %s is a failure of %s', (reason, fault) => {
    expect(kustomization({ status: { conditions: [ready('False', reason)] } }).summary).toMatchObject({
      said: 'bad',
      fault,
      reason,
      terminal: false,
    });
  });

  it('is terminal only where it is Stalled: a broken build never is', () => {
    const stalled = { type: 'Stalled', status: 'True', reason: 'AccessDenied' };
    expect(kustomization({ status: { conditions: [ready('False', 'AccessDenied'), stalled] } }).summary).toMatchObject({
      terminal: true,
    });
  });

  it('HealthCheckCanceled was superseded by a new pass: busy, with what the history tells of before', () => {
    const status = {
      conditions: [ready('False', 'HealthCheckCanceled')],
      history: history(),
      lastAppliedRevision: revision,
      lastAttemptedRevision: revision,
    };
    expect(kustomization({ status }).summary).toMatchObject({ said: 'busy', before: { said: 'good' } });
  });

  it('without a condition there is nothing said', () => {
    expect(kustomization().summary).toEqual({ said: 'nothing' });
    expect(kustomization({ status: { observedGeneration: -1 } })).toMatchObject({
      summary: { said: 'nothing' },
      observedGeneration: -1,
    });
  });

  it('a shape that is not known is shown as such, never guessed', () => {
    expect(kustomization({ status: { conditions: 'Ready' } }).summary).toEqual({
      said: 'unrecognised',
      why: 'status.conditions is no list',
    });
    expect(kustomization({ status: { conditions: [{ type: 'Ready', status: true }] } }).summary).toMatchObject({
      said: 'unrecognised',
    });
    expect(kustomization({ status: { conditions: [null] } }).summary).toMatchObject({ said: 'unrecognised' });
  });
});

describe('what was before a pass (trap 1: Ready=Unknown on each pass)', () => {
  const busy = (status: object, spec: object = {}): unknown => {
    const { summary } = kustomization({ spec, status: { conditions: [ready('Unknown', 'Progressing')], ...status } });
    return summary.said === 'busy' ? summary.before : summary;
  };
  const same = { lastAppliedRevision: revision, lastAttemptedRevision: revision };
  const succeeded = { said: 'good', reason: 'ReconciliationSucceeded', message: `Applied revision: ${revision}` };

  it.each([
    ['a tenth of the interval and 5 s after it', '2026-11-21T08:11:05Z', succeeded],
    ['a second later', '2026-11-21T08:11:06Z', null],
    ['never', null, null],
  ])('a success is told where the pass began %s: %j', (_case, lastTransitionTime, before) => {
    const conditions = [{ ...ready('Unknown', 'Progressing'), lastTransitionTime }];
    expect(busy({ ...same, conditions, history: history() })).toEqual(before);
  });

  it.each([
    ['no interval', { interval: undefined }, {}],
    ['no date in the history', {}, { lastReconciled: undefined }],
  ])('a success is not told with %s', (_case, spec, entry) => {
    expect(busy({ ...same, history: history(entry) }, spec)).toBeNull();
  });

  it.each([
    [
      'HealthCheckFailed',
      revision,
      { said: 'bad', fault: 'health', reason: 'HealthCheckFailed', message: '', terminal: false },
    ],
    ['HealthCheckFailed', former, null],
    ['HealthCheckCanceled', revision, null],
    ['', revision, null],
    [undefined, revision, null],
  ])('a history that says %j of what was tried last or not (%s) tells %j', (status, attempted, before) => {
    const entries = history({ lastReconciledStatus: status });
    expect(busy({ ...same, lastAttemptedRevision: attempted, history: entries })).toEqual(before);
  });

  it('a success is told where nothing can have failed since', () => {
    expect(busy({ ...same, history: history() })).toEqual({
      said: 'good',
      reason: 'ReconciliationSucceeded',
      message: `Applied revision: ${revision}`,
    });
  });

  it.each([
    ['another revision was tried since', { ...same, lastAttemptedRevision: 'main@sha1:other', history: history() }],
    ['health lags: applied is the former (trap 6)', { ...same, lastAppliedRevision: former, history: history() }],
    [
      'the last success is longer ago than an interval, so a pass between may have failed without a trace',
      { ...same, history: history({ lastReconciled: '2026-11-21T07:40:00Z' }) },
    ],
    ['there is no history (before Flux 2.7)', same],
  ])('nothing is told where %s', (_why, status) => {
    expect(busy(status)).toBeNull();
  });

  it('nothing is told of the former generation', () => {
    const conditions = [ready('Unknown', 'Progressing', '', 1)];
    expect(kustomization({ status: { ...same, history: history(), conditions } }).summary).toMatchObject({
      said: 'busy',
      before: null,
    });
  });

  it('a failure in the history is told', () => {
    const status = { lastAttemptedRevision: revision, history: history({ lastReconciledStatus: 'HealthCheckFailed' }) };
    expect(busy(status)).toMatchObject({ said: 'bad', fault: 'health', reason: 'HealthCheckFailed' });
  });
});

describe('passes', () => {
  it('are seen by the history where it has one', () => {
    const status = { conditions: [ready('True', 'ReconciliationSucceeded')], history: history() };
    expect(kustomization({ status }).passes).toEqual({
      seenBy: 'history',
      last: Date.parse('2026-11-21T08:00:00Z'),
      total: 7,
    });
  });

  it('that fail before the build leave the history alone: their end is the stamp of Ready', () => {
    const status = { conditions: [ready('False', 'BuildFailed')], history: history() };
    expect(kustomization({ status }).passes).toEqual({
      seenBy: 'writes',
      last: Date.parse('2026-11-21T08:05:00Z'),
      total: null,
    });
  });

  it('before Flux 2.7 are seen by writes', () => {
    expect(kustomization({ status: { conditions: [ready('True', 'ReconciliationSucceeded')] } }).passes.seenBy).toBe(
      'writes',
    );
  });
});

describe('traps by their number in docs/facts/flux.md', () => {
  it('3: suspended keeps its word beneath, is not reconciling, and its drift is not measured', () => {
    const status = {
      observedGeneration: 2,
      conditions: [ready('True', 'ReconciliationSucceeded', '', 1)],
      history: history(),
    };
    expect(kustomization({ spec: { suspend: true }, status })).toMatchObject({
      suspended: { field: 'spec.suspend', by: null, at: null },
      summary: { said: 'good' },
      reconciling: false,
      drift: { drift: 'not-measured' },
      observedGeneration: 1,
    });
  });

  it('12: an inventory on another cluster is not attributed to this one', () => {
    const status = { inventory: { entries: [{ id: 'apps_x__ConfigMap', v: 'v1' }] } };
    expect(kustomization({ status }).inventory).toEqual(['apps_x__ConfigMap']);
    const remote = kustomization({ spec: { kubeConfig: { secretRef: { name: 'far' } } }, status });
    expect(remote).toMatchObject({ inventory: ['apps_x__ConfigMap'], remote: true });
    expect(remote.exemptions.map((one) => one.kind)).toContain('remote-cluster');
  });

  it('12: a kubeConfig by ConfigMap is remote as well', () => {
    expect(kustomization({ spec: { kubeConfig: { configMapRef: { name: 'far' } } } }).remote).toBe(true);
  });

  it('14: a plain one is not weakened', () => {
    expect(kustomization().exemptions).toEqual([]);
    expect(
      kustomization({ spec: { wait: false, healthChecks: [{ kind: 'Deployment', name: 'x' }] } }).exemptions,
    ).toEqual([]);
  });

  it.each([
    ['annotations', 'kustomize.toolkit.fluxcd.io/reconcile', 'disabled', 'reconcile-disabled'],
    ['labels', 'kustomize.toolkit.fluxcd.io/reconcile', 'disabled', 'reconcile-disabled'],
    ['annotations', 'kustomize.toolkit.fluxcd.io/ssa', 'Ignore', 'reconcile-disabled'],
    ['annotations', 'kustomize.toolkit.fluxcd.io/ssa', 'IfNotPresent', 'reconcile-disabled'],
    ['annotations', 'kustomize.toolkit.fluxcd.io/ssa', 'Merge', 'apply-restricted'],
    ['annotations', 'kustomize.toolkit.fluxcd.io/prune', 'disabled', 'prune-disabled'],
    ['annotations', 'kustomize.toolkit.fluxcd.io/force', 'Enabled', 'recreates'],
    ['labels', 'helm.toolkit.fluxcd.io/driftDetection', 'disabled', 'drift-detection-disabled'],
  ])('14: the live object opts out by its %s %s: %s', (place, key, value, kind) => {
    const managedFields = [
      {
        manager: 'kubectl-annotate',
        operation: 'Update',
        time: '2026-11-21T09:00:00Z',
        fieldsV1: { 'f:metadata': { [`f:${place}`]: { [`f:${key}`]: {} } } },
      },
    ];
    expect(kustomization({ metadata: { [place]: { [key]: value }, managedFields } }).exemptions).toEqual([
      {
        kind,
        field: `metadata.${place}[${key}]`,
        meaning: expect.any(String),
        reach: null,
        by: 'kubectl-annotate',
        at: Date.parse('2026-11-21T09:00:00Z'),
      },
    ]);
  });

  it('14: the override of another value is none', () => {
    expect(
      kustomization({ metadata: { annotations: { 'kustomize.toolkit.fluxcd.io/ssa': 'Override' } } }).exemptions,
    ).toEqual([]);
  });

  it('16: a message of 32,768 characters is cut', () => {
    const { conditions, summary } = kustomization({
      status: { conditions: [ready('False', 'BuildFailed', 'long '.repeat(6553))] },
    });
    expect(conditions[0]?.message.length).toBe(1024);
    expect(summary).toMatchObject({ message: conditions[0]?.message });
  });

  it('20: a sharded object names its shard', () => {
    expect(kustomization({ metadata: { labels: { 'sharding.fluxcd.io/key': 'shard1' } } }).shard).toBe('shard1');
  });

  it('9: what delivers it is read from owner labels, and not itself', () => {
    const labels = (name: string): object => ({
      labels: { 'kustomize.toolkit.fluxcd.io/name': name, 'kustomize.toolkit.fluxcd.io/namespace': 'flux-system' },
    });
    expect(kustomization({ metadata: labels('flux-system') }).deliveredBy).toMatchObject({
      kind: 'Kustomization',
      namespace: 'flux-system',
      name: 'flux-system',
    });
    expect(kustomization({ metadata: labels('x') }).deliveredBy).toBeNull();
  });

  it('13: an ExternalArtifact is a source like others, in the group that apiVersion names', () => {
    const sourceRef = {
      apiVersion: 'source.toolkit.fluxcd.io/v1',
      kind: 'ExternalArtifact',
      name: 'made',
      namespace: 'apps',
    };
    expect(kustomization({ spec: { sourceRef } }).source).toMatchObject({
      group: 'source.toolkit.fluxcd.io',
      kind: 'ExternalArtifact',
      namespace: 'apps',
      name: 'made',
    });
  });

  it.each([
    ['./clusters/production/x/', 'clusters/production/x'],
    ['/clusters', 'clusters'],
    ['./', ''],
    ['.', ''],
    [undefined, ''],
  ])('path %j is %j', (path, clean) => {
    expect(kustomization({ spec: { path } }).path).toBe(clean);
  });

  it('the origin of an OCI artifact is kept (11)', () => {
    expect(kustomization({ status: { lastAppliedOriginRevision: revision } }).revisions.origin).toBe(revision);
  });

  it('dependsOn stays in its own namespace unless one is named', () => {
    const dependsOn = [{ name: 'a' }, { name: 'b', namespace: 'other' }];
    expect(
      kustomization({ spec: { dependsOn } }).dependsOn.map((ref) => `${ref.kind} ${ref.namespace}/${ref.name}`),
    ).toEqual(['Kustomization flux-system/a', 'Kustomization other/b']);
  });
});
