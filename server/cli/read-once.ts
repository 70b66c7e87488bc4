import { asKnownAt } from '#lib/domain/verdict/as-known-at.ts';
import type { CurrentCluster, CurrentObject } from '#lib/domain/record/current.ts';
import { declaredRows } from '../config/declared-stack.ts';
import type { PlumblineConfig } from '../config/schema.ts';
import { type ClusterClaim, type ClusterClaims, createClusterClaims } from '../collector/cluster-claims.ts';
import { configuredClaim, directoryClaim, wordsOfFile } from '../collector/open-cluster-access.ts';
import { hubsBy } from '#server/collector/hubs.ts';
import { createRemoteApplierIndex } from '../collector/model/remote/remote-applier-index.ts';
import { startClusterModel, type ClusterModel } from '../collector/model/cluster-model.ts';
import { createWritten, type Written } from '../collector/model/changes/written.ts';
import { startClusterSession } from '../collector/clusters/session.ts';
import { readKubeconfigDirectory } from '../collector/clusters/kubeconfig/kubeconfig.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';

/** Everything that one look at the fleet found, as known at its end. */
export interface FleetReading {
  /** ms since the epoch */
  readonly at: number;
  readonly clusters: readonly CurrentCluster[];
  readonly objects: readonly CurrentObject[];
  /** Files and directories from which no cluster comes, a line each. */
  readonly leftOut: readonly string[];
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

interface Entrance extends Pick<ClusterClaim, 'name' | 'labels' | 'accessResult'> {
  readonly cautions: (reachesOver: boolean) => readonly string[];
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

/** The clusters that are configured and named by the kubeconfigs of directories, and what was left out, a line each. */
async function waysIn({
  config,
  clock,
  log,
}: ReadOnceDeps): Promise<{ readonly claims: ClusterClaims; readonly leftOut: readonly string[] }> {
  const claims = createClusterClaims();
  const leftOut: string[] = [];
  for (const [rank, entry] of config.clusters.entries()) {
    if (entry.type === 'cluster') {
      claims.put(await configuredClaim(entry, config, clock));
      continue;
    }
    const options = { clock, allowedExecPlugins: config.security.execPlugins };
    const found = await readKubeconfigDirectory({ ...entry, options, log });
    for (const change of found) {
      const claim = directoryClaim(change, entry, rank);
      if (claim !== null) claims.put(claim);
      else if (change.type === 'left-out') leftOut.push(`${wordsOfFile(change, entry)}: ${change.message}`);
    }
    if (found.every(({ type }) => type === 'left-out')) leftOut.push(`${entry.directory}: it holds no kubeconfig`);
  }
  return { claims, leftOut };
}

/** All that is read: a row for each name that is held, and one for what is only declared. */
function entrances(
  claims: ClusterClaims,
  stacks: PlumblineConfig['stacks'],
  hubs: ReturnType<typeof hubsBy>,
): readonly Entrance[] {
  const held = claims.names().flatMap((name): readonly Entrance[] => {
    const claim = claims.holder(name);
    return claim === null
      ? []
      : [{ ...claim, cautions: (reachesOver) => [...claims.cautions(name), ...hubs.cautions(reachesOver)] }];
  });
  const declared = [...declaredRows(stacks)].filter(([name]) => claims.holder(name) === null);
  return [
    ...held,
    ...declared.map(([name, labels]): Entrance => ({
      name,
      labels,
      accessResult: { type: 'declared' },
      cautions: () => [],
    })),
  ];
}

/** Lists and judges every configured cluster once, without a store. Clusters that do not answer in time are shown as they are. */
export async function readOnce(deps: ReadOnceDeps): Promise<FleetReading> {
  const { clock, log, config } = deps;
  const startedAt = clock.now();
  const hubs = hubsBy(config.security.hubs);
  const remotes = createRemoteApplierIndex(hubs.isHub);
  const { claims, leftOut } = await waysIn(deps);
  const readings: Reading[] = entrances(claims, config.stacks, hubs).map(({ name, labels, accessResult, cautions }) => {
    const written = createWritten();
    const model = startClusterModel({
      cluster: name,
      labels,
      policy: config.policy,
      clock,
      restored: null,
      keepMessages: config.messages.keep === 'full',
      stacks: config.stacks.filter((stack) => stack.row === name),
      cautions,
      remotes,
      write: written.take,
    });
    if (accessResult.type === 'declared') {
      model.take({ type: 'no-cluster', at: clock.now() });
      return { model, written, session: null, broken: true };
    }
    if (accessResult.type === 'invalid') {
      const fault = { type: 'credentials' as const, message: accessResult.message };
      model.take({ type: 'disconnected', at: clock.now(), fault });
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
  return { at, clusters, objects, leftOut };
}
