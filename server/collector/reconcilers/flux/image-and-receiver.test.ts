// Shapes: image-reflector-controller and image-automation-controller api/v1, notification-controller api/v1, flux-operator api/v1.
import { describe, expect, it } from 'vitest';
import { hour } from '#lib/domain/time/length.ts';
import { observed } from '../testing.ts';

const at = '2026-11-21T02:00:00Z';

function ready(status: string, reason: string, message = reason): object {
  return { type: 'Ready', status, reason, message, lastTransitionTime: at, observedGeneration: 2 };
}

function object(apiVersion: string, kind: string, part: { spec?: object; status?: object; annotations?: object } = {}) {
  const { annotations = {}, spec = {}, status = {} } = part;
  const metadata = { name: 'x', namespace: 'apps', uid: 'u', resourceVersion: '5', generation: 2, annotations };
  return observed({ apiVersion, kind, metadata: { ...metadata, creationTimestamp: at }, spec, status });
}

const image = 'image.toolkit.fluxcd.io/v1';
const notification = 'notification.toolkit.fluxcd.io/v1';
const operator = 'fluxcd.controlplane.io/v1';

describe('helpers of Flux', () => {
  it.each([
    [image, 'ImageRepository', 'image-reflector-controller'],
    [image, 'ImagePolicy', 'image-reflector-controller'],
    [image, 'ImageUpdateAutomation', 'image-automation-controller'],
    [notification, 'Receiver', 'notification-controller'],
    [operator, 'ResourceSetInputProvider', 'flux-operator'],
  ])('%s %s says good by Ready, and lives by the lease of %s', (apiVersion, kind, controller) => {
    expect(object(apiVersion, kind, { status: { conditions: [ready('True', 'Succeeded')] } })).toMatchObject({
      role: 'helper',
      reconciler: 'flux',
      controller,
      observedGeneration: 2,
      summary: { said: 'good', reason: 'Succeeded' },
      passes: { seenBy: 'none' },
      drift: { drift: 'not-measured' },
    });
  });

  it.each([
    ['ImageRepository', 'AuthenticationFailed', 'fetch'],
    ['ImagePolicy', 'DependencyNotReady', 'dependency'],
    ['ImageUpdateAutomation', 'GitOperationFailed', 'apply'],
    ['ImageUpdateAutomation', 'AccessDenied', 'apply'],
  ])('%s with %s is bad: %s', (kind, reason, fault) => {
    const { summary } = object(image, kind, { status: { conditions: [ready('False', reason)] } });
    expect(summary).toMatchObject({ said: 'bad', fault, reason, terminal: false });
  });

  it('is terminal where it is stalled, busy in a pass, and says nothing before its first', () => {
    const stalled = { ...ready('True', 'InvalidCELExpression'), type: 'Stalled' };
    const conditions = [ready('False', 'InvalidCELExpression'), stalled];
    expect(object(notification, 'Receiver', { status: { conditions } }).summary).toMatchObject({ terminal: true });
    const busy = object(image, 'ImageRepository', { status: { conditions: [ready('Unknown', 'Progressing')] } });
    expect([busy.summary.said, busy.reconciling]).toEqual(['busy', true]);
    expect(object(image, 'ImageRepository').summary).toEqual({ said: 'nothing' });
  });

  it('names what it works from, and who switched it off', () => {
    expect(object(image, 'ImagePolicy', { spec: { imageRepositoryRef: { name: 'app' } } }).dependsOn).toMatchObject([
      { kind: 'ImageRepository', namespace: 'apps', name: 'app' },
    ]);
    const elsewhere = { imageRepositoryRef: { name: 'app', namespace: 'images' } };
    expect(object(image, 'ImagePolicy', { spec: elsewhere }).dependsOn).toMatchObject([{ namespace: 'images' }]);
    const automation = object(image, 'ImageUpdateAutomation', {
      spec: { suspend: true, sourceRef: { kind: 'GitRepository', name: 'control' } },
    });
    expect(automation.source).toMatchObject({ kind: 'GitRepository', namespace: 'apps', name: 'control' });
    expect(automation.suspended?.field).toBe('spec.suspend');
    expect(automation.exemptions).toMatchObject([
      { kind: 'suspended', meaning: 'chosen images are not written to git' },
    ]);
  });

  it('keeps nothing of what it found', () => {
    const status = {
      conditions: [ready('True', 'Succeeded')],
      latestRef: { tag: 'canary-1' },
      exportedInputs: ['canary-2'],
    };
    for (const one of [
      object(image, 'ImagePolicy', { status }),
      object(operator, 'ResourceSetInputProvider', { status }),
    ])
      expect(JSON.stringify(one)).not.toContain('canary');
  });
});

describe('flux-operator', () => {
  const status = {
    conditions: [ready('True', 'ReconciliationSucceeded')],
    inventory: { entries: [{ id: 'apps_x_apps_Deployment', v: 'v1' }] },
    lastAppliedRevision: 'sha256:abc',
    lastAttemptedRevision: 'sha256:abd',
  };

  it.each(['FluxInstance', 'ResourceSet'])('%s applies, with a revision that is no commit', (kind) => {
    expect(object(operator, kind, { status })).toMatchObject({
      role: 'applier',
      controller: 'flux-operator',
      inventory: ['apps_x_apps_Deployment'],
      revisions: { applied: 'sha256:abc', attempted: 'sha256:abd', incomparable: true },
      cadence: { interval: hour, timeout: 300_000 },
      drift: { drift: 'not-measured' },
    });
  });

  it('takes its interval and its switch from annotations', () => {
    const annotations = {
      'fluxcd.controlplane.io/reconcileEvery': '10m',
      'fluxcd.controlplane.io/reconcileTimeout': '1m',
      'fluxcd.controlplane.io/reconcile': 'disabled',
    };
    const found = object(operator, 'ResourceSet', { annotations, status });
    expect(found).toMatchObject({ cadence: { interval: 600_000, timeout: 60_000 } });
    expect(found.suspended?.field).toBe('metadata.annotations[fluxcd.controlplane.io/reconcile]');
    const meaningOf = (kind: string) =>
      object(operator, kind, { annotations }).exemptions.map(({ meaning }) => meaning);
    expect(meaningOf('ResourceSet')).toEqual(['changes in git do not arrive, drift is not undone']);
    expect(meaningOf('ResourceSetInputProvider')).toEqual(['new inputs do not arrive']);
  });

  it.each([
    ['BuildFailed', 'apply'],
    ['HealthCheckFailed', 'health'],
    ['DependencyNotReady', 'dependency'],
  ])('%s is bad: %s', (reason, fault) => {
    const conditions = [ready('False', reason)];
    expect(object(operator, 'ResourceSet', { status: { conditions } }).summary).toMatchObject({ said: 'bad', fault });
  });
});
