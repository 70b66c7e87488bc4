import { during, inRounds, type Played, type Scenario } from './scenario.ts';

/** The rules wait for 12m30s: what is false from 2m on fires at 14m30s. */
const object = { cluster: 'eu-west-3', exported_namespace: 'apps', name: 'checkout' };

function flux(kind: string, labels: Played['labels'], from = during(4), group = 'kustomize.toolkit.fluxcd.io'): Played {
  const named = { ...object, customresource_group: group, customresource_kind: kind };
  return { metric: 'gotk_resource_info', labels: { ...named, suspended: 'false', ...labels }, from };
}

const sources = 'source.toolkit.fluxcd.io';
const onCheckout = (...alerts: readonly string[]): readonly string[] =>
  alerts.map((alert) => `${alert} checkout eu-west-3`);

function ofCrossplane(name: string, kind: string, labels: Played['labels'], from = during(4)): Played {
  const named = { ...object, customresource_group: 's3.aws.m.upbound.io', customresource_kind: kind };
  return { metric: `crossplane_${name}_info`, labels: { ...named, ...labels }, from };
}

function other(metric: string, kind: string, labels: Played['labels'], from = during(4)): Played {
  return { metric, labels: { ...object, customresource_kind: kind, ...labels }, from };
}

/** Events on a cluster, as kube-state-metrics tells it, and what Prometheus makes of it. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'a Kustomization that fails, and is mended',
    series: [
      flux('Kustomization', { ready: 'True', revision: 'main@sha1:a' }, during(0, 4)),
      flux('Kustomization', { ready: 'False', revision: 'main@sha1:a' }, during(4, 40)),
      flux('Kustomization', { ready: 'True', revision: 'main@sha1:b' }, during(40)),
    ],
    fires: {
      '14m': [],
      '14m30s': onCheckout('FluxReconciliationFailure'),
      '19m30s': onCheckout('FluxReconciliationFailure'),
      '20m': [],
    },
  },
  {
    name: 'one that is Unknown in most scrapes, for each pass waits for a health check',
    series: [
      flux(
        'Kustomization',
        { ready: 'False' },
        inRounds(5, (at) => at === 0),
      ),
      flux(
        'Kustomization',
        { ready: 'Unknown' },
        inRounds(5, (at) => at !== 0),
      ),
    ],
    fires: { '12m': [], '13m': onCheckout('FluxReconciliationFailure') },
  },
  {
    name: 'one that has no Ready condition, and so no label ready',
    series: [flux('Kustomization', {})],
    fires: { '14m': [], '15m': onCheckout('FluxReconciliationFailure') },
  },
  {
    name: 'one that is suspended, from birth or while it failed',
    series: [
      flux('Kustomization', { suspended: 'true' }),
      flux('HelmRelease', { suspended: 'true', ready: 'False', name: 'cart' }),
    ],
    fires: { '15m': ['FluxSuspended cart eu-west-3', 'FluxSuspended checkout eu-west-3'] },
  },
  {
    name: 'a ResourceSet that is switched off by its annotation',
    series: [flux('ResourceSet', { suspended: 'disabled', ready: 'False' }, during(4), 'fluxcd.controlplane.io')],
    fires: { '15m': onCheckout('FluxSuspended') },
  },
  {
    name: 'a revision that is tried while it fails resets no clock',
    series: ['a', 'b', 'c', 'd'].map((revision, at) =>
      flux(
        'Kustomization',
        { ready: 'False', revision: `main@sha1:${revision}` },
        during(4 + at * 8, at === 3 ? 60 : 12 + at * 8),
      ),
    ),
    fires: { '14m': [], '14m30s': onCheckout('FluxReconciliationFailure') },
  },
  {
    name: 'a source that fails; one of type oci, which has no status by design',
    series: [
      flux('GitRepository', { ready: 'False' }, during(4), sources),
      flux('HelmRepository', { type: 'oci', name: 'charts' }, during(0), sources),
    ],
    fires: { '15m': onCheckout('FluxSourceNotReady') },
  },
  {
    name: 'an object that is served in two versions is one alert',
    series: ['v1', 'v1beta2'].map((customresource_version) =>
      flux('Kustomization', { ready: 'False', customresource_version }),
    ),
    fires: { '15m': onCheckout('FluxReconciliationFailure') },
  },
  {
    name: 'a managed resource that cannot be synced, Ready all along',
    series: [ofCrossplane('resource', 'Bucket', { synced: 'False', synced_reason: 'ReconcileError', ready: 'True' })],
    fires: { '14m': [], '15m': onCheckout('CloudResourceDesynced') },
  },
  {
    name: 'one whose first pass failed, and has no Ready',
    series: [ofCrossplane('resource', 'Bucket', { synced: 'False', synced_reason: 'ReconcileError' })],
    fires: { '15m': onCheckout('CloudResourceDesynced', 'CloudResourceNotReady') },
  },
  {
    name: 'one that no provider has looked at, without any condition',
    series: [ofCrossplane('resource', 'Bucket', {})],
    fires: { '15m': onCheckout('CloudResourceDesynced', 'CloudResourceNotReady') },
  },
  {
    name: 'one that is paused does not page as desynced',
    series: [ofCrossplane('resource', 'Bucket', { synced: 'False', synced_reason: 'ReconcilePaused', ready: 'False' })],
    fires: { '15m': onCheckout('CloudResourcePaused') },
  },
  {
    name: 'packages: a dead one, an inactive revision, one without a runtime, one of v1',
    series: [
      ofCrossplane('package', 'Provider', { installed: 'True', healthy: 'False' }),
      ofCrossplane('package', 'ProviderRevision', { name: 'old', desired_state: 'Inactive' }),
      ofCrossplane('package', 'FunctionRevision', { name: 'fine', desired_state: 'Active', revision_healthy: 'True' }),
      ofCrossplane('package', 'ProviderRevision', { name: 'v1', desired_state: 'Active', healthy: 'True' }),
      ofCrossplane('package', 'ProviderRevision', {
        name: 'down',
        desired_state: 'Active',
        revision_healthy: 'True',
        runtime_healthy: 'False',
        runtime_healthy_reason: 'UnhealthyPackageRevision',
      }),
    ],
    fires: { '15m': ['CrossplanePackageUnhealthy checkout eu-west-3', 'CrossplanePackageUnhealthy down eu-west-3'] },
  },
  {
    name: 'definitions: one that offers no claim, and one that cannot offer it',
    series: [
      ofCrossplane('definition', 'CompositeResourceDefinition', { established: 'True', name: 'fine' }),
      ofCrossplane('definition', 'CompositeResourceDefinition', { established: 'True', offered: 'False' }),
    ],
    fires: { '15m': onCheckout('CrossplaneDefinitionNotEstablished') },
  },
  {
    name: 'Applications: out of sync, skipped, unhealthy, with a paused rollout',
    series: [
      other('argocd_resource_info', 'Application', { sync_status: 'OutOfSync', health_status: 'Healthy' }),
      other('argocd_resource_info', 'Application', { sync_status: 'OutOfSync', skip_reconcile: 'true', name: 'off' }),
      other('argocd_resource_info', 'Application', { sync_status: 'Synced', health_status: 'Degraded', name: 'ill' }),
      other('argocd_resource_info', 'Application', {
        sync_status: 'Synced',
        health_status: 'Suspended',
        name: 'paused',
      }),
    ],
    fires: {
      '15m': [
        'ArgoCDApplicationOutOfSync checkout eu-west-3',
        'ArgoCDApplicationSkipped off eu-west-3',
        'ArgoCDApplicationUnhealthy ill eu-west-3',
      ],
    },
  },
  {
    name: 'tofu: a plan that waits for approval, a locked state, a broken glass; a Stack that fails',
    series: [
      other('tofu_resource_info', 'Terraform', { ready: 'Unknown' }),
      other('tofu_resource_info', 'Terraform', { ready: 'True', state_locked: 'True', name: 'locked' }),
      other('tofu_resource_info', 'Terraform', { ready: 'False', break_the_glass: 'true', name: 'open' }),
      other('pulumi_resource_info', 'Stack', { ready: 'False', name: 'stack' }),
    ],
    fires: {
      '15m': [
        'PulumiStackDesynced stack eu-west-3',
        'TerraformDesynced checkout eu-west-3',
        'TerraformDesynced locked eu-west-3',
        'TerraformSuspended open eu-west-3',
      ],
    },
  },
  {
    name: 'series that are gone, of one cluster of two',
    among: 'ReconcilerMetricAbsent',
    kind: 'Kustomization',
    series: [
      flux('Kustomization', { ready: 'True' }, during(0, 4)),
      flux('Kustomization', { ready: 'True', cluster: 'us-east-2' }, during(0)),
    ],
    fires: { '14m': [], '14m30s': ['ReconcilerMetricAbsent  eu-west-3'] },
  },
  {
    name: 'targets that are down, and targets that are gone',
    among: 'KubeStateMetrics.*',
    series: [
      { metric: 'up', labels: { job: 'kube-state-metrics', cluster: 'eu-west-3' }, from: during(0).map(() => 0) },
      { metric: 'up', labels: { job: 'kube-state-metrics', cluster: 'us-east-2' }, from: during(0, 4) },
    ],
    fires: { '15m': ['KubeStateMetricsAbsent  us-east-2', 'KubeStateMetricsDown  eu-west-3'] },
  },
];
