// What owner labels tell, and what they do not: whoever may write an object may write them, and others copy them.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { minute } from '#lib/domain/time/length.ts';
import { startBed, type Bed } from '../testing/bed.ts';
import {
  deliveredBy,
  kinds,
  kustomizationSpec,
  listing,
  offering,
  passedWell,
  ready,
  revision,
  type ObjectPart,
} from '../testing/objects.ts';

const { database, gitRepository, helmRelease, instance, kustomization } = kinds;
const chartKind = { ...gitRepository, kind: 'HelmChart', resource: 'helmcharts' };
const releaseId = 'flux-system_web_helm.toolkit.fluxcd.io_HelmRelease';
const helmLabels = { 'helm.toolkit.fluxcd.io/name': 'web', 'helm.toolkit.fluxcd.io/namespace': 'flux-system' };
const claimed = { verdict: 'unconfirmed', reason: 'DeliveryUncertain', deliveredBy: null, commit: null };

let bed: Bed;
beforeEach(() => {
  bed = startBed();
});
afterEach(() => bed.model.stop());

function control() {
  return bed.object(gitRepository, 'control', offering(bed.clock.now() - minute, revision('a')));
}

/** The Kustomization that labels name, with an inventory of these ids. */
function apps(ids: readonly string[], status: object = {}, name = 'apps') {
  const at = bed.clock.now();
  return bed.object(kustomization, name, {
    spec: kustomizationSpec('control'),
    status: { ...passedWell(at, revision('a')), ...listing(...ids), ...status },
  });
}

function release(part: ObjectPart = {}, name = 'web') {
  return bed.object(helmRelease, name, {
    labels: deliveredBy('apps'),
    spec: { interval: '10m', driftDetection: { mode: 'enabled' } },
    status: {
      conditions: [
        ready('True', 'UpgradeSucceeded', bed.clock.now() - minute),
        { ...ready('False', 'NoDriftDetected', bed.clock.now()), type: 'Drifted' },
      ],
      observedGeneration: 1,
      history: [{ status: 'deployed', chartVersion: '0.1.0' }],
    },
    ...part,
  });
}

/** An object as it is with another one that controls it. */
function ownedBy(object: ReturnType<Bed['object']>, apiVersion: string, kind: string) {
  const ownerReferences = [{ apiVersion, kind, name: 'owner', controller: true }];
  return { ...object, metadata: { ...Object(object['metadata']), ownerReferences } };
}

const synced = (at: number) => ({
  conditions: [ready('True', 'Available', at), { ...ready('True', 'ReconcileSuccess', at), type: 'Synced' }],
});

describe('the Kustomization that labels name', () => {
  it.each<readonly [string, () => ReturnType<typeof apps>[]]>([
    ['is not there', () => []],
    ['lists others', () => [apps(['flux-system_other_helm.toolkit.fluxcd.io_HelmRelease'])]],
    ['lists nothing', () => [apps([])]],
    ['fails', () => [apps([], { conditions: [ready('False', 'BuildFailed', bed.clock.now())] })]],
  ])('is not told to deliver where it %s, and nothing of it is', (_what, there) => {
    bed.open([
      [gitRepository, control()],
      [kustomization, ...there()],
      [helmRelease, release()],
    ]);
    expect(bed.at('web')).toMatchObject({
      ...claimed,
      rootCause: null,
      sentence: 'Its labels name Kustomization apps, but no inventory that is read proves it.',
    });
  });

  it('delivers what it lists, whatever it says of its last pass', () => {
    bed.open([
      [gitRepository, control()],
      [kustomization, apps([releaseId], { conditions: [ready('False', 'HealthCheckFailed', bed.clock.now())] })],
      [helmRelease, release()],
    ]);
    expect(bed.at('web')).toMatchObject({ reason: 'DeliveryNotConverged', deliveredBy: { name: 'apps' } });
  });

  it('has a minute to list what it has just applied, and lists it before that has proven healthy', () => {
    bed.open([[gitRepository, control()], [kustomization, apps([])], [helmRelease]]);
    bed.write(helmRelease, release({ createdAt: bed.clock.now() }));
    bed.pass(55_000);
    expect(bed.at('web')).toMatchObject({ verdict: 'converged', deliveredBy: null, commit: null });
    const checking = { ...ready('Unknown', 'Progressing', bed.clock.now()), message: 'Running health checks' };
    const reconciling = { ...ready('True', 'Progressing', bed.clock.now()), type: 'Reconciling' };
    bed.write(kustomization, apps([releaseId], { conditions: [checking, reconciling] }));
    bed.pass(3 * minute);
    expect(bed.at('web')).toMatchObject({ deliveredBy: { name: 'apps' }, commit: 'a'.repeat(40) });
    expect(bed.verdicts('web')).toEqual(['converged']);
  });

  it('is said to have a minute again where the labels come to name another one', () => {
    bed.open([
      [gitRepository, control()],
      [kustomization, apps([releaseId]), apps([], {}, 'others')],
      [helmRelease, release()],
    ]);
    bed.write(helmRelease, release({ labels: deliveredBy('others') }));
    bed.pass(55_000);
    expect(bed.at('web').verdict).toBe('converged');
    bed.write(kustomization, apps([releaseId], {}, 'others'));
    bed.pass(minute);
    expect(bed.at('web')).toMatchObject({ verdict: 'converged', deliveredBy: { name: 'others' } });
    bed.write(helmRelease, release({ labels: deliveredBy('apps-2') }));
    bed.pass(2 * minute);
    expect(bed.at('web')).toMatchObject(claimed);
  });

  it('is no more the one that delivers what it has left behind (prune: false)', () => {
    bed.open([
      [gitRepository, control()],
      [kustomization, apps([releaseId])],
      [helmRelease, release()],
    ]);
    expect(bed.at('web').verdict).toBe('converged');
    bed.write(kustomization, apps([]));
    bed.pass(3_000);
    expect(bed.at('web')).toMatchObject(claimed);
  });
});

describe('labels that an owner has copied', () => {
  it('are believed of nobody on a composite of a claim, on what it composes, and on objects of Flux that it makes', () => {
    const at = bed.clock.now() - minute;
    const labels = deliveredBy('apps');
    const claimRef = { apiVersion: 'example.org/v1', kind: 'Database', namespace: 'apps', name: 'orders' };
    bed.open([
      [gitRepository, control()],
      [kustomization, apps(['apps_orders_example.org_Database'])],
      [database, bed.object(database, 'xr', { labels, spec: { claimRef }, status: synced(at) })],
      [instance, ownedBy(bed.object(instance, 'part', { labels, status: synced(at) }), 'other.org/v1', 'XOther')],
      [helmRelease, ownedBy(release(), 'example.org/v1', 'XDatabase')],
    ]);
    for (const name of ['xr', 'web', 'part']) {
      expect(bed.at(name)).toMatchObject({ deliveredBy: null, commit: null });
      expect([name, bed.at(name).reason]).not.toEqual([name, 'DeliveryUncertain']);
    }
  });

  it('are those of who lists it all the same', () => {
    bed.open([
      [gitRepository, control()],
      [kustomization, apps([releaseId])],
      [helmRelease, ownedBy(release(), 'example.org/v1', 'XDatabase')],
    ]);
    expect(bed.at('web')).toMatchObject({ verdict: 'converged', deliveredBy: { name: 'apps' } });
  });
});

describe('the HelmRelease that labels name', () => {
  const resource = (annotations = {}) =>
    bed.object(instance, 'db', { labels: helmLabels, annotations, status: synced(bed.clock.now() - minute) });
  const open = (status: object, ...made: readonly ReturnType<typeof resource>[]) => {
    const history = [{ status: 'deployed', chartVersion: '0.1.0' }];
    const conditions = [ready('True', 'UpgradeSucceeded', bed.clock.now() - minute)];
    bed.open([
      [helmRelease, release({ labels: {}, status: { conditions, history, observedGeneration: 1, ...status } })],
      [instance, ...made],
    ]);
  };

  it.each<readonly [string, object, boolean]>([
    ['lists it', listing('_db_rds.aws.upbound.io_Instance'), true],
    ['lists nothing, as before helm-controller 1.5', {}, true],
    ['lists others', listing('_other_rds.aws.upbound.io_Instance'), false],
    ['never installed anything', { history: [] }, false],
  ])('that %s', (_what, status, delivers) => {
    open(status, resource());
    expect(bed.at('db').deliveredBy).toEqual(delivers ? bed.at('web').ref : null);
    expect(bed.at('db').reason === 'DeliveryUncertain').toBe(!delivers);
  });

  it('delivers what it lists, though a Kustomization had it before and its labels are left', () => {
    const labels = { ...helmLabels, ...deliveredBy('former') };
    const taken = bed.object(instance, 'db', { labels, status: synced(bed.clock.now() - minute) });
    open(listing('_db_rds.aws.upbound.io_Instance'), taken);
    expect(bed.at('db').deliveredBy).toEqual(bed.at('web').ref);
    open({}, taken);
    expect(bed.at('db').deliveredBy).toEqual(bed.at('web').ref);
  });

  it('delivers no hook of its chart: Helm makes it once, and lists it nowhere', () => {
    open(listing('_other_rds.aws.upbound.io_Instance'), resource({ 'helm.sh/hook': 'post-install' }));
    expect(bed.at('db').deliveredBy).toBeNull();
    expect(bed.at('db').reason).not.toBe('DeliveryUncertain');
  });

  it('delivers its HelmChart, in whatever namespace that is, and no other', () => {
    const chart = (name: string) =>
      bed.object(chartKind, name, { labels: helmLabels, ...offering(bed.clock.now() - minute, '0.1.0') });
    const elsewhere = (object: ReturnType<typeof chart>) => ({
      ...object,
      metadata: { ...Object(object['metadata']), namespace: 'charts' },
    });
    bed.open([
      [helmRelease, release({ labels: {}, status: { ...listing('_x__Namespace'), helmChart: 'charts/web-chart' } })],
      [chartKind, elsewhere(chart('web-chart')), elsewhere(chart('forged'))],
    ]);
    expect(bed.at('web-chart').deliveredBy).toMatchObject({ kind: 'HelmRelease', name: 'web' });
    expect(bed.at('forged')).toMatchObject(claimed);
  });
});
