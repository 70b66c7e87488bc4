import { conditionPath, label, type StateMetric } from '../state-metric.ts';

/** Stacks of the Pulumi operator. Nothing suspends one. Source: pulumi-kubernetes-operator operator/api/pulumi/v1/stack_types.go. */
export const pulumiMetric: StateMetric = {
  prefix: 'pulumi',
  name: 'resource_info',
  labelsOf: () => ({
    ready: conditionPath('Ready'),
    last_update: ['status', 'lastUpdate', 'state'],
    revision: ['status', 'lastUpdate', 'lastSuccessfulCommit'],
  }),
  alerts: [
    {
      alert: 'PulumiStackDesynced',
      when: [[label('ready', '!=', 'True')]],
      severity: 'critical',
      says: 'is not ready',
      means: 'What is in git is not applied.',
    },
  ],
};
