import { expect, it } from 'vitest';
import type { Heartbeat, LivenessSign } from './controller-liveness.ts';
import { deadText, heartbeatEvidence, unknownText } from './heartbeat-text.ts';

const signs: readonly LivenessSign[] = [
  ...(['lease-moves', 'pod-available', 'pod-doubted', 'lease-stands', 'stuck', 'no-pod'] as const),
  ...(['scaled-to-zero', 'lease-unmoved', 'not-known', 'which-one', 'nobody'] as const),
];
const bare: Heartbeat = {
  cluster: 'c1',
  namespace: 'flux-system',
  name: 'helm-controller',
  state: 'unknown',
  sign: 'nobody',
  lease: null,
  deployment: null,
  at: null,
  awaitedSince: null,
  interval: null,
};
const whole: Heartbeat = { ...bare, lease: 'flux-system/helm-lease', deployment: 'flux-system/helm', at: 1 };

it('a controller that does not turn is told by its name and its sign', () => {
  expect([...new Set(signs.map((sign) => deadText({ ...bare, sign })))]).toMatchInlineSnapshot(`
    [
      "helm-controller has stopped: its lease does not move any more",
      "helm-controller is stuck: its pod is available, but its lease does not move any more",
      "helm-controller has no pod that is available",
      "helm-controller is scaled to zero",
    ]
  `);
});

it('why nothing tells whether one lives depends on what was ever seen of it', () => {
  const texts = signs.flatMap((sign) => [unknownText({ ...bare, sign }), unknownText({ ...whole, sign })]);
  expect([...new Set(texts)]).toMatchInlineSnapshot(`
    [
      "neither a lease nor a Deployment of helm-controller can be seen",
      "nothing shows that the status of the Deployment of helm-controller was written since the cluster is seen again",
      "the lease of helm-controller was never seen moving",
      "the lease of helm-controller has not been seen moving since the cluster is seen again",
      "some of the instances of helm-controller have stopped, and which of them it is of cannot be told",
      "no instance of helm-controller is known that takes it",
    ]
  `);
});

it('the evidence names the Lease, the Deployment or the StatefulSet where one is known, else the controller', () => {
  const texts = signs.flatMap((sign) =>
    [bare, whole, { ...whole, stateful: true as const }].map((each) => heartbeatEvidence({ ...each, sign }).text),
  );
  expect([...new Set(texts)]).toMatchInlineSnapshot(`
    [
      "lease helm-controller moves",
      "lease flux-system/helm-lease moves",
      "Deployment helm-controller is available",
      "Deployment flux-system/helm is available",
      "StatefulSet flux-system/helm is available",
      "Deployment helm-controller says what it said before the cluster was out of sight",
      "Deployment flux-system/helm says what it said before the cluster was out of sight",
      "StatefulSet flux-system/helm says what it said before the cluster was out of sight",
      "lease helm-controller has not moved since",
      "lease flux-system/helm-lease has not moved since",
      "Deployment helm-controller is available, but lease helm-controller has not moved since",
      "Deployment flux-system/helm is available, but lease flux-system/helm-lease has not moved since",
      "StatefulSet flux-system/helm is available, but lease flux-system/helm-lease has not moved since",
      "Deployment helm-controller has no available pod",
      "Deployment flux-system/helm has no available pod",
      "StatefulSet flux-system/helm has no available pod",
      "Deployment helm-controller is scaled to 0",
      "Deployment flux-system/helm is scaled to 0",
      "StatefulSet flux-system/helm is scaled to 0",
      "lease helm-controller was never seen moving",
      "lease flux-system/helm-lease seen moving last",
      "no lease and no Deployment of helm-controller can be seen",
      "some instances of helm-controller live and some do not",
      "no instance of helm-controller takes objects of this namespace and shard",
    ]
  `);
  expect(heartbeatEvidence(whole)).toMatchObject({ from: 'heartbeat', at: 1 });
});
