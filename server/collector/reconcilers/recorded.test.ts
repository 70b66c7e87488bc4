import { describe, expect, it } from 'vitest';
import type { Observation } from '#lib/domain/observation/observation.ts';
import { recordedObject, recordedObjects } from '#test/fixtures/recorded.ts';
import { observed } from './testing.ts';

const categories: { readonly [kind: string]: readonly string[] } = {
  clusternopresource: ['crossplane', 'managed', 'nop'],
  nopresource: ['crossplane', 'managed', 'nop'],
  bucket: ['composite'],
};

function read(file: string, before: Observation | null = null): Observation {
  const { object, receivedAt } = recordedObject(file);
  return observed(object, categories[file.split('/')[0] ?? ''] ?? [], receivedAt, before);
}

/** "good X", "bad fault X", "busy X (before ...)", "nothing", then drift, then what is switched off. */
function textOf(observation: Observation): string {
  const { summary, drift, suspended } = observation;
  return `${summaryText(summary)} | ${drift.drift} | ${suspended === null ? 'on' : `off by ${suspended.by}`}`;
}

function summaryText(summary: Observation['summary']): string {
  switch (summary.said) {
    case 'good':
      return `good ${summary.reason}`;
    case 'bad':
      return `bad ${summary.fault} ${summary.reason}${summary.terminal ? ' terminal' : ''}`;
    case 'busy':
      return `busy ${summary.reason} before ${summary.before === null ? 'unknown' : summaryText(summary.before)}`;
    case 'nothing':
    case 'static':
    case 'unrecognised':
    case 'unreported':
      return summary.said;
  }
}

const expected: { readonly [file: string]: string } = {
  'argocd/broken-yaml': 'bad observe ComparisonError | not-measured | on',
  'argocd/drift-in-the-second-of-the-sync': 'busy OutOfSync before unknown | not-measured | on',
  'argocd/drift-left': 'good OutOfSync | found | on',
  'argocd/never-compared-sync-asked': 'busy OperationRequested before unknown | not-measured | on',
  'argocd/never-synced-sync-runs': 'busy Running before unknown | not-measured | on',
  'argocd/new-commit-sync-asked': 'busy OperationRequested before unknown | none | on',
  'argocd/not-automated': 'good OutOfSync | found | on',
  'argocd/one-object-of-two': 'good OutOfSync | found | on',
  'argocd/only-pruning-is-left': 'good OutOfSync | found | on',
  'argocd/path-gone': 'bad observe ComparisonError | not-measured | on',
  'argocd/self-heal-asked': 'busy OperationRequested before unknown | found | on',
  'argocd/self-heal-ended-not-compared-since': 'busy OutOfSync before unknown | not-measured | on',
  'argocd/self-heal-runs': 'busy Running before unknown | found | on',
  'argocd/self-healed': 'good Synced | none | on',
  'argocd/self-healed-nothing-changed': 'good Synced | none | on',
  'argocd/skip-reconcile': 'good Synced | none | off by kubectl-annotate',
  'argocd/sync-ended-not-compared-since': 'busy OutOfSync before unknown | not-measured | on',
  'argocd/synced-healthy': 'good Synced | none | on',
  'argocd/unknown-kind-between-attempts': 'bad apply SyncFailed | found | on',
  'bucket/syncedf-reconcileerror': 'bad apply ReconcileError | not-measured | on',
  'clusternopresource/readyt--syncedf-reconcilepaused': 'good  | not-measured | off by kubectl-annotate',
  'clusternopresource/readyt--syncedt-reconcilesuccess': 'good  | none | on',
  'clusternopresource/syncedf-reconcileerror': 'bad apply ReconcileError | not-measured | on',
  'clusternopresource/syncedf-reconcilepaused': 'nothing | not-measured | off by kubectl-client-side-apply',
  'compositeresourcedefinition/establishedt-watchingcompositeresource':
    'good WatchingCompositeResource | not-measured | on',
  'gitrepository/artifactoutdatedt-newrevision-readyu-progressing-reconcilingt-progressing':
    'busy Progressing before unknown | not-measured | on',
  'gitrepository/fetchfailedt-gitoperationfailed-readyf-gitoperationfailed-reconcilingt-progressing-generation-not-observed':
    'bad fetch GitOperationFailed | not-measured | on',
  'gitrepository/fetchfailedt-gitoperationfailed-readyf-gitoperationfailed-reconcilingt-progressingwithretry-generation-not-obs':
    'bad fetch GitOperationFailed | not-measured | on',
  'gitrepository/fetchfailedt-gitoperationfailed-readyu-progressing-reconcilingt-progressing-generation-not-observed':
    'busy Progressing before bad fetch GitOperationFailed | not-measured | on',
  'gitrepository/readyt-succeeded-generation-not-observed': 'good Succeeded | not-measured | on',
  'gitrepository/readyt-succeeded-reconcilingt-progressing-generation-not-observed':
    'good Succeeded | not-measured | on',
  'gitrepository/readyt-succeeded': 'good Succeeded | not-measured | on',
  'helmchart/fetchfailedt-invalidchartreference-readyf-invalidchartreference-stalledt-invalidchartreference-generation-not-':
    'bad artifact InvalidChartReference terminal | not-measured | on',
  'helmchart/fetchfailedt-invalidchartreference-readyf-invalidchartreference-stalledt-invalidchartreference':
    'bad artifact InvalidChartReference terminal | not-measured | on',
  'helmchart/fetchfailedt-invalidchartreference-readyu-progressing-reconcilingt-progressing':
    'busy Progressing before bad artifact InvalidChartReference | not-measured | on',
  'helmchart/no-conditions-generation-not-observed': 'nothing | not-measured | on',
  'helmchart/readyt-chartpackagesucceeded': 'good ChartPackageSucceeded | not-measured | on',
  'helmchart/readyu-progressing-reconcilingt-progressing-generation-not-observed':
    'busy Progressing before unknown | not-measured | on',
  'helmrelease/driftedf-nodriftdetected-readyt-installsucceeded-generation-not-observed':
    'good InstallSucceeded | none | on',
  'helmrelease/driftedf-nodriftdetected-readyt-installsucceeded-reconcilingt-progressing':
    'good InstallSucceeded | none | on',
  'helmrelease/driftedf-nodriftdetected-readyt-installsucceeded': 'good InstallSucceeded | none | on',
  'helmrelease/driftedt-driftdetected-readyt-installsucceeded-reconcilingt-progressing':
    'good InstallSucceeded | found | on',
  'helmrelease/driftedt-driftdetected-readyt-installsucceeded-suspended-generation-not-observed':
    'good InstallSucceeded | found | off by kubectl-patch',
  'helmrelease/driftedt-driftdetected-readyt-installsucceeded-suspended':
    'good InstallSucceeded | found | off by kubectl-patch',
  'helmrelease/driftedt-driftdetected-readyt-installsucceeded': 'good InstallSucceeded | found | on',
  'helmrelease/driftedt-driftdetected-readyu-progressing-reconcilingt-progressing':
    'busy Progressing before good InstallSucceeded | found | on',
  'helmrelease/no-conditions-generation-not-observed': 'nothing | not-measured | on',
  'helmrelease/readyf-installfailed-reconcilingt-progressing-generation-not-observed':
    'bad apply InstallFailed | not-measured | on',
  'helmrelease/readyf-sourcenotready-reconcilingt-progressing-generation-not-observed':
    'bad artifact SourceNotReady | not-measured | on',
  'helmrelease/readyf-upgradefailed-reconcilingt-progressing-generation-not-observed':
    'bad apply UpgradeFailed | not-measured | on',
  'helmrelease/readyt-installsucceeded-generation-not-observed': 'good InstallSucceeded | not-measured | on',
  'helmrelease/readyt-installsucceeded-reconcilingt-progressing-generation-not-observed':
    'good InstallSucceeded | not-measured | on',
  'helmrelease/readyt-installsucceeded-reconcilingt-progressing': 'good InstallSucceeded | not-measured | on',
  'helmrelease/readyt-installsucceeded': 'good InstallSucceeded | not-measured | on',
  'helmrelease/readyu-progressing-reconcilingt-progressing-generation-not-observed':
    'busy Progressing before unknown | not-measured | on',
  'helmrelease/reconcilingt-progressing-generation-not-observed': 'busy  before unknown | not-measured | on',
  'kustomization/healthyf-healthcheckfailed-readyf-healthcheckfailed-reconcilingt-progressingwithretry-generation-not-observed':
    'bad health HealthCheckFailed | not-measured | on',
  'kustomization/healthyf-healthcheckfailed-readyu-progressing-reconcilingt-progressing-generation-not-observed':
    'busy Progressing before bad health HealthCheckFailed | not-measured | on',
  'kustomization/healthyu-progressing-readyu-progressing-reconcilingt-progressing-generation-not-observed':
    'busy Progressing before bad health HealthCheckFailed | not-measured | on',
  'kustomization/readyf-artifactfailed-generation-not-observed': 'bad artifact ArtifactFailed | not-measured | on',
  'kustomization/readyf-artifactfailed-reconcilingt-progressingwithretry-generation-not-observed':
    'bad artifact ArtifactFailed | not-measured | on',
  'kustomization/readyf-artifactfailed-reconcilingt-progressingwithretry-suspended-generation-not-observed':
    'bad artifact ArtifactFailed | not-measured | off by kubectl-patch',
  'kustomization/readyf-buildfailed-reconcilingt-progressingwithretry-attempted-differs':
    'bad apply BuildFailed | not-measured | on',
  'kustomization/readyf-buildfailed-reconcilingt-progressingwithretry-generation-not-observed':
    'bad apply BuildFailed | not-measured | on',
  'kustomization/readyf-dependencynotready-generation-not-observed':
    'bad dependency DependencyNotReady | not-measured | on',
  'kustomization/readyf-reconciliationfailed-reconcilingt-progressingwithretry-generation-not-observed':
    'bad apply ReconciliationFailed | not-measured | on',
  'kustomization/readyt-reconciliationsucceeded-attempted-differs': 'good ReconciliationSucceeded | none | on',
  'kustomization/readyt-reconciliationsucceeded-generation-not-observed-attempted-differs':
    'good ReconciliationSucceeded | none | on',
  'kustomization/readyt-reconciliationsucceeded-generation-not-observed': 'good ReconciliationSucceeded | none | on',
  'kustomization/readyt-reconciliationsucceeded-suspended-generation-not-observed':
    'good ReconciliationSucceeded | not-measured | off by kubectl-patch',
  'kustomization/readyt-reconciliationsucceeded-suspended':
    'good ReconciliationSucceeded | not-measured | off by kubectl-patch',
  'kustomization/readyt-reconciliationsucceeded': 'good ReconciliationSucceeded | none | on',
  'kustomization/readyu-progressing-reconcilingt-progressing-attempted-differs':
    'busy Progressing before unknown | not-measured | on',
  'kustomization/readyu-progressing-reconcilingt-progressing-generation-not-observed-attempted-differs':
    'busy Progressing before unknown | not-measured | on',
  'kustomization/readyu-progressing-reconcilingt-progressing-generation-not-observed':
    'busy Progressing before unknown | not-measured | on',
  'kustomization/readyu-progressing-reconcilingt-progressing':
    'busy Progressing before good ReconciliationSucceeded | none | on',
  'nopresource/readyt--syncedt-reconcilesuccess': 'good  | none | on',
};

describe('objects recorded from real controllers', () => {
  it('are all in the table', () => {
    expect(
      recordedObjects()
        .map((recorded) => recorded.file)
        .toSorted(),
    ).toEqual(Object.keys(expected).toSorted());
  });

  it.each(Object.entries(expected))('%s', (file, words) => {
    expect(textOf(read(file))).toBe(words);
  });

  it('within the second of a sync, the write before tells whether an Application was compared since', () => {
    const drifted = 'argocd/drift-in-the-second-of-the-sync';
    const after = (before: string): string => textOf(read(drifted, read(before)));
    expect(after('argocd/synced-healthy')).toBe('good OutOfSync | found | on');
    expect(after('argocd/drift-left')).toBe('good OutOfSync | found | on');
    expect(after('argocd/never-synced-sync-runs')).toBe('busy OutOfSync before unknown | not-measured | on');
    expect(after('argocd/sync-ended-not-compared-since')).toBe('busy OutOfSync before unknown | not-measured | on');
  });

  it('an Application tells what self-heal undid by its last sync, and with whom it shares an object', () => {
    expect(read('argocd/self-healed').drift).toEqual({
      drift: 'none',
      undone: {
        id: '2026-11-23T09:09:50Z 2026-11-23T09:09:52Z',
        at: Date.parse('2026-11-23T09:09:52Z'),
        said: 'ConfigMap/apps/argo-healed configured',
        isSure: true,
      },
    });
    expect(read('argocd/self-healed-nothing-changed').drift).toEqual({ drift: 'none' });
    expect(read('argocd/synced-healthy').drift).toEqual({ drift: 'none' });
    expect(read('argocd/one-object-of-two').rivals).toEqual([
      { type: 'shared', kind: 'ConfigMap', name: 'argo-twin', others: ['twin-a'] },
    ]);
  });

  it('a Kustomization is read whole', () => {
    const observation = read('kustomization/readyf-buildfailed-reconcilingt-progressingwithretry-attempted-differs');
    expect(observation).toMatchObject({
      ref: {
        cluster: 'test',
        group: 'kustomize.toolkit.fluxcd.io',
        kind: 'Kustomization',
        namespace: 'flux-system',
        name: 'good',
      },
      reconciler: 'flux',
      role: 'applier',
      version: 'v1',
      observedGeneration: 1,
      reconciling: false,
      cadence: { interval: 30_000, retryInterval: 15_000, timeout: 20_000 },
      revisions: {
        applied: 'main@sha1:ab00a320eb789dbf2deff7bf3de6752bfc745ba4',
        attempted: 'main@sha1:05761e34bf139576fc3ad0025164b6972c10c9bf',
      },
      path: 'clusters/production/good',
      source: { group: 'source.toolkit.fluxcd.io', kind: 'GitRepository', namespace: 'flux-system', name: 'control' },
      inventory: ['apps_good__ConfigMap'],
      controller: 'kustomize-controller',
      specEditedBy: { manager: 'kubectl-client-side-apply' },
    });
    expect(observation.history[0]).toMatchObject({
      status: 'ReconciliationSucceeded',
      total: 3,
      last: Date.parse('2026-11-21T07:35:36Z'),
    });
  });

  it('who suspended it and when is read from managedFields', () => {
    const suspended = read('kustomization/readyt-reconciliationsucceeded-suspended').suspended;
    expect(suspended).toEqual({ field: 'spec.suspend', by: 'kubectl-patch', at: Date.parse('2026-11-21T07:34:08Z') });
  });

  it('a release whose upgrade failed still names the one that is deployed, and its chart', () => {
    const observation = read('helmrelease/readyf-upgradefailed-reconcilingt-progressing-generation-not-observed');
    expect(observation.revisions.applied).toBe('0.1.0+74b7b9c33624');
    expect(observation.source).toMatchObject({ kind: 'HelmChart', namespace: 'flux-system', name: 'apps-hr-breaks' });
  });

  it('no observation keeps managedFields or what was last applied by hand', () => {
    for (const { file } of recordedObjects()) {
      const text = JSON.stringify(read(file));
      expect(text).not.toContain('fieldsV1');
      expect(text).not.toContain('last-applied-configuration');
      expect(text).not.toContain('conditionAfter');
    }
  });
});
