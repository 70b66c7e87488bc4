import { day } from '#lib/domain/time/length.ts';
import { apiVersion, commonKinds, neighbourKinds } from '../api/kinds.ts';
import { kubeTime } from '../api/kube-object.ts';
import type { KubeObject } from '../api/kube-object.ts';
import { createDeployment } from '../objects/deployment.ts';
import { uuid } from '../objects/metadata.ts';
import type { Random } from '../random.ts';
import type { ControlPlane } from './control-plane.ts';

interface Application extends KubeObject {
  spec: object;
  status: {
    sync: { status: string; revision: string };
    health: { status: string };
    history: { id: number; revision: string; deployedAt: string }[];
    operationState: object;
    reconciledAt: string;
    controllerNamespace: string;
    resourceHealthSource: string;
    sourceType: string;
    resources: object[];
  };
}

const controller = 'argocd-application-controller';
const settings = { 'timeout.reconciliation': '120s', 'timeout.reconciliation.jitter': '60s' };

/** Puts what shows that Argo CD's application-controller lives, and what it is set to. `startedAt` in ms. */
export function runArgo({ store }: ControlPlane, startedAt: number, random: Random): void {
  const part = { 'app.kubernetes.io/part-of': 'argocd' };
  const plan = {
    name: controller,
    namespace: 'argocd',
    labels: { ...part, 'app.kubernetes.io/name': controller },
    container: {
      name: controller,
      image: 'quay.io/argoproj/argocd:v3.2.11',
      args: [`/usr/local/bin/${controller}`],
      env: Object.entries({
        ARGOCD_RECONCILIATION_TIMEOUT: 'timeout.reconciliation',
        ARGOCD_RECONCILIATION_JITTER: 'timeout.reconciliation.jitter',
      }).map(([name, key]) => ({ name, valueFrom: { configMapKeyRef: { name: 'argocd-cm', key, optional: true } } })),
    },
  };
  const deployment = createDeployment(plan, startedAt, random, 'available');
  store.put({ ...deployment, kind: neighbourKinds.statefulSet.kind }, neighbourKinds.statefulSet);
  const metadata = { name: 'argocd-cm', namespace: 'argocd', uid: uuid(random), labels: part };
  const map: KubeObject & { data: object } = {
    apiVersion: apiVersion(commonKinds.configMap),
    kind: commonKinds.configMap.kind,
    metadata: { ...metadata, creationTimestamp: kubeTime(startedAt - 9 * day) },
    data: settings,
  };
  store.put(map, commonKinds.configMap);
}

/** Plan of an Application. Times in ms. */
export interface ApplicationPlan {
  readonly name: string;
  readonly repository: string;
  readonly path: string;
  readonly namespace: string;
  readonly workloads: readonly string[];
  /** When it was synced last. */
  readonly syncedAt: number;
  /** The commit that its repository offers. */
  head(): string;
}

/**
 * Simulates Argo CD's application controller for one Application that is in sync: it is compared every two to three minutes
 * (timeout.reconciliation and its jitter), and the comparison is dated. Its CRD has no status subresource: each write counts.
 */
export function runApplication(plane: ControlPlane, plan: ApplicationPlan, random: Random): void {
  const object = createApplication(plan, random);

  function compare(at: number): void {
    object.status.reconciledAt = kubeTime(at);
    object.status.sync.revision = plan.head();
    object.metadata.generation = (object.metadata.generation ?? 0) + 1;
    plane.store.put(object, neighbourKinds.application);
  }

  function again(): void {
    plane.scheduler.after(random.between(120_000, 180_000), () => {
      compare(plane.scheduler.now());
      again();
    });
  }

  compare(plane.scheduler.now() - random.between(1_000, 60_000));
  again();
}

function createApplication(plan: ApplicationPlan, random: Random): Application {
  const revision = plan.head();
  const synced = kubeTime(plan.syncedAt);
  return {
    apiVersion: apiVersion(neighbourKinds.application),
    kind: 'Application',
    metadata: {
      name: plan.name,
      namespace: 'argocd',
      uid: uuid(random),
      generation: 1,
      creationTimestamp: kubeTime(plan.syncedAt - day),
    },
    spec: {
      project: 'default',
      source: { repoURL: plan.repository, path: plan.path, targetRevision: 'main' },
      destination: { server: 'https://kubernetes.default.svc', namespace: plan.namespace },
      syncPolicy: { automated: { prune: true, selfHeal: true } },
    },
    status: {
      sync: { status: 'Synced', revision },
      health: { status: 'Healthy' },
      history: [{ id: 0, revision, deployedAt: synced }],
      operationState: { phase: 'Succeeded', startedAt: synced, finishedAt: synced, syncResult: { revision } },
      reconciledAt: synced,
      // As v3.2 writes it: the health of a resource stands in its tree, and not in the Application.
      controllerNamespace: 'argocd',
      resourceHealthSource: 'appTree',
      sourceType: 'Directory',
      resources: plan.workloads.map((name) => ({
        group: 'apps',
        version: 'v1',
        kind: 'Deployment',
        namespace: plan.namespace,
        name,
        status: 'Synced',
      })),
    },
  };
}
