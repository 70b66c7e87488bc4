import { declaredRows } from '#server/config/declared-stack.ts';
import type { ClusterEntry, PlumblineConfig } from '#server/config/schema.ts';
import type { Clock } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import { startClusterRunner, type ClusterAccessResult, type ClusterRunner } from './cluster-runner.ts';
import {
  startKubeconfigDirectory,
  type DirectoryChange,
  type KubeconfigDirectory,
} from './clusters/kubeconfig/kubeconfig.ts';
import type { ClusterTuning } from './clusters/tuning.ts';
import { createSemaphore } from './clusters/semaphore.ts';
import { openClusterAccess } from './open-cluster-access.ts';
import { createUnpackedCache } from './model/objects/unpacked-cache.ts';
import { createExternalClaims } from './model/claims/external-claims.ts';
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
  stop(): Promise<void>;
}

/** Reads every configured cluster, and every kubeconfig that comes and goes in a configured directory. */
export async function startFleet(deps: FleetDeps): Promise<Fleet> {
  const { config, clock, log, recorder } = deps;
  const runners = createRunners(deps);
  const directories: KubeconfigDirectory[] = [];
  const tasks = createTasks(log);

  // Every kubeconfig is read before the first cluster is: what streams in from one would hold up the reading of the next.
  const opened = await Promise.all(
    config.clusters.map(async (entry) =>
      entry.type === 'directory'
        ? { ...entry, accessResult: null }
        : { ...entry, accessResult: await openClusterAccess(entry, config, clock) },
    ),
  );
  for (const entry of opened) {
    if (entry.type === 'directory') {
      const options = { clock, allowedExecPlugins: config.security.execPlugins };
      const on = (change: DirectoryChange): void => followDirectory(change, entry.labels, { runners, tasks, log });
      directories.push(startKubeconfigDirectory({ directory: entry.directory, options, clock, log, on }));
    } else {
      if (entry.accessResult.type === 'invalid')
        log.warn({ cluster: entry.name, reason: entry.accessResult.message }, 'a kubeconfig cannot be used');
      runners.run(entry.name, entry.labels, entry.accessResult);
    }
  }

  async function complete(): Promise<void> {
    await Promise.all(directories.map((directory) => directory.scanned));
    runners.standInForAll();
    for (const name of deps.remembered) {
      if (runners.has(name) || !(await recorder.acquire(clusterSource(name)))) continue;
      log.info({ cluster: name }, 'a cluster is configured no longer');
      await recorder.forget(name, clock.now());
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
    async stop() {
      await Promise.all(directories.map((directory) => directory.stop()));
      await tasks.done();
      await Promise.all(runners.all().map((runner) => runner.stop()));
    },
  };
}

/** Takes up what happens in a directory of kubeconfigs; its clusters bear the labels of the directory. */
function followDirectory(
  change: DirectoryChange,
  labels: ClusterEntry['labels'],
  { runners, tasks, log }: { readonly runners: Runners; readonly tasks: Tasks; readonly log: Log },
): void {
  switch (change.type) {
    case 'added':
    case 'changed': {
      const taken = runners.replace(change.name, labels, { type: 'access', access: change.access });
      return tasks.add(taken, 'a kubeconfig could not be taken up');
    }
    case 'removed':
      return tasks.add(runners.remove(change.name), 'a cluster could not be forgotten');
    case 'invalid': {
      log.warn({ file: change.file, reason: change.message }, 'a kubeconfig cannot be used');
      // A cluster that runs from the former content runs on; one that never ran is shown as misconfigured.
      if (runners.has(change.name) && !runners.isStandIn(change.name)) return;
      const taken = runners.replace(change.name, labels, { type: 'invalid', message: change.message });
      return tasks.add(taken, 'a kubeconfig could not be taken up');
    }
  }
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

/** The clusters of the fleet, and the rows that stand for none. */
type Runners = ReturnType<typeof createRunners>;

function createRunners({ config, clock, log, random, recorder, tuning }: FleetDeps) {
  const runners = new Map<string, ClusterRunner>();
  const standIns = new Set<string>();
  const declared = declaredRows(config.stacks);
  const shared = {
    policy: config.policy,
    keepMessages: config.messages.keep === 'full',
    clock,
    log,
    random,
    recorder,
    dials: createSemaphore(clock, 24),
    syncs: createSemaphore(clock, 32),
    remotes: createRemoteApplierIndex(),
    externals: createExternalClaims(),
    unpackedCache: createUnpackedCache(recorder.packer),
    ...(tuning ? { tuning } : {}),
  };

  function run(name: string, labels: ClusterEntry['labels'], accessResult: ClusterAccessResult): void {
    if (accessResult.type === 'declared') standIns.add(name);
    else standIns.delete(name);
    const stacks = config.stacks.filter((stack) => stack.row === name);
    runners.set(name, startClusterRunner({ ...shared, name, labels, accessResult, stacks }));
  }

  function standIn(row: string): void {
    const labels = declared.get(row);
    if (labels && !runners.has(row)) run(row, labels, { type: 'declared' });
  }

  async function end(name: string): Promise<void> {
    const before = runners.get(name);
    runners.delete(name);
    await before?.stop();
  }

  return {
    run,
    /** Stops what runs under the name, and runs it anew. */
    async replace(name: string, labels: ClusterEntry['labels'], accessResult: ClusterAccessResult): Promise<void> {
      await end(name);
      run(name, labels, accessResult);
    },
    /** Stops it and forgets what is stored of it. */
    async remove(name: string): Promise<void> {
      await end(name);
      await recorder.forget(name, clock.now());
      standIn(name);
    },
    /** A row of its own for what is declared there, where no cluster has that name. */
    standInForAll(): void {
      for (const row of declared.keys()) standIn(row);
    },
    has: (name: string): boolean => runners.has(name),
    isStandIn: (name: string): boolean => standIns.has(name),
    get: (name: string): ClusterRunner | undefined => runners.get(name),
    all: (): readonly ClusterRunner[] => [...runners.values()],
  };
}
