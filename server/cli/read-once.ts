import { asKnownAt } from '#lib/domain/verdict/as-known-at.ts';
import type { CurrentCluster, CurrentObject } from '#lib/domain/record/current.ts';
import { declaredRows } from '../config/declared-stack.ts';
import type { PlumblineConfig } from '../config/schema.ts';
import { openClusterAccess } from '../collector/open-cluster-access.ts';
import { createRemoteApplierIndex } from '../collector/model/remote/remote-applier-index.ts';
import { startClusterModel, type ClusterModel } from '../collector/model/cluster-model.ts';
import { createWritten, type Written } from '../collector/model/changes/written.ts';
import { startClusterSession } from '../collector/clusters/session.ts';
import { startKubeconfigDirectory } from '../collector/clusters/kubeconfig/kubeconfig.ts';
import type { ClusterAccessResult } from '../collector/cluster-runner.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';

/** Everything that one look at the fleet found, as known at its end. */
export interface FleetReading {
  /** ms since the epoch */
  readonly at: number;
  readonly clusters: readonly CurrentCluster[];
  readonly objects: readonly CurrentObject[];
}

interface ReadOnceDeps {
  readonly config: PlumblineConfig;
  readonly clock: Clock;
  readonly log: Log;
  /** Time for clusters in all, ms. */
  readonly within: number;
  /** Told again and again how many of the clusters have been read. */
  readonly onProgress?: (progress: Progress) => void;
}

/** Progress of a read: clusters that are done, those that are connected and not done yet, and all. */
export interface Progress {
  readonly done: number;
  readonly reading: number;
  readonly clusters: number;
}

interface Reading {
  readonly model: ClusterModel;
  readonly written: Written;
  readonly session: { stop(): Promise<void> } | null;
  readonly broken: boolean;
}

/** Leases are looked at often in a single look: one that is never seen moving proves nothing. */
const leasesEvery = 5_500;
const betweenChecks = 100;
/** A cluster that has not answered by then is said to be out of reach (ms). */
const patience = 15_000;

async function namedEntrances(
  deps: ReadOnceDeps,
): Promise<readonly { name: string; labels: CurrentCluster['labels']; accessResult: ClusterAccessResult }[]> {
  const { config, clock, log } = deps;
  const found: { name: string; labels: CurrentCluster['labels']; accessResult: ClusterAccessResult }[] = [];
  for (const entry of config.clusters) {
    if (entry.type === 'cluster') {
      found.push({
        name: entry.name,
        labels: entry.labels,
        accessResult: await openClusterAccess(entry, config, clock),
      });
      continue;
    }
    const options = { clock, allowedExecPlugins: config.security.execPlugins };
    const directory = startKubeconfigDirectory({
      directory: entry.directory,
      options,
      clock,
      log,
      on(change) {
        if (change.type === 'added')
          found.push({
            name: change.name,
            labels: entry.labels,
            accessResult: { type: 'access', access: change.access },
          });
        if (change.type === 'invalid')
          found.push({
            name: change.name,
            labels: entry.labels,
            accessResult: { type: 'invalid', message: change.message },
          });
      },
    });
    await directory.scanned;
    await directory.stop();
  }
  const names = new Set(found.map(({ name }) => name));
  for (const [name, labels] of declaredRows(config.stacks))
    if (!names.has(name)) found.push({ name, labels, accessResult: { type: 'declared' } });
  return found;
}

/** Lists and judges every configured cluster once, without a store. Clusters that do not answer in time are shown as they are. */
export async function readOnce(deps: ReadOnceDeps): Promise<FleetReading> {
  const { clock, log, config } = deps;
  const startedAt = clock.now();
  const remotes = createRemoteApplierIndex();
  const readings: Reading[] = (await namedEntrances(deps)).map(({ name, labels, accessResult }) => {
    const written = createWritten();
    const model = startClusterModel({
      cluster: name,
      labels,
      policy: config.policy,
      clock,
      restored: null,
      keepMessages: config.messages.keep === 'full',
      stacks: config.stacks.filter((stack) => stack.row === name),
      remotes,
      write: written.take,
    });
    if (accessResult.type === 'declared') {
      model.take({ type: 'no-cluster', at: clock.now() });
      return { model, written, session: null, broken: true };
    }
    if (accessResult.type === 'invalid') {
      model.take({
        type: 'disconnected',
        at: clock.now(),
        fault: { type: 'credentials', message: accessResult.message },
      });
      return { model, written, session: null, broken: true };
    }
    const session = startClusterSession({
      access: accessResult.access,
      cluster: name,
      clock,
      log,
      random: Math.random,
      resume: [],
      tuning: { leasesEvery },
      on: (event) => model.take(event),
    });
    return { model, written, session, broken: false };
  });

  const read = readings.filter(({ model }) => model.cluster().state !== 'declared');

  function isDone({ model, broken }: Reading, now: number): boolean {
    return broken || model.inStep() || (now >= startedAt + patience && model.cluster().state !== 'connecting');
  }

  /** Tells how far it is; whether it is over. */
  function isOver(now: number): boolean {
    const left = read.filter((reading) => !isDone(reading, now));
    const reading = left.filter(({ model }) => model.cluster().lastWordAt !== null).length;
    deps.onProgress?.({ done: read.length - left.length, reading, clusters: read.length });
    return left.length === 0 || now >= startedAt + deps.within;
  }

  await new Promise<void>((resolve) => {
    function check(): void {
      if (isOver(clock.now())) resolve();
      else setTimeout(check, betweenChecks);
    }
    check();
  });

  const at = clock.now();
  const clusters = readings.map(({ model }) => model.cluster());
  const byName = new Map(clusters.map((cluster) => [cluster.name, cluster]));
  const objects = readings.flatMap(({ written }) =>
    written.state().objects.map(({ object }) => asKnownAt(object, byName.get(object.ref.cluster) ?? null, at)),
  );
  await Promise.all(
    readings.map(async ({ model, session }) => {
      model.stop();
      await session?.stop();
    }),
  );
  return { at, clusters, objects };
}
