import { kubeTime } from '../api/kube-object.ts';
import type { KubeObject } from '../api/kube-object.ts';
import type { Random } from '../random.ts';
import { uuid } from './metadata.ts';

interface Deployment extends KubeObject {
  spec: object;
  status: object;
}

/** The Deployment of a controller, made nine days before `at` (ms); without a ready pod where it is not available. */
export function createControllerDeployment(
  name: string,
  namespace: string,
  at: number,
  random: Random,
  available = true,
): Deployment {
  const labels = { app: name, 'app.kubernetes.io/part-of': 'flux', 'app.kubernetes.io/instance': namespace };
  const since = kubeTime(at - 9 * 86_400_000);
  const condition = (type: string, status: string, reason: string): object => ({
    type,
    status,
    reason,
    lastUpdateTime: since,
    lastTransitionTime: since,
  });
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, uid: uuid(random), generation: 1, creationTimestamp: since, labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'manager', image: `ghcr.io/fluxcd/${name}` }] },
      },
    },
    status: {
      observedGeneration: 1,
      replicas: 1,
      updatedReplicas: 1,
      ...(available ? { readyReplicas: 1, availableReplicas: 1 } : { unavailableReplicas: 1 }),
      conditions: [
        available
          ? condition('Available', 'True', 'MinimumReplicasAvailable')
          : condition('Available', 'False', 'MinimumReplicasUnavailable'),
        condition('Progressing', 'True', 'NewReplicaSetAvailable'),
      ],
    },
  };
}
