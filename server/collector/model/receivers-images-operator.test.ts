// Receiver, image automation and flux-operator as their controllers write them, and what is said of them then. Sources:
// notification-controller api 1.9.4 and internal/controller/receiver_controller.go; image-reflector-controller and
// image-automation-controller api 1.2.5 and internal/controller; fluxcd/pkg runtime 0.110.1 reconcile/result.go;
// flux-operator internal/controller.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { minute } from '#lib/domain/time/length.ts';
import type { ObservedLease, WatchedKind } from '../clusters/cluster-event.ts';
import { startBed, type Bed } from './testing/bed.ts';
import { rfc3339, type ObjectPart } from './testing/objects.ts';

function kindOf(group: string, kind: string, resource: string): WatchedKind {
  return { group, kind, version: 'v1', resource, namespaced: true, categories: [] };
}

const receiver = kindOf('notification.toolkit.fluxcd.io', 'Receiver', 'receivers');
const repository = kindOf('image.toolkit.fluxcd.io', 'ImageRepository', 'imagerepositories');
const policy = kindOf('image.toolkit.fluxcd.io', 'ImagePolicy', 'imagepolicies');
const automation = kindOf('image.toolkit.fluxcd.io', 'ImageUpdateAutomation', 'imageupdateautomations');
const instance = kindOf('fluxcd.controlplane.io', 'FluxInstance', 'fluxinstances');
const resourceSet = kindOf('fluxcd.controlplane.io', 'ResourceSet', 'resourcesets');
const inputs = kindOf('fluxcd.controlplane.io', 'ResourceSetInputProvider', 'resourcesetinputproviders');

const leases = [
  'notification-controller-leader-election',
  'image-reflector-controller-leader-election',
  'image-automation-controller-leader-election',
  'flux-operator',
];

let bed: Bed;

beforeEach(() => {
  bed = startBed();
});

afterEach(() => bed.model.stop());

/** Every controller but the ones that are dead renews its lease. */
function renew(...dead: readonly string[]): void {
  const now = bed.clock.now();
  const lease = (name: string): ObservedLease => ({
    namespace: 'flux-system',
    name,
    holder: 'pod',
    durationSeconds: 35,
    transitions: 3,
    renewTime: dead.some((one) => name.startsWith(one)) ? 0 : now - 500,
  });
  bed.renew(...leases.map(lease));
}

function pass(ms: number, ...dead: readonly string[]): void {
  for (let left = ms; left > 0; left -= 10_000) {
    bed.clock.advance(Math.min(10_000, left));
    renew(...dead);
  }
  bed.clock.advance(50);
}

function condition(type: string, status: string, reason: string, message = reason): object {
  return { type, status, reason, message, lastTransitionTime: rfc3339(bed.clock.now()), observedGeneration: 1 };
}

const good = (): object[] => [condition('Ready', 'True', 'Succeeded')];
/** As a pass begins that may last: fluxcd/pkg runtime ProgressiveStatus keeps Ready. */
const scanning = (): object[] => [
  condition('Reconciling', 'True', 'Progressing', 'scanning: triggered by interval'),
  ...good(),
];
/** As it is failed and tried again. */
const failed = (reason: string, message = reason): object[] => [
  condition('Reconciling', 'True', 'ProgressingWithRetry', 'reconciliation in progress'),
  condition('Ready', 'False', reason, message),
];
/** As nobody tries it again before somebody edits it. */
const stalled = (reason: string): object[] => [
  condition('Stalled', 'True', reason),
  condition('Ready', 'False', reason),
];
/** As every pass of flux-operator begins. */
const inProgress = (): object[] => [
  condition('Reconciling', 'True', 'Progressing', 'Reconciliation in progress'),
  condition('Ready', 'Unknown', 'Progressing', 'Reconciliation in progress'),
];

interface Shape extends ObjectPart {
  readonly conditions: readonly object[];
}

function shaped(kind: WatchedKind, name: string, { conditions, status = {}, ...part }: Shape) {
  return bed.object(kind, name, { ...part, status: { observedGeneration: 1, ...status, conditions } });
}

function open(kind: WatchedKind, shape: Shape, ...more: readonly (readonly [WatchedKind, string, Shape])[]): void {
  const lists = [[kind, 'x', shape] as const, ...more];
  const listed = lists.map(([of, name, one]) => [of, shaped(of, name, one)] as const);
  bed.open(listed);
  pass(20_000);
}

describe.each([
  [receiver, 'notification-controller'],
  [repository, 'image-reflector-controller'],
  [policy, 'image-reflector-controller'],
  [automation, 'image-automation-controller'],
  [instance, 'flux-operator'],
  [resourceSet, 'flux-operator'],
  [inputs, 'flux-operator'],
])('$kind', (kind, controller) => {
  it('is converged while its controller lives, for hours without a write', () => {
    open(kind, { conditions: good() });
    const before = bed.verdicts('x').length;
    pass(180 * minute);
    expect(bed.verdicts('x').slice(before)).toEqual([]);
    expect(bed.at('x')).toMatchObject({ verdict: 'converged', confirmation: 'controller' });
  });

  it('is stale once its controller is dead, which is named', () => {
    open(kind, { conditions: good() });
    pass(70_000, controller);
    expect(bed.at('x')).toMatchObject({
      verdict: 'stale',
      was: 'converged',
      confirmation: 'none',
      rootCause: { type: 'controller', name: controller },
    });
  });

  it('is converged all through a pass that changes nothing', () => {
    open(kind, { conditions: good() });
    const before = bed.verdicts('x').length;
    bed.write(kind, shaped(kind, 'x', { conditions: kind.group.startsWith('fluxcd') ? inProgress() : scanning() }));
    pass(10_000);
    bed.write(kind, shaped(kind, 'x', { conditions: good() }));
    pass(10_000);
    expect(bed.verdicts('x').slice(before)).toEqual([]);
    expect(bed.at('x').verdict).toBe('converged');
  });

  it('is progressing before its first pass, and says that it does not settle', () => {
    open(kind, { createdAt: bed.clock.now(), conditions: [], status: { observedGeneration: -1 } });
    expect(bed.at('x').verdict).toBe('progressing');
    pass(40 * minute);
    expect(bed.at('x')).toMatchObject({ verdict: 'diverged', reason: 'NeverSettled' });
  });
});

describe('Receiver', () => {
  const missing = 'unable to read token from secret \'flux-system/hook\' error: Secret "hook" not found';

  it('without its Secret is diverged and tried again, until the Secret comes', () => {
    open(receiver, { conditions: failed('TokenNotFound', missing) });
    expect(bed.at('x')).toMatchObject({ verdict: 'diverged', reason: 'TokenNotFound', message: missing });
    bed.write(receiver, shaped(receiver, 'x', { conditions: good() }));
    pass(10_000);
    expect(bed.at('x').verdict).toBe('converged');
  });

  it('that is suspended hears nothing, and that is said', () => {
    open(receiver, { spec: { suspend: true }, conditions: good() });
    expect(bed.at('x')).toMatchObject({ verdict: 'suspended', was: 'converged' });
    expect(bed.at('x').exemptions).toMatchObject([
      { kind: 'suspended', meaning: 'webhooks are not heard: changes arrive only with the interval' },
    ]);
  });

  it('whose filter is no expression is diverged', () => {
    open(receiver, { conditions: stalled('InvalidCELExpression') });
    expect(bed.at('x')).toMatchObject({ verdict: 'diverged', reason: 'InvalidCELExpression' });
  });
});

describe('image automation', () => {
  it.each(['AuthenticationFailed', 'ReadOperationFailed', 'ImageURLInvalid'])('ImageRepository: %s', (reason) => {
    open(repository, { conditions: reason === 'ImageURLInvalid' ? stalled(reason) : failed(reason) });
    expect(bed.at('x')).toMatchObject({ verdict: 'diverged', reason });
  });

  it('an ImagePolicy waits for an ImageRepository that was never scanned, and names it', () => {
    const words = 'referenced ImageRepository has not been scanned yet';
    // The result is a success: it is not tried again, and Reconciling is gone.
    const conditions = [condition('Ready', 'False', 'DependencyNotReady', words)];
    open(policy, { spec: { imageRepositoryRef: { name: 'app' } }, conditions }, [
      repository,
      'app',
      { conditions: failed('AuthenticationFailed') },
    ]);
    expect(bed.at('x')).toMatchObject({
      verdict: 'waiting',
      rootCause: { type: 'object', ref: { kind: 'ImageRepository', name: 'app' } },
    });
  });

  it.each(['InvalidPolicy', 'IntervalNotConfigured', 'Failure'])('ImagePolicy: %s', (reason) => {
    open(policy, { conditions: reason === 'Failure' ? failed(reason) : stalled(reason) });
    expect(bed.at('x')).toMatchObject({ verdict: 'diverged', reason });
  });

  it.each([
    'SourceManagerFailed',
    'GitOperationFailed',
    'UpdateFailed',
    'InvalidSourceConfiguration',
    'InvalidUpdateStrategy',
    'InvalidPolicySelector',
    'AccessDenied',
  ])('ImageUpdateAutomation: %s', (reason) => {
    open(automation, { conditions: reason.endsWith('Failed') ? failed(reason) : stalled(reason) });
    expect(bed.at('x')).toMatchObject({ verdict: 'diverged', reason });
  });
});

describe('flux-operator', () => {
  it.each([
    [instance, 'ArtifactFailed', 'diverged'],
    [instance, 'BuildFailed', 'diverged'],
    [instance, 'HealthCheckFailed', 'unhealthy'],
    [resourceSet, 'ReconciliationFailed', 'diverged'],
    [resourceSet, 'DependencyNotReady', 'waiting'],
    [inputs, 'ReconciliationFailed', 'diverged'],
    [inputs, 'InvalidSchedule', 'diverged'],
  ] as const)('%o with %s is %s', (kind, reason, verdict) => {
    open(kind, { conditions: reason === 'BuildFailed' ? stalled(reason) : failed(reason) });
    expect(bed.at('x')).toMatchObject({ verdict, reason });
  });

  it('an input provider whose schedule has not come yet has fetched nothing: it waits, though it says Ready=True', () => {
    const words = 'Reconciliation skipped, next scheduled at 2026-11-22T03:00:00Z';
    const at = { when: rfc3339(bed.clock.now() + 600 * minute) };
    open(inputs, {
      createdAt: bed.clock.now(),
      spec: { schedule: [{ cron: '0 3 * * *' }] },
      conditions: [condition('Ready', 'True', 'SkippedDueToSchedule', words)],
      status: { nextSchedule: at },
    });
    const waiting = {
      verdict: 'waiting',
      sentence: 'ResourceSetInputProvider x has not run yet: it waits for its schedule.',
    };
    expect(bed.at('x')).toMatchObject(waiting);
    pass(60 * minute);
    expect(bed.at('x')).toMatchObject(waiting);
    bed.write(inputs, shaped(inputs, 'x', { conditions: good(), status: { lastExportedRevision: 'sha256:1' } }));
    pass(10_000);
    expect(bed.at('x').verdict).toBe('converged');
  });
});
