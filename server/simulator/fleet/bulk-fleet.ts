import type { ApiServers } from '../api/api-server.ts';
import { commonKinds, groupResource } from '../api/kinds.ts';
import { alwaysAlive } from '../controllers/control-plane.ts';
import type { ControlPlane } from '../controllers/control-plane.ts';
import type { Scheduler } from '../controllers/scheduler.ts';
import type { Random } from '../random.ts';
import { bulkInventories, bulkKinds, fillBulk, templateOf } from './bulk.ts';
import type { BulkKind, BulkPlan } from './bulk.ts';
import { createControllerPods } from './controller-pods.ts';
import type { SimulatedCluster } from './simulated-cluster.ts';
import { startSimulatedCluster } from './simulated-cluster.ts';

/** Writes to objects of a generated fleet, at random and evenly. */
export interface Churn {
  /** So many writes a second from now on, over the whole fleet; 0 stops. */
  setRate(perSecond: number): void;
  /** Writes one object at random now. */
  write(): void;
  /** Number of writes that were made. */
  count(): number;
}

/** Parts that a generated fleet is made with. */
export interface BulkFleetDeps {
  readonly servers: ApiServers;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly clusters: number;
  readonly plan: BulkPlan;
}

const tick = 10;

/** Starts a generated fleet: any number of clusters, their objects made from templates when they are read. */
export async function startBulkFleet(
  deps: BulkFleetDeps,
): Promise<{ clusters: Map<string, SimulatedCluster>; churn: Churn }> {
  const { scheduler, random } = deps;
  const clusters = new Map<string, SimulatedCluster>();
  const filled: { readonly cluster: SimulatedCluster; readonly kinds: readonly BulkKind[] }[] = [];
  const kinds = bulkKinds(deps.plan.kinds);
  const managed = kinds.filter((kind) => kind.categories.includes('managed'));
  const applied = bulkInventories(deps.plan);
  const templates = new Map(
    kinds.map((kind) => [
      kind.kind,
      templateOf(kind, { runs: managed, applied }, scheduler.now(), random.fork(kind.kind)),
    ]),
  );
  const environments = ['production', 'production', 'staging', 'sandbox'] as const;
  for (let index = 0; index < deps.clusters; index++) {
    const seed = random.fork(`cluster-${index}`);
    const name = `cluster-${String(index).padStart(4, '0')}`;
    const labels = {
      environment: environments[index % 4] ?? 'production',
      region: ['eu', 'us', 'ap'][index % 3] ?? 'eu',
    };
    const served = [...new Set([...Object.values(commonKinds), ...kinds])];
    const cluster = await startSimulatedCluster(
      { name, labels, kinds: served, gitVersion: 'v1.34.3', window: 50 },
      deps.servers,
      () => scheduler.now(),
      seed,
    );
    filled.push({ cluster, kinds: fillBulk(cluster.store, deps.plan, templates, index) });
    const events = { emit: () => undefined, expire: () => undefined };
    const plane: ControlPlane = { store: cluster.store, scheduler, random: seed, events };
    const pods = createControllerPods(plane, scheduler.now());
    for (const controller of ['source-controller', 'kustomize-controller', 'helm-controller'])
      pods.addFlux(alwaysAlive(controller), scheduler.now());
    pods.addCore(alwaysAlive('crossplane'), scheduler.now());
    clusters.set(name, cluster);
  }

  const choice = random.fork('churn');
  let rate = 0;
  let owed = 0;
  let running = false;
  let written = 0;

  function write(): void {
    const at = filled[choice.between(0, filled.length - 1)];
    const one = at?.kinds[choice.between(0, at.kinds.length - 1)];
    if (!at || !one || one.count === 0) return;
    written++;
    at.cluster.store.touch(groupResource(one.kind), one.template, choice.between(0, one.count - 1), written);
  }

  function run(): void {
    running = rate > 0;
    if (!running) return;
    owed += (rate * tick) / 1000;
    for (; owed >= 1; owed--) write();
    scheduler.after(tick, run);
  }

  const churn: Churn = {
    setRate(perSecond) {
      rate = perSecond;
      if (!running) run();
    },
    write,
    count: () => written,
  };
  return { clusters, churn };
}
