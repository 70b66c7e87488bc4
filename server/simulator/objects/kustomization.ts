import { commonKinds } from '../api/kinds.ts';
import type { KubeObject } from '../api/kube-object.ts';
import { kubeTime } from '../api/kube-object.ts';
import type { Random } from '../random.ts';
import { say } from './condition.ts';
import type { StatusCondition } from './condition.ts';
import { setManagedFields } from './managed-fields.ts';
import type { Managers } from './managed-fields.ts';
import { appliedObject, goDuration, specDuration } from './metadata.ts';

/** One entry of status.history. */
export interface HistoryEntry {
  digest: string;
  firstReconciled: string;
  lastReconciled: string;
  lastReconciledDuration: string;
  lastReconciledStatus: string;
  totalReconciliations: number;
  metadata: { revision: string };
}

/** A Kustomization of kustomize-controller 1.9. */
export interface Kustomization extends KubeObject {
  spec: {
    dependsOn?: { name: string }[];
    force: boolean;
    interval: string;
    path: string;
    prune: boolean;
    retryInterval: string;
    sourceRef: KustomizationPlan['source'];
    suspend?: boolean;
    timeout: string;
    wait: boolean;
  };
  status: {
    conditions: StatusCondition[];
    history?: HistoryEntry[];
    inventory?: { entries: { id: string; v: string }[] };
    lastAppliedRevision?: string;
    lastAttemptedRevision?: string;
    observedGeneration: number;
  };
}

/** Plan of a Kustomization. Durations in seconds, times in ms since the epoch. */
export interface KustomizationPlan {
  readonly name: string;
  readonly path: string;
  readonly source: { readonly kind: 'GitRepository' | 'OCIRepository' | 'ExternalArtifact'; readonly name: string };
  readonly dependsOn: readonly string[];
  readonly interval: number;
  readonly retryInterval: number;
  readonly timeout: number;
  readonly wait: boolean;
  readonly prune: boolean;
  readonly inventory: readonly string[];
  readonly createdAt: number;
  /** Other fields of its spec. */
  readonly more?: object;
}

/** A Kustomization as it is just after it was applied: nothing observed yet. */
export function createKustomization(plan: KustomizationPlan, random: Random): Kustomization {
  const names = { name: plan.name, namespace: 'flux-system' };
  const object: Kustomization = {
    ...appliedObject(commonKinds.kustomization, names, plan.createdAt, random, 'finalizers.fluxcd.io'),
    spec: {
      ...(plan.dependsOn.length > 0 ? { dependsOn: plan.dependsOn.map((name) => ({ name })) } : {}),
      force: false,
      interval: specDuration(plan.interval),
      path: plan.path,
      prune: plan.prune,
      retryInterval: specDuration(plan.retryInterval),
      sourceRef: { ...plan.source },
      timeout: specDuration(plan.timeout),
      wait: plan.wait,
      ...plan.more,
    },
    status: { conditions: [], observedGeneration: -1 },
  };
  stampKustomization(object, { statusAt: null });
  return object;
}

/** Keeps managedFields true. `statusAt`: when the controller last wrote (ms). */
export function stampKustomization(object: Kustomization, managers: Omit<Managers, 'controller'>): void {
  setManagedFields(object, { ...managers, controller: 'gotk-kustomize-controller' });
}

/** Puts a completed pass into status.history: one entry per digest and outcome, newest first, five at most. */
export function recordHistory(
  object: Kustomization,
  pass: {
    readonly digest: string;
    readonly status: string;
    readonly revision: string;
    readonly took: number;
    readonly at: number;
  },
): void {
  const history = object.status.history ?? [];
  const known = history.find((entry) => entry.digest === pass.digest && entry.lastReconciledStatus === pass.status);
  const entry: HistoryEntry = {
    digest: pass.digest,
    firstReconciled: known?.firstReconciled ?? kubeTime(pass.at),
    lastReconciled: kubeTime(pass.at),
    lastReconciledDuration: goDuration(pass.took),
    lastReconciledStatus: pass.status,
    metadata: { revision: pass.revision },
    totalReconciliations: (known?.totalReconciliations ?? 0) + 1,
  };
  object.status.history = [entry, ...history.filter((other) => other !== known)].slice(0, 5);
}

/** Gives a Kustomization a past: it has applied `revision` every interval since `since`, last at `last` (ms). */
export function settleKustomization(
  object: Kustomization,
  past: {
    readonly revision: string;
    readonly since: number;
    readonly last: number;
    readonly passes: number;
    readonly digest: string;
  },
  inventory: readonly string[],
  random: Random,
): void {
  const { revision, since, last, passes } = past;
  object.status = {
    conditions: [],
    history: [
      {
        digest: past.digest,
        firstReconciled: kubeTime(since),
        lastReconciled: kubeTime(last),
        lastReconciledDuration: goDuration(random.between(110_000, 480_000) / 1000),
        lastReconciledStatus: 'ReconciliationSucceeded',
        metadata: { revision },
        totalReconciliations: passes,
      },
    ],
    inventory: { entries: inventory.map((id) => ({ id, v: 'v1' })) },
    lastAppliedRevision: revision,
    lastAttemptedRevision: revision,
    observedGeneration: object.metadata.generation ?? 1,
  };
  say(object, last, ['Ready', 'True', 'ReconciliationSucceeded', `Applied revision: ${revision}`]);
  if (object.spec.wait) say(object, last, ['Healthy', 'True', 'Succeeded', 'Health check passed in 5.028ms']);
  stampKustomization(object, { ownerAt: since, statusAt: last });
}
