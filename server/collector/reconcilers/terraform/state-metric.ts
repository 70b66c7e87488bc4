import { conditionPath, label, type StateMetric } from '#lib/domain/alarm/state-metric.ts';

const runs = [label('suspended', '!=', 'true'), label('break_the_glass', '!=', 'true')] as const;

/**
 * Terraform objects of tofu-controller. A plan that waits for approval is Ready=Unknown for as long as it waits; drift that was found is
 * Ready=False. Source: tofu-controller api/v1alpha2/terraform_types.go.
 */
export const terraformMetric: StateMetric = {
  prefix: 'tofu',
  name: 'resource_info',
  labelsOf: () => ({
    ready: conditionPath('Ready'),
    state_locked: conditionPath('StateLocked'),
    suspended: ['spec', 'suspend'],
    break_the_glass: ['spec', 'breakTheGlass'],
    revision: ['status', 'lastAppliedRevision'],
    source_name: ['spec', 'sourceRef', 'name'],
  }),
  conditionsOf: () => ['ready'],
  alerts: [
    {
      alert: 'TerraformDesynced',
      when: [
        [label('ready', '!=', 'True'), ...runs],
        [label('state_locked', '=', 'True'), ...runs],
      ],
      severity: 'critical',
      says: 'is not ready, or its state is locked',
      means: 'It has drifted, could not be applied, or waits for approval.',
    },
    {
      alert: 'TerraformSuspended',
      when: [[label('suspended', '=', 'true')], [label('break_the_glass', '=', 'true')]],
      severity: 'warning',
      says: 'is suspended',
      means: 'Changes in git do not arrive, and drift is not found.',
    },
  ],
};
