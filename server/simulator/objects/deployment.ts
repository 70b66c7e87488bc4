import { kubeTime } from '../api/kube-object.ts';
import type { KubeObject } from '../api/kube-object.ts';
import type { Random } from '../random.ts';
import { uuid } from './metadata.ts';

interface Deployment extends KubeObject {
  spec: object;
  status: object;
}

/** The Deployment of a controller that is available, made nine days before `at` (ms). */
export function createControllerDeployment(name: string, namespace: string, at: number, random: Random): Deployment {
  const labels = { app: name, 'app.kubernetes.io/part-of': 'flux', 'app.kubernetes.io/instance': namespace };
  const since = kubeTime(at - 9 * 86_400_000);
  const condition = (type: string, reason: string): object => ({ type, status: 'True', reason, lastUpdateTime: since, lastTransitionTime: since });
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, uid: uuid(random), generation: 1, creationTimestamp: since, labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'manager', image: `ghcr.io/fluxcd/${name}` }] } },
    },
    status: {
      observedGeneration: 1,
      replicas: 1,
      updatedReplicas: 1,
      readyReplicas: 1,
      availableReplicas: 1,
      conditions: [condition('Available', 'MinimumReplicasAvailable'), condition('Progressing', 'NewReplicaSetAvailable')],
    },
  };
}
