import { day } from '#lib/domain/time/length.ts';
import { kubeTime } from '../api/kube-object.ts';
import type { KubeObject } from '../api/kube-object.ts';
import type { Random } from '../random.ts';
import { uuid } from './metadata.ts';

/** A Deployment of a controller. */
export interface Deployment extends KubeObject {
  spec: { replicas: number; selector: object; template: object };
  status: object;
}

/** State of its pods: one runs, none comes up, or none is asked for. */
export type Pods = 'available' | 'unavailable' | 'scaled-to-zero';

/** Plan of a Deployment of a controller. */
export interface DeploymentPlan {
  readonly name: string;
  readonly namespace: string;
  readonly labels: { readonly [key: string]: string };
  readonly owner?: object;
  readonly container: { readonly name: string; readonly image: string; readonly args: readonly string[] };
}

/** A controller of Flux as its own manifests make it (flux2 manifests/bases). */
export function fluxDeployment(program: string, version: string): DeploymentPlan {
  return {
    name: program,
    namespace: 'flux-system',
    labels: {
      'app.kubernetes.io/component': program,
      'app.kubernetes.io/instance': 'flux-system',
      'app.kubernetes.io/part-of': 'flux',
      'app.kubernetes.io/version': 'v2.9.4',
      'control-plane': 'controller',
    },
    container: {
      name: 'manager',
      image: `ghcr.io/fluxcd/${program}:${version}`,
      args: [
        '--events-addr=http://notification-controller.$(RUNTIME_NAMESPACE).svc.cluster.local./',
        ...['--watch-all-namespaces', '--log-level=info', '--log-encoding=json', '--enable-leader-election'],
      ],
    },
  };
}

/** Crossplane's core as its chart makes it (cluster/charts/crossplane). */
export function coreDeployment(): DeploymentPlan {
  return {
    name: 'crossplane',
    namespace: 'crossplane-system',
    labels: { 'app.kubernetes.io/name': 'crossplane', 'app.kubernetes.io/part-of': 'crossplane' },
    container: {
      name: 'crossplane',
      image: 'xpkg.crossplane.io/crossplane/crossplane:v2.3.3',
      args: ['core', 'start', '--leader-election'],
    },
  };
}

/** The runtime of a provider revision: called after it, and owned by it (crossplane internal/controller/pkg/runtime). */
export function providerDeployment(revision: string, owner: object, image: string): DeploymentPlan {
  return {
    name: revision,
    namespace: 'crossplane-system',
    labels: { 'pkg.crossplane.io/revision': revision },
    owner,
    container: { name: 'package-runtime', image, args: [] },
  };
}

/** A Deployment that was made nine days before `at` (ms). */
export function createDeployment(plan: DeploymentPlan, at: number, random: Random, pods: Pods): Deployment {
  const { name, namespace, labels, owner, container } = plan;
  const deployment: Deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name,
      namespace,
      uid: uuid(random),
      generation: 0,
      creationTimestamp: kubeTime(at - 9 * day),
      labels: { ...labels },
      ...(owner ? { ownerReferences: [owner] } : {}),
    },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [container] } },
    },
    status: {},
  };
  setPods(deployment, pods, at - 9 * day);
  return deployment;
}

/** Lets its pods run something else, from `at` (ms) on. */
export function setImage(deployment: Deployment, container: DeploymentPlan['container'], at: number): void {
  const { template } = deployment.spec;
  deployment.spec = { ...deployment.spec, template: { ...template, spec: { containers: [container] } } };
  setPods(deployment, 'available', at);
}

/** Lets its pods come up, go, or be scaled away, at `at` (ms). Kubernetes calls a Deployment without pods available too. */
export function setPods(deployment: Deployment, pods: Pods, at: number): void {
  const replicas = pods === 'scaled-to-zero' ? 0 : 1;
  const generation = (deployment.metadata.generation ?? 0) + 1;
  deployment.metadata.generation = generation;
  deployment.spec = { ...deployment.spec, replicas };
  const condition = (type: string, status: string, reason: string): object => ({
    type,
    status,
    reason,
    lastUpdateTime: kubeTime(at),
    lastTransitionTime: kubeTime(at),
  });
  deployment.status = {
    observedGeneration: generation,
    ...(replicas === 0 ? {} : { replicas, updatedReplicas: replicas }),
    ...(pods === 'available' ? { readyReplicas: 1, availableReplicas: 1 } : {}),
    ...(pods === 'unavailable' ? { unavailableReplicas: 1 } : {}),
    conditions: [
      pods === 'unavailable'
        ? condition('Available', 'False', 'MinimumReplicasUnavailable')
        : condition('Available', 'True', 'MinimumReplicasAvailable'),
      condition('Progressing', 'True', 'NewReplicaSetAvailable'),
    ],
  };
}
