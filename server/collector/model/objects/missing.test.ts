// What an object names and is not on the cluster: how long that may be so, and what is remembered of it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { day } from '#lib/domain/time/length.ts';
import { startBed, type Bed } from '../testing/bed.ts';
import { kinds, kustomizationSpec, offering, ownedBy, passedWell, ready, revision } from '../testing/objects.ts';

const { kustomization, gitRepository, instance, database, providerRevision } = kinds;
let bed: Bed;

beforeEach(() => {
  bed = startBed();
});
afterEach(() => bed.model.stop());

function control(of = bed) {
  return of.object(gitRepository, 'control', offering(of.clock.now() - 60_000, revision('a')));
}

function infra(of = bed) {
  const inventory = { entries: [{ id: '_orders_rds.aws.upbound.io_Instance', v: 'v1beta1' }] };
  return of.object(kustomization, 'infra', {
    spec: kustomizationSpec('control', { interval: '5m' }),
    status: { ...passedWell(of.clock.now() - 1_000, revision('a')), inventory },
  });
}

function synced(status = 'True', of = bed): object {
  return {
    type: 'Synced',
    status,
    reason: status === 'True' ? 'ReconcileSuccess' : 'ReconcileError',
    message: status === 'True' ? '' : 'create failed: no',
    lastTransitionTime: new Date(of.clock.now() - 60_000).toISOString(),
    observedGeneration: 1,
  };
}

function orders(status = 'True', owner = ownedBy(database, 'shop')) {
  return bed.object(instance, 'orders', {
    owners: [owner],
    spec: {},
    status: { conditions: [synced(status), ready('True', 'Available', bed.clock.now() - 60_000)] },
  });
}

function composite(parts: readonly string[], createdAt = bed.clock.now() - day) {
  const resourceRefs = parts.map((name) => ({ apiVersion: 'rds.aws.upbound.io/v1beta1', kind: 'Instance', name }));
  return bed.object(database, 'shop', {
    createdAt,
    spec: { crossplane: { resourceRefs } },
    status: { conditions: [synced(), ready('True', 'Available', bed.clock.now() - 60_000)] },
  });
}

function provider() {
  return bed.object(providerRevision, 'aws-rds-1', {
    spec: { desiredState: 'Active', image: 'x' },
    status: {
      conditions: [{ ...ready('True', 'HealthyPackageRevision', bed.clock.now() - 60_000), type: 'RevisionHealthy' }],
      objectRefs: [{ kind: 'CustomResourceDefinition', name: 'instances.rds.aws.upbound.io' }],
    },
  });
}

describe('an inventory', () => {
  it('a restart does not make green what was missing before', () => {
    bed.open([[gitRepository, control()], [kustomization, infra()], [instance]]);
    expect(bed.at('infra').verdict).toBe('converged');
    bed.pass(301_000);
    expect(bed.at('infra')).toMatchObject({ verdict: 'diverged', reason: 'Missing' });
    const next = startBed(bed.stored(), bed.clock.now() + 5_000);
    next.open([[gitRepository, control(next)], [kustomization, infra(next)], [instance]]);
    next.pass(20_000);
    expect(next.verdicts('infra')).toEqual([]);
    expect(next.at('infra').verdict).toBe('diverged');
    next.model.stop();
  });

  it('a kind that is only looked at now and then proves nothing missing before the next look', () => {
    bed.open([[gitRepository, control()], [kustomization, infra()], [instance]]);
    bed.feed(instance, { state: 'idle' });
    bed.pass(330_000);
    expect(bed.at('infra').verdict).toBe('converged');
    bed.write(kustomization, infra());
    bed.pass(360_000);
    expect(bed.at('infra').verdict).toBe('diverged');
  });
});

describe('a composite', () => {
  it('names its parts before it makes them, and is not diverged for that', () => {
    bed.open([[providerRevision, provider()], [instance], [database]]);
    bed.write(database, composite(['orders'], bed.clock.now()));
    bed.pass(1_000);
    bed.write(instance, orders());
    bed.pass(1_000);
    expect(bed.verdicts('shop')).toEqual(['converged']);
  });

  it('is diverged where a part stays away', () => {
    bed.open([[providerRevision, provider()], [instance], [database, composite(['orders'])]]);
    bed.pass(70_000);
    expect(bed.at('shop')).toMatchObject({ verdict: 'diverged', reason: 'PartMissing' });
  });

  it.each([
    ['of a shop of before', ownedBy(database, 'shop', 'uid-of-before')],
    ['that nobody owns', { ...ownedBy(database, 'shop'), controller: false }],
  ])('is diverged where what is there by the name of a part is one %s', (_what, owner) => {
    bed.open([
      [providerRevision, provider()],
      [instance, orders('True', owner)],
      [database, composite(['orders'])],
    ]);
    expect(bed.at('shop').verdict).toBe('converged');
    bed.pass(70_000);
    expect(bed.at('shop')).toMatchObject({ verdict: 'diverged', reason: 'PartMissing', rootCause: null });
    bed.write(instance, orders());
    bed.pass(1_000);
    expect(bed.at('shop').verdict).toBe('converged');
  });

  it('is judged by parts whose kind appears later', () => {
    bed.open([
      [providerRevision, provider()],
      [database, composite(['orders'])],
    ]);
    bed.model.take({ type: 'kinds', at: bed.clock.now(), kinds: [providerRevision, database, instance], absent: [] });
    bed.list(instance, orders());
    bed.pass(1_000);
    expect(bed.at('shop').verdict).toBe('converged');
    bed.write(instance, orders('False'));
    bed.pass(1_000);
    expect(bed.at('shop')).toMatchObject({ verdict: 'diverged', rootCause: { ref: { name: 'orders' } } });
  });
});

describe('a source', () => {
  it('that comes a moment after its applier leaves no trace, one that stays away is waited for', () => {
    const born = () =>
      bed.object(kustomization, 'infra', {
        createdAt: bed.clock.now(),
        spec: kustomizationSpec('control'),
        status: {},
      });
    bed.open([[gitRepository], [kustomization]]);
    bed.write(kustomization, born());
    bed.pass(2_000);
    expect(bed.verdicts('infra')).toEqual(['progressing']);
    bed.pass(20_000);
    expect(bed.at('infra')).toMatchObject({
      verdict: 'waiting',
      reason: 'SourceMissing',
      rootCause: { ref: { name: 'control' } },
    });
  });

  it('that is replaced leaves no trace, one that is gone makes stale', () => {
    const source = control();
    bed.open([
      [gitRepository, source],
      [kustomization, infra()],
      [instance, orders()],
    ]);
    const before = bed.verdicts('infra').length;
    bed.remove(gitRepository, source);
    bed.pass(2_000);
    bed.write(
      gitRepository,
      bed.object(gitRepository, 'control', { uid: 'other', ...offering(bed.clock.now(), revision('a')) }),
    );
    bed.pass(1_000);
    expect(bed.verdicts('infra').slice(before)).toEqual([]);
    bed.remove(gitRepository, source);
    bed.pass(20_000);
    expect(bed.at('infra')).toMatchObject({ verdict: 'stale', reason: 'SourceMissing' });
  });
});

it('a source whose kind may be read no longer is not seen, whatever was known of it', () => {
  bed.open([
    [gitRepository, control()],
    [kustomization, infra()],
    [instance, orders()],
  ]);
  expect(bed.at('infra').verdict).toBe('converged');
  bed.feed(gitRepository, { state: 'forbidden', fault: { type: 'forbidden', message: 'no' } });
  bed.pass(1_000);
  expect(bed.at('infra')).toMatchObject({ verdict: 'unobserved', reason: 'SourceNotObserved' });
});
