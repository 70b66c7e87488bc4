import { commonKinds } from '../api/kinds.ts';
import { kubeTime } from '../api/kube-object.ts';
import type { KubeObject } from '../api/kube-object.ts';
import type { Random } from '../random.ts';
import { say } from './condition.ts';
import type { Said, StatusCondition } from './condition.ts';
import { setManagedFields } from './managed-fields.ts';
import { appliedObject, digest, goDuration, specDuration } from './metadata.ts';

/** One entry of status.history of a HelmRelease. */
export interface ReleaseSnapshot {
  action: string;
  apiVersion: string;
  appVersion: string;
  chartName: string;
  chartVersion: string;
  configDigest: string;
  digest: string;
  firstDeployed: string;
  lastDeployed: string;
  name: string;
  namespace: string;
  status: string;
  version: number;
}

/** A HelmRelease of helm-controller 1.6. */
export interface HelmRelease extends KubeObject {
  spec: {
    chart: {
      spec: {
        chart: string;
        version: string;
        interval: string;
        sourceRef: { kind: string; name: string; namespace: string };
      };
    };
    driftDetection?: { mode: 'enabled' | 'warn' | 'disabled' };
    interval: string;
    suspend?: boolean;
    values: object;
  };
  status: {
    conditions: StatusCondition[];
    helmChart?: string;
    history?: ReleaseSnapshot[];
    inventory?: { entries: { id: string; v: string }[] };
    lastAttemptedConfigDigest?: string;
    lastAttemptedGeneration?: number;
    lastAttemptedReleaseAction?: string;
    lastAttemptedReleaseActionDuration?: string;
    lastAttemptedRevision?: string;
    observedGeneration: number;
    storageNamespace?: string;
    upgradeFailures?: number;
  };
}

/** Plan of a HelmRelease. Interval in seconds, times in ms. */
export interface HelmReleasePlan {
  readonly name: string;
  readonly namespace: string;
  readonly chart: string;
  readonly version: string;
  readonly appVersion: string;
  readonly repository: string;
  readonly driftDetection: 'enabled' | 'warn' | null;
  readonly interval: number;
  readonly deliveredBy: string;
  readonly createdAt: number;
  readonly deployedAt: number;
  readonly lastPass: number;
  /** Declared version of its chart, where that is a range. */
  readonly range?: string;
  /** Other fields of its spec. */
  readonly more?: object;
}

/** Keeps managedFields true; their time is the heartbeat of a HelmRelease. */
export function stampHelmRelease(object: HelmRelease, statusAt: number): void {
  setManagedFields(object, { controller: 'helm-controller', statusAt });
}

/** Says that nothing has drifted. */
export const noDrift: Said = ['Drifted', 'False', 'NoDriftDetected', 'No drift detected against the cluster state'];

/** The text of a successful upgrade. */
export function upgradedMessage(object: HelmRelease): string {
  const release = object.status.history?.[0];
  const { name, namespace = '' } = object.metadata;
  return `Helm upgrade succeeded for release ${namespace}/${name}.v${release?.version ?? 1} with chart ${release?.chartName}@${release?.chartVersion}`;
}

/** A HelmRelease that was deployed at `deployedAt` and has passed until `lastPass`. */
export function createHelmRelease(plan: HelmReleasePlan, random: Random): HelmRelease {
  const { name, namespace } = plan;
  const configDigest = digest(random);
  const object: HelmRelease = {
    ...appliedObject(commonKinds.helmRelease, plan, plan.createdAt, random, 'finalizers.fluxcd.io'),
    spec: {
      chart: {
        spec: {
          chart: plan.chart,
          version: plan.range ?? plan.version,
          interval: specDuration(plan.interval),
          sourceRef: { kind: 'HelmRepository', name: plan.repository, namespace: 'flux-system' },
        },
      },
      ...(plan.driftDetection ? { driftDetection: { mode: plan.driftDetection } } : {}),
      interval: specDuration(plan.interval),
      ...plan.more,
      values: { replicaCount: random.between(2, 4), resources: { requests: { cpu: '100m', memory: '128Mi' } } },
    },
    status: {
      conditions: [],
      helmChart: `flux-system/${namespace}-${name}`,
      history: [
        {
          action: 'upgrade',
          apiVersion: 'v2',
          appVersion: plan.appVersion,
          chartName: plan.chart,
          chartVersion: plan.version,
          configDigest,
          digest: digest(random),
          firstDeployed: kubeTime(plan.createdAt),
          lastDeployed: kubeTime(plan.deployedAt),
          name,
          namespace,
          status: 'deployed',
          version: random.between(2, 9),
        },
      ],
      inventory: {
        entries: ['apps_Deployment', '_Service', '_ServiceAccount', '_ConfigMap'].map((kind) => ({
          id: `${namespace}_${name}_${kind}`,
          v: 'v1',
        })),
      },
      lastAttemptedConfigDigest: configDigest,
      lastAttemptedGeneration: 1,
      lastAttemptedReleaseAction: 'upgrade',
      lastAttemptedReleaseActionDuration: goDuration(random.between(900, 9000)),
      lastAttemptedRevision: plan.version,
      observedGeneration: 1,
      storageNamespace: namespace,
    },
  };
  const good = ['True', 'UpgradeSucceeded', upgradedMessage(object)] as const;
  say(object, plan.deployedAt, ['Ready', ...good], ...(plan.driftDetection ? [noDrift] : []), ['Released', ...good]);
  stampHelmRelease(object, plan.lastPass);
  return object;
}
