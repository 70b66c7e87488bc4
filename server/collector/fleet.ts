import { join } from 'node:path';
import { metricsFor } from '#server/config/alarms-schema.ts';
import { declaredRows } from '#server/config/declared-stack.ts';
import type { ClusterEntry, DirectoryEntry, PlumblineConfig } from '#server/config/schema.ts';
import type { Clock } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import { createClusterStandings, type ClusterStanding } from './cluster-standings.ts';
import { startClusterRunner, type ClusterAccessResult, type ClusterRunner } from './cluster-runner.ts';
import {
  startKubeconfigDirectory,
  type DirectoryChange,
  type KubeconfigDirectory,
} from './clusters/kubeconfig/kubeconfig.ts';
import { pause } from './clusters/pause.ts';
import type { ClusterTuning } from './clusters/tuning.ts';
import { createSemaphore } from './clusters/semaphore.ts';
import { type ClusterClaims, createClusterClaims } from './cluster-claims.ts';
import { configuredClaim, directoryClaim, wordsOfFile } from './open-cluster-access.ts';
import { createUnpackedCache } from './model/objects/unpacked-cache.ts';
import { createExternalClaims } from './model/claims/external-claims.ts';
import { hubsBy } from './hubs.ts';
import { createRemoteApplierIndex } from './model/remote/remote-applier-index.ts';
import type { Recorder } from './recorder/recorder.ts';
import { clusterSource, type FactSource } from '#server/store/port/port.ts';

/** Needed to read the fleet. */
export interface FleetDeps {
  readonly config: PlumblineConfig;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: () => number;
  readonly recorder: Recorder;
  /** Clusters of which the store holds a present record: what is configured no longer is forgotten. */
  readonly remembered: readonly string[];
  readonly tuning?: Partial<ClusterTuning>;
}

/** Everything that is being read. */
export interface Fleet {
  /** The cluster must be acquired and loaded again. */
  lost(source: FactSource): void;
  clusters(): readonly { readonly name: string; readonly running: boolean; readonly clockAhead: number | null }[];
  /** Clusters that are not seen, by name. */
  notSeen(): readonly ClusterStanding[];
  stop(): Promise<void>;
}

/** A cluster that is to be forgotten and that another collector holds is asked for again after so long (ms). */
const askAgain = 1_000;

/** Reads every configured cluster, and every kubeconfig that comes and goes in a configured directory. */
export async function startFleet(deps: FleetDeps): Promise<Fleet> {
  const { config, clock, log, recorder } = deps;
  const claims = createClusterClaims();
  const forgetting = createForgetting(deps);
  const runners = createRunners(deps, claims, forgetting);
  const directories: KubeconfigDirectory[] = [];
  const tasks = createTasks(log);

  // Every kubeconfig is read before the first cluster is: what streams in from one would hold up the reading of the next.
  const configured = await Promise.all(
    config.clusters.flatMap((entry) => (entry.type === 'cluster' ? [configuredClaim(entry, config, clock)] : [])),
  );
  for (const claim of configured) {
    claims.put(claim);
    if (claim.accessResult.type === 'invalid')
      log.warn({ cluster: claim.name, reason: claim.accessResult.message }, 'a kubeconfig cannot be used');
    runners.run(claim.name, claim.labels, claim.accessResult);
  }
  for (const [rank, entry] of config.clusters.entries()) {
    if (entry.type !== 'directory') continue;
    const options = { clock, allowedExecPlugins: config.security.execPlugins };
    const on = (change: DirectoryChange): void => followDirectory(change, entry, rank, { runners, claims, tasks, log });
    directories.push(startKubeconfigDirectory({ ...entry, options, clock, log, on }));
  }

  /** Forgets what is held by nobody; false where another one has it, or where the process ends before it is done. */
  async function forgetUnnamed(name: string): Promise<boolean> {
    if (runners.has(name)) return true;
    if (!(await recorder.acquire(clusterSource(name)))) return false;
    if (runners.has(name)) return true;
    log.info({ cluster: name }, 'a cluster is configured no longer');
    return forgetting.forget(name);
  }

  async function complete(): Promise<void> {
    await Promise.all(directories.map((directory) => directory.scanned));
    runners.standInForAll();
    let left = deps.remembered;
    while (left.length > 0 && !forgetting.isStopped()) {
      const held: string[] = [];
      for (const name of left) if (!forgetting.isStopped() && !(await forgetUnnamed(name))) held.push(name);
      left = held;
      // A collector that was killed holds on for a while, and is followed at once.
      if (left.length > 0) await forgetting.pause(askAgain);
    }
  }

  tasks.add(complete(), 'clusters that are configured no longer could not be forgotten');

  return {
    lost({ type, name }) {
      if (type === 'cluster') runners.get(name)?.restart();
    },
    clusters: () =>
      runners.all().map((runner) => ({
        name: runner.name,
        running: runner.isRunning(),
        clockAhead: runner.clockAhead(),
      })),
    notSeen: runners.notSeen,
    async stop() {
      forgetting.stop();
      await Promise.all(directories.map((directory) => directory.stop()));
      await tasks.done();
      await Promise.all(runners.all().map((runner) => runner.stop()));
    },
  };
}

/** Needed to take up what happens in a directory. */
interface Following {
  readonly runners: Runners;
  readonly claims: ClusterClaims;
  readonly tasks: Tasks;
  readonly log: Log;
}

/** Takes up what happens in a directory of kubeconfigs, the `rank`th of plumbline.yaml; its clusters bear the labels of the directory. */
function followDirectory(change: DirectoryChange, entry: DirectoryEntry, rank: number, following: Following): void {
  const { claims, log } = following;
  const path = join(entry.directory, change.file);
  if (change.type === 'left-out') return log.warn({ file: path, reason: change.message }, 'a file is no cluster');
  if (change.type === 'invalid') log.warn({ file: path, reason: change.message }, 'a kubeconfig cannot be used');
  const { name } = change;
  const by = wordsOfFile(change, entry);
  const before = claims.holder(name);
  const mine = claims.find(name, by);
  // A cluster that runs from the former content runs on.
  if (change.type === 'invalid' && mine?.accessResult.type === 'access') return;
  const claim = directoryClaim(change, entry, rank);
  if (claim === null) claims.remove(name, by);
  else claims.put(claim);
  const held = claims.holder(name);
  if (claim !== null && held !== claim)
    log.warn({ file: path, cluster: name, holder: held?.by }, 'a kubeconfig is not read: its name is taken');
  if (claim === null ? before?.by === by : held === claim) takeUp(name, following);
  else following.runners.get(name)?.renew();
}

/** Runs what holds a name now, or forgets the cluster where nothing does. */
function takeUp(name: string, { runners, claims, tasks }: Following): void {
  const held = claims.holder(name);
  if (held === null) return tasks.add(runners.remove(name), 'a cluster could not be forgotten');
  tasks.add(runners.replace(name, held.labels, held.accessResult), 'a kubeconfig could not be taken up');
}

/** Work that is under way beside everything else; one that fails is logged. */
type Tasks = ReturnType<typeof createTasks>;

function createTasks(log: Log) {
  const underWay = new Set<Promise<void>>();
  return {
    add(work: Promise<unknown>, message: string): void {
      const done = work.then(
        () => void underWay.delete(done),
        (error: unknown) => {
          underWay.delete(done);
          log.error({ err: error }, message);
        },
      );
      underWay.add(done);
    },
    done: (): Promise<unknown> => Promise.all(underWay),
  };
}

/** Forgets clusters until it is stopped. */
type Forgetting = ReturnType<typeof createForgetting>;

function createForgetting({ recorder, clock }: Pick<FleetDeps, 'recorder' | 'clock'>) {
  const stopped = Promise.withResolvers<boolean>();
  const stopper = new AbortController();
  return {
    isStopped: (): boolean => stopper.signal.aborted,
    /** Lets so much time pass (ms), as far as the process gets with that. */
    pause: (ms: number): Promise<void> => pause(clock, ms, stopper.signal),
    /** True once it is done; false where the process ends before that: the next one goes on with it. */
    async forget(name: string): Promise<boolean> {
      const done = recorder.forget(name, clock.now()).then(() => true);
      return await Promise.race([done, stopped.promise]);
    },
    stop(): void {
      stopper.abort();
      stopped.resolve(false);
    },
  };
}

/** Ends of clusters that are under way, by name. */
function createEndings(log: Log) {
  const underWay = new Map<string, Promise<void>>();
  return {
    /** Resolves once this end and those before it of the same name are done; false where another one has come meanwhile: that goes on. */
    async add(name: string, stopped: Promise<void>): Promise<boolean> {
      // What ends may wait for a credential plugin, and writes under the same lease until then.
      const done = Promise.all([underWay.get(name), stopped]).then(
        () => undefined,
        (error: unknown) => log.error({ err: error, cluster: name }, 'a cluster could not be left'),
      );
      underWay.set(name, done);
      await done;
      if (underWay.get(name) !== done) return false;
      underWay.delete(name);
      return true;
    },
  };
}

/** The clusters of the fleet, and the rows that stand for none. */
type Runners = ReturnType<typeof createRunners>;

function createRunners(
  { config, clock, log, random, recorder, tuning }: FleetDeps,
  claims: ClusterClaims,
  forgetting: Forgetting,
) {
  const runners = new Map<string, ClusterRunner>();
  const endings = createEndings(log);
  const standIns = new Set<string>();
  const declared = declaredRows(config.stacks);
  const hubs = hubsBy(config.security.hubs);
  const standings = createClusterStandings(log);
  const shared = {
    onRow: standings.take,
    policy: config.policy,
    keepMessages: config.messages.keep === 'full',
    clock,
    log,
    random,
    recorder,
    dials: createSemaphore(clock, 24),
    syncs: createSemaphore(clock, 32),
    remotes: createRemoteApplierIndex(hubs.isHub),
    externals: createExternalClaims(),
    unpackedCache: createUnpackedCache(recorder.packer),
    ...(tuning ? { tuning } : {}),
  };

  function run(name: string, labels: ClusterEntry['labels'], accessResult: ClusterAccessResult): void {
    if (accessResult.type === 'declared') standIns.add(name);
    else standIns.delete(name);
    const stacks = config.stacks.filter((stack) => stack.row === name);
    const reached = accessResult.type === 'access' ? claims.holder(name) : null;
    for (const caution of reached?.cautions() ?? [])
      log.warn({ cluster: name, caution }, 'a cluster is reached in a weak way');
    runners.set(
      name,
      startClusterRunner({
        ...{ ...shared, name, labels, accessResult, stacks, metrics: metricsFor(config.alarms, name) },
        cautions: (reachesOver) => [...claims.cautions(name), ...hubs.cautions(reachesOver)],
      }),
    );
  }

  function standIn(row: string): void {
    const labels = declared.get(row);
    if (labels && !runners.has(row)) run(row, labels, { type: 'declared' });
  }

  function end(name: string): Promise<boolean> {
    const before = runners.get(name);
    runners.delete(name);
    return endings.add(name, before?.stop() ?? Promise.resolve());
  }

  return {
    run,
    /** Stops what runs under the name, and runs it anew. */
    async replace(name: string, labels: ClusterEntry['labels'], accessResult: ClusterAccessResult): Promise<void> {
      if (await end(name)) run(name, labels, accessResult);
    },
    /** Stops it and forgets what is stored of it, as far as the process gets with that. */
    async remove(name: string): Promise<void> {
      // Where it has come back meanwhile, it goes on.
      if (!(await end(name))) return;
      standings.forget(name);
      if (await forgetting.forget(name)) standIn(name);
    },
    /** A row of its own for what is declared there, where no cluster has that name. */
    standInForAll(): void {
      for (const row of declared.keys()) standIn(row);
    },
    has: (name: string): boolean => runners.has(name),
    get: (name: string): ClusterRunner | undefined => runners.get(name),
    all: (): readonly ClusterRunner[] => [...runners.values()],
    notSeen: standings.lost,
  };
}
