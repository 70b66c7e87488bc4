import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { ServedKind } from '../api/kinds.ts';
import type { ControlPlane } from '../controllers/control-plane.ts';
import type { CrossplaneProviders } from '../controllers/crossplane-provider.ts';
import type { HelmController } from '../controllers/helm-controller.ts';
import type { KustomizeController } from '../controllers/kustomize-controller.ts';
import type { Scheduler } from '../controllers/scheduler.ts';
import type { SourceController } from '../controllers/source-controller.ts';
import type { SourceWatcher } from '../controllers/source-watcher.ts';
import type { Names } from '../objects/metadata.ts';
import type { Random } from '../random.ts';
import type { ControlRepository } from '../repository/control-repository.ts';
import type { Ledger } from '../truth.ts';
import type { ControllerPods } from './controller-pods.ts';
import type { ClusterPlan } from './plan.ts';

/** Parts that the clusters of a demo share. Intervals in seconds. */
export interface DemoDeps {
  readonly scheduler: Scheduler;
  readonly repository: ControlRepository;
  readonly ledger: Ledger;
  readonly interval: number;
  readonly startedAt: number;
  /** Time of the last sign of the controllers that are dead from the start, ms; null where they live. */
  deadSince(cluster: string): number | null;
}

/** Parts that the objects of one cluster are made with. */
export interface ClusterParts {
  readonly plan: ClusterPlan;
  readonly plane: ControlPlane;
  readonly pods: ControllerPods;
  readonly source: SourceController;
  readonly watcher: SourceWatcher;
  readonly kustomize: KustomizeController;
  readonly helm: HelmController;
  readonly providers: CrossplaneProviders;
  readonly deps: DemoDeps;
  readonly random: Random;
}

/** The reference of an object of a served kind. */
export function refOf(cluster: string, kind: ServedKind, namespace: string, name: string): ObjectRef {
  return { cluster, group: kind.group, kind: kind.kind, namespace, name };
}

/** Registers an object that is well from the start with the ledger. */
export function register({ plan, deps }: ClusterParts, kind: ServedKind, names: Names): void {
  const { name, namespace = '', deliveredBy = null } = names;
  const well = { verdict: 'converged', alsoRight: ['unconfirmed'], from: deps.startedAt, within: 0 } as const;
  deps.ledger.register(refOf(plan.name, kind, namespace, name), well, deliveredBy);
}
