import { hour, minute } from '#lib/domain/time/length.ts';
import type { ApiServers } from '../api/api-server.ts';
import type { Scheduler } from '../controllers/scheduler.ts';
import type { Random } from '../random.ts';
import { createControlRepository } from '../repository/control-repository.ts';
import type { ControlRepository, Draft } from '../repository/control-repository.ts';
import { authors, rollout, seedPast, startVersions } from '../repository/past.ts';
import type { Versions } from '../repository/past.ts';
import { createLedger } from '../truth.ts';
import type { Ledger } from '../truth.ts';
import { demoKinds, startDemoCluster } from './demo-cluster.ts';
import type { DemoCluster } from './demo-cluster.ts';
import type { DemoDeps } from './cluster-parts.ts';
import type { ClusterPlan } from './plan.ts';
import { componentOf, demoClusters } from './plan.ts';
import { startSimulatedCluster } from './simulated-cluster.ts';

/** The demo's fleet: 14 clusters (or the first few of them) with their controllers, and one control repository. */
export interface DemoFleet {
  readonly clusters: ReadonlyMap<string, DemoCluster>;
  readonly repository: ControlRepository;
  readonly versions: Versions;
  readonly ledger: Ledger;
}

/** Parts that the demo is made with. `interval` in seconds: how often controllers pass. */
export interface DemoFleetDeps {
  readonly scheduler: Scheduler;
  readonly servers: ApiServers;
  readonly directory: string;
  readonly random: Random;
  readonly interval: number;
  readonly clusters: number;
  /** Clusters whose source- and kustomize-controller are dead from the start, and since when (ms). */
  readonly dead: ReadonlyMap<string, number>;
}

/** The plan of cluster `index`: the demo's own, and beyond those made up after the same pattern. */
function planOf(index: number): ClusterPlan {
  const known = demoClusters[index];
  if (known) return known;
  const pattern = demoClusters[index % 8];
  if (!pattern) throw new Error('the demo has no clusters');
  return { ...pattern, name: `${pattern.region}-fleet-${index}` };
}

/** Starts the demo's fleet; all is well in it but for the controllers that are dead. */
export async function startDemoFleet(deps: DemoFleetDeps): Promise<DemoFleet> {
  const { scheduler, random } = deps;
  const startedAt = scheduler.now();
  const plans = Array.from({ length: deps.clusters }, (_, index) => planOf(index));
  const versions = startVersions();
  const past = seedPast(plans, startedAt - 2 * hour, random.fork('past'), versions);
  const repository = createControlRepository(deps.directory, [...past, ...recentPast(plans, startedAt, versions)]);
  const ledger = createLedger();
  const clusters = new Map<string, DemoCluster>();
  const shared: DemoDeps = {
    scheduler,
    repository,
    ledger,
    interval: deps.interval,
    startedAt,
    deadSince: (cluster) => deps.dead.get(cluster) ?? null,
  };
  for (const plan of plans) {
    const seed = random.fork(plan.name);
    const labels = { environment: plan.environment, region: plan.region };
    const gitVersion = plan.environment === 'production' ? 'v1.33.6' : 'v1.34.3';
    const made = { name: plan.name, labels, kinds: demoKinds(plan.name), gitVersion, window: 1000 };
    const cluster = await startSimulatedCluster(made, deps.servers, () => scheduler.now(), seed);
    clusters.set(plan.name, startDemoCluster(plan, cluster, shared, seed));
  }
  return { clusters, repository, versions, ledger };
}

/** The commits of the last two hours, which the story's first faults stem from. */
function recentPast(plans: readonly ClusterPlan[], startedAt: number, versions: Versions): readonly Draft[] {
  const [ines, tomasz, priya] = authors;
  const [accounts, checkout, search] = [componentOf('accounts'), componentOf('checkout'), componentOf('search')];
  const production = plans.filter((plan) => plan.environment === 'production');
  const others = plans.filter((plan) => plan.environment !== 'production');
  const before = (minutes: number): number => startedAt - minutes * minute;
  const trust = 'accounts $: trust the new intermediate certificate';
  const split = 'checkout: split the ingress of eu-west-3 by country';
  const splitVersion = `${versions.current(checkout)}-eu`;
  const warm = 'search $: warm the index before ready (staging)';
  const searchVersion = versions.raise(search);
  const drafts = [
    rollout(accounts, versions.raise(accounts), plans, trust, priya, before(95)),
    rollout(checkout, splitVersion, production.slice(0, 1), split, ines, before(47)),
    rollout(search, searchVersion, others, warm, tomasz, before(40)),
    rollout(search, searchVersion, production, 'Promote search $ to production', tomasz, before(25)),
  ];
  return drafts.filter((draft) => draft.files.size > 0);
}
