import { readyMetric } from '#lib/domain/alarm/state-metric.ts';

/** Stacks of the Pulumi operator. Nothing suspends one. Source: pulumi-kubernetes-operator operator/api/pulumi/v1/stack_types.go. */
export const pulumiMetric = readyMetric('pulumi', 'PulumiStackDesynced', {
  last_update: ['status', 'lastUpdate', 'state'],
  revision: ['status', 'lastUpdate', 'lastSuccessfulCommit'],
});
