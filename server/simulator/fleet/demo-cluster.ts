import type { ServedKind } from '../api/kinds.ts';
import { commonKinds } from '../api/kinds.ts';
import type { Controller, ControlPlane } from '../controllers/control-plane.ts';
import { startCrossplaneProviders } from '../controllers/crossplane-provider.ts';
import type { CrossplaneProviders, ManagedResourceHandle } from '../controllers/crossplane-provider.ts';
import { createEventRecorder } from '../controllers/event-recorder.ts';
import { startHelmController } from '../controllers/helm-controller.ts';
import type { HelmController } from '../controllers/helm-controller.ts';
import { startKustomizeController } from '../controllers/kustomize-controller.ts';
import type { KustomizeController } from '../controllers/kustomize-controller.ts';
import { startSourceController } from '../controllers/source-controller.ts';
import type { SourceController } from '../controllers/source-controller.ts';
import { startSourceWatcher } from '../controllers/source-watcher.ts';
import type { Random } from '../random.ts';
import { awsKinds, awsProviderConfig, emptyAwsKinds } from './aws.ts';
import { createControllerPods } from './controller-pods.ts';
import type { ControllerPods } from './controller-pods.ts';
import { addCrossplaneObjects, crossplaneKinds } from './crossplane-objects.ts';
import type { ClusterParts, DemoDeps } from './cluster-parts.ts';
import { addDeclaredRules, kindsOfMonitoring } from './declared-rules.ts';
import { listDelivered } from './delivered.ts';
import { addFluxObjects } from './flux-objects.ts';
import type { FluxObjects } from './flux-objects.ts';
import { addNeighbours, kindsOfNeighbours } from './neighbours.ts';
import { addNotifications } from './notifications.ts';
import type { ClusterPlan } from './plan.ts';
import type { SimulatedCluster } from './simulated-cluster.ts';

/** A cluster of the demo: its controllers at work, and a handle to everything that the story changes. */
export interface DemoCluster extends FluxObjects {
  readonly plan: ClusterPlan;
  readonly cluster: SimulatedCluster;
  readonly controllers: {
    readonly source: SourceController;
    readonly kustomize: KustomizeController;
    readonly helm: HelmController;
    readonly providers: CrossplaneProviders;
  };
  readonly pods: ControllerPods;
  /** By kind and name, as `Instance/checkout-eu-west-3`. */
  readonly managed: ReadonlyMap<string, ManagedResourceHandle>;
}

/** The kinds that a cluster of the demo serves. */
export function demoKinds(cluster: string): ServedKind[] {
  return [
    ...Object.values(commonKinds),
    ...Object.values(awsKinds),
    ...emptyAwsKinds,
    awsProviderConfig,
    ...crossplaneKinds,
    ...kindsOfNeighbours(cluster),
    ...kindsOfMonitoring(cluster),
  ];
}

/** Fills a cluster with the demo's objects and starts its controllers. */
export function startDemoCluster(
  plan: ClusterPlan,
  cluster: SimulatedCluster,
  deps: DemoDeps,
  random: Random,
): DemoCluster {
  const { scheduler, startedAt } = deps;
  const events = createEventRecorder(cluster.store, () => scheduler.now(), random.fork('events'));
  const plane: ControlPlane = { store: cluster.store, scheduler, random: random.fork('plane'), events };
  const source = startSourceController(plane, random.fork('source'));
  const watcher = startSourceWatcher(plane, source, random.fork('source-watcher'));
  const kustomize = startKustomizeController(plane, watcher.artifacts, random.fork('kustomize'));
  const helm = startHelmController(plane, random.fork('helm'));
  const providers = startCrossplaneProviders(plane, 60_000);
  const controllers = { source, kustomize, helm, providers };
  const deadSince = deps.deadSince(plan.name);
  if (deadSince !== null) {
    source.kill();
    kustomize.kill();
  }
  const lastSeen = (controller: Controller): number =>
    controller.alive() ? startedAt - random.between(100, 4900) : (deadSince ?? startedAt);
  const pods = createControllerPods(plane, startedAt);
  for (const controller of [source, kustomize, helm]) pods.addFlux(controller, lastSeen(controller));
  pods.addCore(providers, lastSeen(providers));
  const parts = (part: string): ClusterParts => ({
    plan,
    plane,
    pods,
    source,
    watcher,
    kustomize,
    helm,
    providers,
    deps,
    random: random.fork(part),
  });
  const flux = addFluxObjects(parts('flux'));
  const managed = addCrossplaneObjects(parts('crossplane'));
  addNeighbours(parts('neighbours'));
  listDelivered(cluster.store, flux.kustomizations);
  addDeclaredRules(parts('declared'));
  addNotifications(parts('notifications'));
  scheduleExpiry(plane);
  return { plan, cluster, controllers, pods, ...flux, managed };
}

function scheduleExpiry(plane: ControlPlane): void {
  plane.scheduler.after(60_000, () => {
    plane.events.expire();
    scheduleExpiry(plane);
  });
}
