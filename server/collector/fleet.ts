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

/** What the fleet needs. */
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
  lost(cluster: string): void;
  clusters(): readonly { readonly name: string; readonly running: boolean; readonly clockAhead: number | null }[];
  stop(): Promise<void>;
}

/** Reads every configured cluster, and every kubeconfig that comes and goes in a configured directory. */
export async function startFleet(deps: FleetDeps): Promise<Fleet> {
  const { config, clock, log, recorder } = deps;
  const runners = new Map<string, ClusterRunner>();
  const directories: KubeconfigDirectory[] = [];
  const ending = new Set<Promise<void>>();
  const dials = createSemaphore(clock, 24);
  const looks = createSemaphore(clock, 32);
  const remotes = createRemoteApplierIndex();
  const externals = createExternalClaims();
  const unpackedCache = createUnpackedCache(recorder.packer);
  const declared = declaredRows(config.stacks);
  /** Rows that no cluster stands behind, or none yet. */
  const placeholders = new Set<string>();

  function run(name: string, labels: ClusterEntry['labels'], accessResult: ClusterAccessResult): void {
    const { policy } = config;
    const keepMessages = config.messages.keep === 'full';
    const { random, tuning } = deps;
    if (accessResult.type === 'declared') placeholders.add(name);
    else placeholders.delete(name);
    runners.set(
      name,
      startClusterRunner({
        name,
        labels,
        accessResult,
        stacks: config.stacks.filter((stack) => stack.row === name),
        policy,
        keepMessages,
        clock,
        log,
        random,
        recorder,
        dials,
        looks,
        remotes,
        externals,
        unpackedCache,
        ...(tuning ? { tuning } : {}),
      }),
    );
  }

  function settle(work: Promise<unknown>, message: string): void {
    const done = work.then(
      () => void ending.delete(done),
      (error: unknown) => {
        ending.delete(done);
        log.error({ err: error }, message);
      },
    );
    ending.add(done);
  }

  /** A row of its own for what is declared there, where no cluster has that name. */
  function standIn(row: string): void {
    const labels = declared.get(row);
    if (labels && !runners.has(row)) run(row, labels, { type: 'declared' });
  }

  async function replace(
    name: string,
    labels: ClusterEntry['labels'],
    accessResult: ClusterAccessResult,
  ): Promise<void> {
    const before = runners.get(name);
    runners.delete(name);
    await before?.stop();
    run(name, labels, accessResult);
  }

  async function remove(name: string): Promise<void> {
    const before = runners.get(name);
    runners.delete(name);
    await before?.stop();
    await recorder.forget(name, clock.now());
    standIn(name);
  }

  function hear(labels: ClusterEntry['labels'], change: DirectoryChange): void {
    switch (change.type) {
      case 'added':
      case 'changed':
        return settle(
          replace(change.name, labels, { type: 'access', access: change.access }),
          'a kubeconfig could not be taken up',
        );
      case 'removed':
        return settle(remove(change.name), 'a cluster could not be forgotten');
      case 'invalid':
        log.warn({ file: change.file, reason: change.message }, 'a kubeconfig cannot be used');
        // A cluster that runs from the former content runs on; one that never ran is shown as misconfigured.
        if (runners.has(change.name) && !placeholders.has(change.name)) return;
        return settle(
          replace(change.name, labels, { type: 'invalid', message: change.message }),
          'a kubeconfig could not be taken up',
        );
    }
  }

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
      directories.push(
        startKubeconfigDirectory({
          directory: entry.directory,
          options,
          clock,
          log,
          on: (change) => hear(entry.labels, change),
        }),
      );
    } else {
      if (entry.accessResult.type === 'invalid')
        log.warn({ cluster: entry.name, reason: entry.accessResult.message }, 'a kubeconfig cannot be used');
      run(entry.name, entry.labels, entry.accessResult);
    }
  }

  async function complete(): Promise<void> {
    await Promise.all(directories.map((directory) => directory.looked));
    for (const row of declared.keys()) standIn(row);
    for (const name of deps.remembered) {
      if (runners.has(name) || !(await recorder.acquire(name))) continue;
      log.info({ cluster: name }, 'a cluster is configured no longer');
      await recorder.forget(name, clock.now());
    }
  }

  settle(complete(), 'clusters that are configured no longer could not be forgotten');

  return {
    lost: (cluster) => runners.get(cluster)?.restart(),
    clusters: () =>
      [...runners.values()].map((runner) => ({
        name: runner.name,
        running: runner.isRunning(),
        clockAhead: runner.clockAhead(),
      })),
    async stop() {
      await Promise.all(directories.map((directory) => directory.stop()));
      await Promise.all(ending);
      await Promise.all([...runners.values()].map((runner) => runner.stop()));
    },
  };
}
