import type { GroupKind } from '#lib/domain/observation/ref.ts';
import { conditionPath, label, type StateAlert, type StateMetric } from '#lib/domain/alarm/state-metric.ts';

export const packageGroup = 'pkg.crossplane.io';
export const definitionGroup = 'apiextensions.crossplane.io';

// crossplane-runtime tells Synced=False with this reason while it is paused, which is no fault.
const paused = 'ReconcilePaused';

/** Managed resources, composites and claims. A condition that is absent leaves its label out: a first pass that failed writes no Ready. */
const resources: StateMetric = {
  prefix: 'crossplane',
  name: 'resource_info',
  labelsOf: () => ({
    ready: conditionPath('Ready'),
    synced: conditionPath('Synced'),
    synced_reason: conditionPath('Synced', 'reason'),
  }),
  // Ready=True hides Synced=False for weeks.
  conditionsOf: () => ['synced', 'ready'],
  alerts: [
    {
      alert: 'CloudResourceDesynced',
      when: [[label('synced', '!=', 'True'), label('synced_reason', '!=', paused)]],
      severity: 'critical',
      says: 'is not synced',
      means: 'What is declared is not what is there, or Crossplane cannot tell.',
    },
    {
      alert: 'CloudResourceNotReady',
      when: [[label('ready', '!=', 'True'), label('synced_reason', '!=', paused)]],
      severity: 'critical',
      says: 'is not ready',
      means: 'It was declared, and it does not work.',
    },
    {
      alert: 'CloudResourcePaused',
      when: [[label('synced_reason', '=', paused)]],
      severity: 'warning',
      says: 'is paused',
      means: 'Changes in git do not arrive, and drift is not undone.',
    },
  ],
};

const pausedBy = ['metadata', 'annotations', 'crossplane.io/paused'] as const;

function pausedAlert(alert: string): StateAlert {
  return {
    alert,
    when: [[label('paused', '=', 'true')]],
    severity: 'warning',
    says: 'is paused',
    means: 'Changes in git do not arrive.',
  };
}

const ofRevisions = label('customresource_kind', '=~', '.+Revision');
const ofPackages = label('customresource_kind', '!~', '.+Revision');
// Kept for a roll back, with nothing to run.
const active = label('desired_state', '!=', 'Inactive');

/** Packages and their revisions. Of a revision v1 writes Healthy, v2 RevisionHealthy, and RuntimeHealthy where it has a runtime. */
const packages: StateMetric = {
  prefix: 'crossplane',
  name: 'package_info',
  labelsOf: ({ kind }) => ({
    healthy: conditionPath('Healthy'),
    paused: pausedBy,
    ...(kind.endsWith('Revision')
      ? {
          desired_state: ['spec', 'desiredState'],
          revision_healthy: conditionPath('RevisionHealthy'),
          runtime_healthy: conditionPath('RuntimeHealthy'),
          runtime_healthy_reason: conditionPath('RuntimeHealthy', 'reason'),
        }
      : { installed: conditionPath('Installed') }),
  }),
  conditionsOf: ({ kind }) => (kind.endsWith('Revision') ? ['healthy'] : ['installed', 'healthy']),
  alerts: [
    {
      alert: 'CrossplanePackageUnhealthy',
      when: [
        [ofPackages, label('installed', '!=', 'True')],
        [ofPackages, label('healthy', '!=', 'True')],
        [ofRevisions, active, label('revision_healthy', '!=', 'True'), label('healthy', '!=', 'True')],
        [
          ofRevisions,
          active,
          label('runtime_healthy', '!~', 'True|'),
          label('runtime_healthy_reason', '!=', 'AwaitingActivation'),
        ],
      ],
      severity: 'critical',
      says: 'is not installed or not healthy',
      means: 'Nothing that rests on it is reconciled.',
    },
    pausedAlert('CrossplanePackagePaused'),
  ],
};

/** CompositeResourceDefinitions: Offered is there only where one offers a claim. */
const definitions: StateMetric = {
  prefix: 'crossplane',
  name: 'definition_info',
  labelsOf: () => ({
    established: conditionPath('Established'),
    offered: conditionPath('Offered'),
    paused: pausedBy,
  }),
  conditionsOf: () => ['established'],
  alerts: [
    {
      alert: 'CrossplaneDefinitionNotEstablished',
      when: [[label('established', '!=', 'True')], [label('offered', '!~', 'True|')]],
      severity: 'critical',
      says: 'is not established or not offered',
      means: 'Its composites and claims are not served.',
    },
    pausedAlert('CrossplaneDefinitionPaused'),
  ],
};

/** The metric of a kind of Crossplane: packages and definitions have conditions of their own. */
export function crossplaneMetric({ group }: GroupKind): StateMetric {
  switch (group) {
    case packageGroup:
      return packages;
    case definitionGroup:
      return definitions;
    default:
      return resources;
  }
}
