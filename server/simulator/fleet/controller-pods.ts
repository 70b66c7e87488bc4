import { statusKeeper } from '#lib/domain/heartbeat/liveness-kinds.ts';
import { commonKinds } from '../api/kinds.ts';
import { alwaysAlive } from '../controllers/control-plane.ts';
import type { Controller, ControlPlane } from '../controllers/control-plane.ts';
import { holdLease, type HeldLease } from '../controllers/lease-holder.ts';
import { coreDeployment, createDeployment, fluxDeployment, setImage, setPods } from '../objects/deployment.ts';
import type { Deployment, DeploymentPlan, Pods } from '../objects/deployment.ts';

/** The versions of Flux's controllers that the simulated clusters run. */
const versions: { readonly [program: string]: string } = {
  'source-controller': 'v1.9.1',
  'kustomize-controller': 'v1.9.4',
  'helm-controller': 'v1.6.3',
  'source-watcher': 'v2.2.0',
};

/** Signs that the controllers of one cluster live: their leases and Deployments. */
export type ControllerPods = ReturnType<typeof createControllerPods>;

/** Pods of a controller of Flux on the simulated clusters that goes away: one does not come up again, the other is scaled away. */
export function podsOfDead(name: string): Pods {
  return name === 'kustomize-controller' ? 'scaled-to-zero' : 'unavailable';
}

function nextPatch(version: string): string {
  return version.replace(/\d+$/, (patch) => String(Number(patch) + 1));
}

/** Starts with kube-controller-manager alone, which writes the status of Deployments and never dies. `startedAt` in ms. */
export function createControllerPods(plane: ControlPlane, startedAt: number) {
  const deployments = new Map<string, Deployment>();
  const leases = new Map<string, HeldLease>();
  const runs = new Map(Object.entries(versions));
  const { namespace, name: keeper } = statusKeeper;
  holdLease({ ...plane, random: plane.random.fork(keeper) }, alwaysAlive(keeper), namespace, keeper, startedAt);

  function put(deployment: Deployment): void {
    deployments.set(deployment.metadata.name, deployment);
    plane.store.put(deployment, commonKinds.deployment);
  }

  return {
    /** Starts a controller of Flux, whose lease was renewed at `lastSeen` (ms). */
    addFlux(controller: Controller, lastSeen: number): void {
      const { name } = controller;
      leases.set(name, holdLease(plane, controller, 'flux-system', `${name}-leader-election`, lastSeen));
      const pods = controller.alive() ? 'available' : podsOfDead(name);
      put(createDeployment(fluxDeployment(name, versions[name] ?? 'v1.0.0'), startedAt, plane.random, pods));
    },
    /** Starts another controller with its Deployment and its lease. */
    add(controller: Controller, deployment: DeploymentPlan, lease: string, lastSeen: number): void {
      holdLease(plane, controller, deployment.namespace, lease, lastSeen);
      put(createDeployment(deployment, startedAt, plane.random, 'available'));
    },
    /** Starts Crossplane's core, which lives as long as its providers do. */
    addCore(providers: Controller, lastSeen: number): void {
      const core: Controller = { ...providers, name: 'crossplane' };
      holdLease(plane, core, 'crossplane-system', 'crossplane-leader-election-core', lastSeen);
      put(createDeployment(coreDeployment(), startedAt, plane.random, 'available'));
    },
    /** A controller of Flux is upgraded to the next patch of its version: its Deployment's image, then another pod leads. */
    upgrade(name: string): void {
      const deployment = deployments.get(name);
      const version = nextPatch(runs.get(name) ?? 'v1.0.0');
      if (!deployment) return;
      runs.set(name, version);
      setImage(deployment, fluxDeployment(name, version).container, plane.scheduler.now());
      plane.store.put(deployment, commonKinds.deployment);
      // The new pod pulls its image first.
      plane.scheduler.after(4_000, () => leases.get(name)?.handOver());
    },
    /** Sets the state of the pods of a controller, by its name. */
    set(name: string, pods: Pods): void {
      const deployment = deployments.get(name);
      if (!deployment) return;
      setPods(deployment, pods, plane.scheduler.now());
      plane.store.put(deployment, commonKinds.deployment);
    },
  };
}
