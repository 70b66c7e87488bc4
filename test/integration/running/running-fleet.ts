import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asKnownAt } from '#lib/domain/verdict/as-known-at.ts';
import type { CurrentCluster, CurrentObject } from '#lib/domain/record/current.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { ClusterTuning } from '#server/collector/clusters/tuning.ts';
import { startFleet, type Fleet } from '#server/collector/fleet.ts';
import { startRecorder, type Recorder } from '#server/collector/recorder/recorder.ts';
import { loadConfig } from '#server/config/load-config.ts';
import type { PlumblineConfig } from '#server/config/schema.ts';
import type { Clock } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import { startSimulator, type Simulator, type SimulatorOptions } from '#server/simulator/main.ts';
import { startFollower, type Follower } from '#server/web/cache/follower.ts';
import { createFleetCache, type FleetCache } from '#server/web/cache/fleet-cache.ts';
import { sqliteStore } from '#server/web/cache/store-source.ts';

/** Numbers of a cluster session that make its long waits short; ms on the clock that all share. */
export const shortWaits: Partial<ClusterTuning> = {
  pingAfter: 6_000,
  pingTimeout: 4_000,
  renewEvery: 2_000,
  backoffCap: 5_000,
  silentAfter: 34_000,
  relistAfter: 30_000,
  forbiddenRetry: 6_000,
  pageLimit: 4,
  discoveryEvery: 10_000,
  leasesEvery: 10_000,
  probeEvery: 20_000,
};

/** Bookmarks come twice within `silentAfter`, as they do in a real cluster (60 s and 130 s). */
export const bookmarkInterval = 10_000;

/** A directory of its own for one test; removed by `remove`. */
export function workDirectory(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'plumbline-fleet-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Starts a simulated fleet where all is well. */
export function startQuietSimulator(
  options: Pick<SimulatorOptions, 'clock' | 'log' | 'directory'> & Partial<SimulatorOptions>,
): Promise<Simulator> {
  return startSimulator({ story: false, clusters: 1, bookmarkInterval, ...options });
}

/** A collector as its main program puts it together. */
export interface RunningCollector {
  readonly fleet: Fleet;
  readonly recorder: Recorder;
  readonly path: string;
  stop(): Promise<void>;
}

/** Options that the collector is started with. */
export interface CollectorOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly directory: string;
  readonly config: PlumblineConfig;
  readonly holder?: string;
  readonly tuning?: Partial<ClusterTuning>;
  /** Time for which the store's lease of a cluster lasts (ms). Its thread is slow beside a fast clock. */
  readonly leaseTtl?: number;
}

/** The configuration that the simulator has written. */
export async function configOf(simulator: Simulator): Promise<PlumblineConfig> {
  const loaded = await loadConfig(simulator.configPath);
  if (loaded.type === 'invalid') throw new Error(JSON.stringify(loaded.problems));
  return loaded.config;
}

/** Starts recorder and fleet over the store in `directory`. */
export async function startCollector({
  clock,
  log,
  directory,
  config,
  holder = 'test',
  tuning = shortWaits,
  leaseTtl = 120_000,
}: CollectorOptions): Promise<RunningCollector> {
  const path = join(directory, 'plumbline.db');
  let fleet: Fleet | null = null;
  const recorder = await startRecorder({
    path,
    holder,
    clock,
    log,
    leaseTtl,
    onLost: (source) => fleet?.lost(source),
  });
  if ('type' in recorder) throw new Error(recorder.type);
  const started = await startFleet({ config, clock, log, random: Math.random, recorder, remembered: [], tuning });
  fleet = started;
  return {
    fleet: started,
    recorder,
    path,
    async stop() {
      await started.stop();
      await recorder.stop();
    },
  };
}

/** Screen that a reader of the store sees, through the clock. */
export interface Screen {
  readonly fleetCache: FleetCache;
  readonly follower: Follower;
  cluster(name: string): CurrentCluster | null;
  /** One object as it may be shown now; null where it is not there. */
  object(ref: ObjectRef): CurrentObject | null;
  objects(): readonly CurrentObject[];
  stop(): Promise<void>;
}

/** Follows a store as the web process does. */
export function startScreen(path: string, clock: Clock, log: Log): Screen {
  const fleetCache = createFleetCache();
  const { source } = sqliteStore(path, log);
  const follower = startFollower({ source, fleetCache, clock, log });
  const cluster = (name: string): CurrentCluster | null => fleetCache.clusterCache(name)?.record ?? null;
  return {
    fleetCache,
    follower,
    cluster,
    object(ref) {
      const stored = fleetCache.object(ref);
      return stored && asKnownAt(stored, cluster(ref.cluster), clock.now());
    },
    objects: () =>
      [...fleetCache.clusterCaches()].flatMap((clusterCache) =>
        [...clusterCache.objects.values()].map((object) => asKnownAt(object, clusterCache.record, clock.now())),
      ),
    stop: () => follower.stop(),
  };
}
