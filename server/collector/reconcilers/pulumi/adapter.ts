import { kindsOf, type Adapter } from '../adapter.ts';
import { observeStack, operator } from './stack.ts';

/** The Pulumi Kubernetes operator (v2). It is found by discovery; no cluster is expected to have it. */
export const pulumi: Adapter = {
  reconciler: 'pulumi',
  kinds: kindsOf('pulumi.com', { stacks: 'Stack' }),
  // operator/cmd/main.go: LeaderElectionID; operator/config/manager/manager.yaml.
  controllers: [{ name: operator, namespace: operator, lease: 'operator.pulumi.com' }],
  observe: observeStack,
};
