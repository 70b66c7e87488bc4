import { describe, expect, it } from 'vitest';
import { commonKinds } from '../api/kinds.ts';
import { awsKinds } from '../fleet/aws.ts';
import { createHelmRelease } from '../objects/helm-release.ts';
import { createManagedResource } from '../objects/managed-resource.ts';
import { seededRandom } from '../random.ts';
import { startCrossplaneProviders } from './crossplane-provider.ts';
import { startHelmController } from './helm-controller.ts';
import type { HelmController } from './helm-controller.ts';
import { conditionOf, createTestPlane } from './test-plane.ts';
import type { TestPlane } from './test-plane.ts';

const random = seededRandom(3);

describe('helm-controller', () => {
  function startHelm(driftDetection: 'warn' | 'enabled' | null): {
    test: TestPlane;
    helm: HelmController;
    release: ReturnType<HelmController['add']>;
  } {
    const test = createTestPlane();
    const helm = startHelmController(test.plane, random);
    const now = test.clock.now();
    const plan = {
      name: 'mail',
      namespace: 'mail',
      chart: 'mail',
      version: '0.18.2',
      appVersion: '0.18.2',
      repository: 'acme',
      interval: 60,
      deliveredBy: 'mail',
    };
    const object = createHelmRelease(
      { ...plan, driftDetection, createdAt: now - 10_000, deployedAt: now - 9000, lastPass: now - 1000 },
      random,
    );
    return { test, helm, release: helm.add(object, 60_000) };
  }

  it('makes a quiet pass of two writes, Ready untouched', () => {
    const { test } = startHelm('enabled');
    const writes = test.record(commonKinds.helmRelease);
    test.clock.advance(58_000);
    expect(
      writes.map((write) => [conditionOf(write.object, 'Reconciling'), conditionOf(write.object, 'Ready')]),
    ).toEqual([
      ['True/Progressing', 'True/UpgradeSucceeded'],
      [null, 'True/UpgradeSucceeded'],
    ]);
    expect((writes[1]?.at ?? 0) - (writes[0]?.at ?? 0)).toBeLessThanOrEqual(40);
  });

  it('leaves a drift standing in warn mode, Ready=True', () => {
    const { test, release } = startHelm('warn');
    release.outcome = { is: 'changed-by-hand', resource: 'ConfigMap/mail/mail' };
    test.clock.advance(200_000);
    expect([conditionOf(release.object, 'Drifted'), conditionOf(release.object, 'Ready')]).toEqual([
      'True/DriftDetected',
      'True/UpgradeSucceeded',
    ]);
  });

  it('corrects a drift within a second where drift detection is enabled', () => {
    const { test, release } = startHelm('enabled');
    release.outcome = { is: 'changed-by-hand', resource: 'ConfigMap/mail/mail' };
    const writes = test.record(commonKinds.helmRelease);
    test.clock.advance(60_000);
    expect(writes.map((write) => conditionOf(write.object, 'Drifted'))).toContain('True/DriftDetected');
    expect(conditionOf(release.object, 'Drifted')).toBe('False/NoDriftDetected');
    expect(test.events().some((text) => text.startsWith('DriftCorrected'))).toBe(true);
  });
});

describe('providers', () => {
  function startProvider(): {
    test: TestPlane;
    managed: ReturnType<ReturnType<typeof startCrossplaneProviders>['add']>;
  } {
    const test = createTestPlane();
    const kind = awsKinds.bucket;
    test.plane.store.addKind(kind);
    const providers = startCrossplaneProviders(test.plane, 60_000);
    const plan = {
      kind,
      name: 'media',
      namespace: '',
      region: 'eu-west-3',
      providerConfig: 'aws',
      deliveredBy: 'crossplane',
      owner: null,
      createdAt: test.clock.now(),
    };
    return { test, managed: providers.add(kind, createManagedResource(plan, random)) };
  }

  it('never write in a steady state', () => {
    const { test } = startProvider();
    const writes = test.record(awsKinds.bucket);
    test.clock.advance(600_000);
    expect(writes).toEqual([]);
  });

  it('write once when an update is refused, and not again while the message stays', () => {
    const { test, managed } = startProvider();
    managed.outcome = { is: 'refused', message: 'update failed: AccessDenied', event: 'CannotUpdateExternalResource' };
    const writes = test.record(awsKinds.bucket);
    test.clock.advance(600_000);
    expect(writes.map((write) => [conditionOf(write.object, 'Synced'), conditionOf(write.object, 'Ready')])).toEqual([
      ['False/ReconcileError', 'True/Available'],
    ]);
  });

  it('say that they put an outside change right, and write nothing', () => {
    const { test, managed } = startProvider();
    managed.changeOutside();
    const writes = test.record(awsKinds.bucket);
    test.clock.advance(70_000);
    expect(writes).toEqual([]);
    expect(test.events()).toEqual(['UpdatedExternalResource 1 Successfully requested update of external resource']);
  });

  it('pause: Synced=False/ReconcilePaused, Ready stays', () => {
    const { test, managed } = startProvider();
    managed.setPaused(true);
    test.clock.advance(100);
    expect([conditionOf(managed.object, 'Synced'), conditionOf(managed.object, 'Ready')]).toEqual([
      'False/ReconcilePaused',
      'True/Available',
    ]);
  });
});
