import { mkdirSync } from 'node:fs';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { startApiServers } from './api/api-server.ts';
import { commonKinds, groupResource } from './api/kinds.ts';
import { createRequestLog } from './api/request-log.ts';
import type { RequestLog } from './api/request-log.ts';
import { startScheduler } from './controllers/scheduler.ts';
import type { Scheduler } from './controllers/scheduler.ts';
import { startBulkFleet } from './fleet/bulk-fleet.ts';
import type { Churn } from './fleet/bulk-fleet.ts';
import { startDemoFleet } from './fleet/demo-fleet.ts';
import type { DemoFleet } from './fleet/demo-fleet.ts';
import { addAlarmSources, declaredStacks, writeConfiguration, writeKubeconfig } from './fleet/kubeconfig.ts';
import type { WrittenKubeconfig } from './fleet/kubeconfig.ts';
import type { SimulatedCluster } from './fleet/simulated-cluster.ts';
import { startDemoMonitoring } from './monitoring/demo-monitoring.ts';
import type { Monitoring } from './monitoring/demo-monitoring.ts';
import { exportedObjects, startGeneratedMonitoring } from './monitoring/generated-monitoring.ts';
import type { MonitoringPlan } from './monitoring/generated-monitoring.ts';
import { intendedAlarms } from './monitoring/demo-intention.ts';
import { seededRandom } from './random.ts';
import { startStory } from './story/story.ts';
import type { Story } from './story/story.ts';
import { deadFromTheStart } from './story/opening.ts';
import { createCertificates } from './tls/certificates.ts';
import type { Expected, ExpectedAlarm } from './truth.ts';

/** Options for starting a simulator. Durations in ms but where named otherwise. */
export interface SimulatorOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Where kubeconfigs, plumbline.yaml and the control repository go; made where absent. */
  readonly directory: string;
  /** The same seed gives the same fleet and the same story. Default 1. */
  readonly seed?: number;
  /** Default 14, the demo's. */
  readonly clusters?: number;
  /** Where given, the fleet is generated for its size: so many kinds with objects per cluster, no story, no controllers. */
  readonly kindsPerCluster?: number;
  /** Objects per cluster of a generated fleet, over all its kinds. Default 1,000. */
  readonly objectsPerCluster?: number;
  /**
   * True if the story unfolds; where not, all is well and stays so. `opening`: the faults that it begins with are there and
   * stay. Default true for the demo's fleet.
   */
  readonly story?: boolean | 'opening';
  /** Interval at which the demo's controllers pass, in seconds. Default 60. */
  readonly interval?: number;
  /** Default 60,000, as API servers do. */
  readonly bookmarkInterval?: number;
  /** True if the demo has a Prometheus and an Alertmanager. Default: where a story is told. No generated fleet has them so. */
  readonly monitoring?: boolean;
  /** Where given, a generated fleet has them, in which so many alerts fire over so many series. */
  readonly monitoringPlan?: MonitoringPlan;
  /** True if connections can be frozen (blackholed). Default: up to 100 clusters. */
  readonly freezable?: boolean;
}

/** A running simulator. */
export interface Simulator {
  stop(): Promise<void>;
  readonly kubeconfigs: readonly WrittenKubeconfig[];
  /** plumbline.yaml, which names every cluster with its labels, the control repository, and the alarm sources. */
  readonly configPath: string;
  /** The bare control repository, null for a generated fleet. */
  readonly repositoryPath: string | null;
  /** PEM of the CA that signed every API server's certificate. */
  readonly ca: string;
  /** Every cluster by name, with its faults. */
  readonly fleet: ReadonlyMap<string, SimulatedCluster>;
  /** The demo's controllers and objects, null for a generated fleet. */
  readonly demo: DemoFleet | null;
  /** Writes objects of a generated fleet anew, null for the demo's. */
  readonly churn: Churn | null;
  /** Prometheus and Alertmanager, null where there are none. */
  readonly monitoring: Monitoring | null;
  readonly requests: RequestLog;
  /** Story so far, null where no story runs. */
  readonly story: Story | null;
  /** Truth of every object at `now` (ms), by the script itself. Empty for a generated fleet, where all is well. */
  truth(now: number): Expected[];
  /** Alarm of every object at `now`, by the script; `alarmWithin` of the policy. Times in ms. Empty where there is no monitoring. */
  alarmTruth(now: number, alarmWithin: number): ExpectedAlarm[];
  /** Replaces a cluster's token; `rewrite` says whether its kubeconfig learns the new one. */
  rotateToken(cluster: string, rewrite: boolean): void;
}

/** Starts a fleet of simulated clusters on 127.0.0.1. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { clock, log, directory } = options;
  const generated = options.kindsPerCluster !== undefined || options.objectsPerCluster !== undefined;
  checkMonitoring(options, generated);
  mkdirSync(directory, { recursive: true });
  const count = options.clusters ?? 14;
  const random = seededRandom(options.seed ?? 1);
  const certificates = await createCertificates(clock.now());
  const requests = createRequestLog();
  const bookmarkInterval = options.bookmarkInterval ?? 60_000;
  const freezable = options.freezable ?? count <= 100;
  const servers = startApiServers({ clock, log, certificates, requests, bookmarkInterval, freezable });
  const scheduler = startScheduler(clock);
  const plot = options.story ?? true;

  const bulk = generated
    ? await startBulkFleet({
        servers,
        scheduler,
        random,
        clusters: count,
        plan: { kinds: options.kindsPerCluster ?? 30, objects: options.objectsPerCluster ?? 1000 },
      })
    : null;
  const demo = generated
    ? null
    : await startDemoFleet({
        scheduler,
        servers,
        directory,
        random,
        interval: options.interval ?? 60,
        clusters: count,
        dead: plot !== false ? deadFromTheStart(clock.now()) : new Map<string, number>(),
      });
  const story =
    demo && plot !== false ? startStory({ fleet: demo, scheduler, random: random.fork('story'), log, plot }) : null;
  const fleet = new Map<string, SimulatedCluster>(bulk?.clusters ?? []);
  for (const [name, one] of demo?.clusters ?? []) fleet.set(name, one.cluster);
  const monitoring = await startMonitoring({ options, demo, story, scheduler, fleet });
  const kubeconfigs = [...fleet.values()].map((cluster) => writeKubeconfig(directory, cluster, certificates.ca));
  const policy: { readonly [key: string]: string } = demo ? { alarmWithin: '10m', behindAfter: '2m' } : {};
  const [first] = fleet.keys();
  const stacks = demo && story && first !== undefined ? declaredStacks(first, demo.repository.url) : [];
  const configPath = writeConfiguration(directory, [...fleet.values()], demo?.repository.url ?? null, policy, stacks);
  if (monitoring) addAlarmSources(configPath, monitoring.sources);
  const objects = [...fleet.values()].reduce((sum, { store }) => sum + countObjects(store), 0);
  log.info({ clusters: fleet.size, objects, configPath }, 'the simulated fleet is up');

  return {
    async stop() {
      scheduler.stop();
      await monitoring?.stop();
      await servers.stop();
    },
    kubeconfigs,
    configPath,
    repositoryPath: demo?.repository.path ?? null,
    ca: certificates.ca,
    fleet,
    demo,
    churn: bulk?.churn ?? null,
    monitoring,
    requests,
    story,
    truth: (now) => demo?.ledger.truth(now) ?? [],
    alarmTruth: (now, alarmWithin) =>
      demo && monitoring ? intendedAlarms(demo.ledger.statedAt(now), now, alarmWithin) : [],
    rotateToken(name, rewrite) {
      const cluster = fleet.get(name);
      if (!cluster) return;
      cluster.rotateToken();
      if (rewrite) writeKubeconfig(directory, cluster, certificates.ca);
    },
  };
}

/** Throws a RangeError where the options ask for monitoring that such a fleet cannot have. */
function checkMonitoring({ monitoring, monitoringPlan }: SimulatorOptions, generated: boolean): void {
  if (!generated && monitoringPlan) throw new RangeError('the monitoring of the demo has its own size');
  if (generated && monitoring) throw new RangeError('the monitoring of a generated fleet needs a plan');
}

/** Starts the monitoring that the options ask for; null: none. */
async function startMonitoring({
  options: { monitoring, monitoringPlan, log, clock },
  demo,
  story,
  scheduler,
  fleet,
}: {
  readonly options: SimulatorOptions;
  readonly demo: DemoFleet | null;
  readonly story: Story | null;
  readonly scheduler: Scheduler;
  readonly fleet: ReadonlyMap<string, SimulatedCluster>;
}): Promise<Monitoring | null> {
  if (demo !== null)
    return (monitoring ?? story !== null) ? startDemoMonitoring({ fleet: demo, scheduler, log }) : null;
  const objects = () => exportedObjects(fleet.values());
  return monitoringPlan
    ? startGeneratedMonitoring({ plan: monitoringPlan, log, now: () => clock.now(), objects })
    : null;
}

function countObjects(store: SimulatedCluster['store']): number {
  const aside = new Set(
    [commonKinds.event, commonKinds.lease, commonKinds.namespace, commonKinds.deployment].map(groupResource),
  );
  return store
    .kinds()
    .map(groupResource)
    .filter((kind) => !aside.has(kind))
    .reduce((sum, kind) => sum + (store.store(kind)?.size ?? 0), 0);
}
