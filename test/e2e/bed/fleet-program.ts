// The simulated fleet of a bed, in a process of its own: the demo's first faults, which stay, and what the test orders.
import { systemClock } from '#server/runtime/clock.ts';
import { createLog } from '#server/runtime/log.ts';
import { whenParentEnds } from '#server/runtime/parent.ts';
import { commonKinds, groupResource } from '#server/simulator/api/kinds.ts';
import { kubeTime, objectKey, type KubeObject } from '#server/simulator/api/kube-object.ts';
import type { DemoCluster } from '#server/simulator/fleet/demo-cluster.ts';
import { components } from '#server/simulator/fleet/plan.ts';
import { startSimulator, type Simulator } from '#server/simulator/main.ts';
import { authors, rollout } from '#server/simulator/repository/past.ts';
import { type FleetOrder, NumberedOrder } from './orders.ts';

const [directory = '', seed = '1'] = process.argv.slice(2);
const simulator = await startSimulator({
  clock: systemClock,
  log: createLog('simulator'),
  directory,
  seed: Number(seed),
  story: 'opening',
  interval: 60,
});

/** The control repository is called as it would be at its host, so that commits have somewhere to lead to. */
function publish({ cluster, sources }: DemoCluster): void {
  const control = sources.get('control-repo');
  if (!control) throw new Error(`${cluster.name} has no control repository`);
  control.object.spec['url'] = 'https://github.com/acme/fleet';
  cluster.store.put(control.object, commonKinds.gitRepository);
}

for (const one of simulator.demo?.clusters.values() ?? []) publish(one);

function clusterOf(fleet: Simulator, name: string): DemoCluster {
  const found = fleet.demo?.clusters.get(name);
  if (!found) throw new Error(`there is no cluster ${name}`);
  return found;
}

async function obey(what: FleetOrder): Promise<void> {
  const one = clusterOf(simulator, what.cluster);
  switch (what.order) {
    case 'break':
    case 'mend': {
      const handle = one.kustomizations.get(what.kustomization);
      if (!handle) throw new Error(`there is no Kustomization ${what.kustomization}`);
      handle.outcome = what.order === 'break' ? { is: 'build-failed', message: what.message } : { is: 'ok' };
      handle.reconcile();
      return;
    }
    case 'suspend': {
      const handle = one.kustomizations.get(what.kustomization);
      if (!handle) throw new Error(`there is no Kustomization ${what.kustomization}`);
      return handle.setSuspended(true, what.manager);
    }
    case 'commit':
      if (what.breaks !== undefined) {
        const handle = one.kustomizations.get(what.component);
        if (!handle) throw new Error(`there is no Kustomization ${what.component}`);
        handle.outcome = { is: 'build-failed', message: what.breaks };
      }
      return commit(one, what.component, what.subject);
    case 'upgrade':
      return one.pods.upgrade(what.controller);
    case 'lose':
      return one.cluster.server.gate.setReach('refused');
    case 'regain':
      return one.cluster.server.gate.setReach('open');
    case 'forbid':
      one.cluster.access.forbid(what.kind);
      // The kind's watch ends as it does when an API server restarts; the next attempt is refused.
      one.cluster.server.gate.cut();
      return;
    case 'plant':
      one.cluster.store.put(planted(what.object), kindOn(one, what.kind));
      return;
    case 'remove':
      one.cluster.store.remove(groupResource(kindOn(one, what.kind)), objectKey(what.namespace, what.name));
  }
}

function kindOn({ cluster, plan }: DemoCluster, name: string) {
  const kind = cluster.store.kinds().find((served) => groupResource(served) === name);
  if (!kind) throw new Error(`${plan.name} does not serve ${name}`);
  return kind;
}

function commit(one: DemoCluster, name: string, subject: string): void {
  const { demo } = simulator;
  const component = components.find((candidate) => candidate.name === name);
  if (!demo || !component) throw new Error(`there is no component ${name}`);
  const version = demo.versions.raise(component);
  demo.repository.commit(rollout(component, version, [one.plan], subject, authors[0], Date.now()));
  for (const { sources } of demo.clusters.values()) sources.get('control-repo')?.poll();
}

/** apiVersion and kind are the store's own to say; a cluster-scoped object has no namespace. */
function planted(object: Extract<FleetOrder, { order: 'plant' }>['object']): KubeObject {
  const { namespace, ...metadata } = object.metadata;
  const creationTimestamp = kubeTime(Date.now() - 600_000);
  const place = namespace === '' ? {} : { namespace };
  return {
    ...object,
    apiVersion: '',
    kind: '',
    metadata: { ...metadata, ...place, uid: `planted-${metadata.name}`, creationTimestamp },
  };
}

process.on('message', (message: unknown) => {
  const { id, what } = NumberedOrder.parse(message);
  obey(what).then(
    () => process.send?.({ done: id }),
    (error: unknown) => process.send?.({ failed: id, why: String(error) }),
  );
});
whenParentEnds(() => process.exit(0));
process.on('SIGTERM', () => process.exit(0));
process.send?.({ ready: true, configPath: simulator.configPath });
