import { kindsOf, type Adapter } from '../adapter.ts';
import { observeStack, operator } from './stack.ts';
import { pulumiMetric } from './state-metric.ts';

/** The Pulumi Kubernetes operator (v2). It is found by discovery; no cluster is expected to have it. */
export const pulumi: Adapter = {
  reconciler: 'pulumi',
  kinds: kindsOf('pulumi.com', { stacks: 'Stack' }),
  unjudged: [
    { group: 'pulumi.com', kind: 'Program', why: 'it is what a Stack runs' },
    { group: 'auto.pulumi.com', kind: 'Workspace', why: 'it serves a Stack, which is judged' },
    { group: 'auto.pulumi.com', kind: 'Update', why: 'it is one run of a Stack, which is judged' },
  ],
  // operator/cmd/main.go: LeaderElectionID; operator/config/manager/manager.yaml.
  controllers: [{ name: operator, namespace: operator, lease: 'operator.pulumi.com' }],
  metricOf: () => pulumiMetric,
  observe: observeStack,
};
