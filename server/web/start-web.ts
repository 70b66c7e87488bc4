import type { AlarmBook } from '#lib/domain/alarm/alarm-book.ts';
import type { Server } from 'node:http';
import type { NamedPair } from '#lib/domain/commit/pairs.ts';
import type { Policy } from '#lib/domain/guarantee/guarantee.ts';
import { isOutOfSight } from '#lib/domain/verdict/as-known-at.ts';
import { foreignName } from '#lib/foreign-words.ts';
import type { ConfiguredRepository } from '#lib/git-host/git-links.ts';
import type { Clock } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import { remoteGit } from '#server/git/port/remote-git.ts';
import type { PodSettings } from '#server/runtime/serving/pod-server.ts';
import type { Retention, StoreReader } from '#server/store/port/port.ts';
import { readVersion } from '#server/runtime/version.ts';
import type { EmbedSettings } from '#server/config/schema.ts';
import type { Access } from './access/access.ts';
import { createAlarmCache } from './alarms/alarm-cache.ts';
import { sharedGit } from './git/shared-git.ts';
import { fairGit } from './turns/fair-git.ts';
import { awaitedCommits } from './commits/wait/awaited-commit.ts';
import { withSuspects } from './suspects/report-suspects.ts';
import { startWanting } from './commits/want-repositories.ts';
import { embeds } from './embeds/embeds.ts';
import { keyRing } from './embeds/key-file.ts';
import type { LinkList } from './embeds/link-list.ts';
import { boardShelf } from './fleet/board-shelf.ts';
import { knownMoment } from './fleet/known-moment.ts';
import { type BesideStart, serveBeside } from './metrics/serve-beside.ts';
import type { ClusterAsNamed } from './metrics/serve-metrics.ts';
import { fleetFigures } from './metrics/fleet-figures.ts';
import { webMetrics } from './metrics/web-metrics.ts';
import type { PastSettings } from './past/kept-moments.ts';
import { pastMoments, type PastAnswers } from './past/past-moments.ts';
import type { Present } from './present.ts';
import type { Follower, StoreSource } from './cache/follower.ts';
import { startFollower } from './cache/follower.ts';
import { knownFleet } from './cache/known-fleet.ts';
import { createFleetCache } from './cache/fleet-cache.ts';
import { readyUrl } from './ready-url.ts';
import { limitedServer } from './http/limited-server.ts';
import { isRefused } from './http/problem.ts';
import { reportService } from './report/report-service.ts';
import { startRecordFacts } from './record-facts.ts';
import { requestHandler, type PageMount } from './request-handler.ts';
import { passTurns } from './stream/pass-turns.ts';
import { startStreamHub } from './stream/stream-hub.ts';
import { worlds as worldsOf, type Worlds } from './worlds/worlds.ts';
import { linksOf } from './wire/wire-context.ts';

/** Parts of the web process. */
export interface WebDeps {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Port of loopback for the metrics; 0 for any free one, null for none. */
  readonly metricsPort: number | null;
  /** For the cluster that it runs on; null where it has no container of its own. */
  readonly pod: PodSettings | null;
  readonly source: StoreSource;
  readonly policy: Policy;
  /** Opens what answers of past moments over the store that `source` has open; rejects where it cannot. */
  readonly openPast: (store: StoreReader, settings: PastSettings) => Promise<PastAnswers>;
  /** Time for which the collector keeps the record. */
  readonly retention: Retention;
  readonly repositories: readonly ConfiguredRepository[];
  /** Directories that are the same thing in two environments. */
  readonly pairs: readonly NamedPair[];
  /** Keeps what the store has of alarms. */
  readonly alarms: AlarmBook;
  /** The socket of the git process, which may not be there. */
  readonly gitSocket: string;
  readonly embeds: EmbedSettings;
  /** The links that were signed, and which are revoked. */
  readonly links: LinkList;
  /** Origin by which people reach the pages; null where only this machine does. */
  readonly publicUrl: string | null;
  /** Who is asked for; `openAccess` where nobody is. */
  readonly access: Access;
  readonly simulated: boolean;
  readonly clock: Clock;
  readonly log: Log;
  /** Mounts the pages once the port is known; null for the API alone. */
  readonly mountPages: ((port: number) => Promise<PageMount>) | null;
}

/** The running web process, or why it does not run: the port is taken or may not be bound. */
export type WebStart =
  | {
      readonly type: 'started';
      readonly port: number;
      /** null where the metrics are not served. */
      readonly metricsPort: number | null;
      /** null where the cluster is told nothing. */
      readonly podPort: number | null;
      readonly follower: Follower;
      readonly worlds: Pick<Worlds, 'of'>;
      stop(): Promise<void>;
    }
  | { readonly type: 'refused'; readonly message: string };

/**
 * Starts the web process: follows the store, serves API, stream and health, metrics to this machine alone, and hands every other path to the pages.
 * `stop` ends streams first (a browser resumes them elsewhere by id), then the server, the pages and the store.
 */
export async function startWeb(deps: WebDeps): Promise<WebStart> {
  const { host, publicUrl, clock, log } = deps;
  const parts = startParts(deps);
  const { follower, hub, present, past, shown, metrics } = parts;
  let pages: PageMount | null = null;
  let beside: BesideStart | null = null;
  let port = deps.port;
  let mounting = deps.mountPages !== null;

  function notReady(): string | null {
    if (mounting) return 'The pages are being mounted.';
    if (!follower.synced()) return parts.trouble() ?? 'The store is being read for the first time.';
    return null;
  }

  const origin = (): string => publicUrl ?? readyUrl(host, port);
  const answers = {
    worlds: parts.worlds,
    access: deps.access,
    notSeen: () => notSeen(present).length,
    metrics,
    embeds: shown,
    pages: () => pages,
  };
  const handler = requestHandler({ ...answers, publicUrl, origin, notReady, clock, log });
  const server = limitedServer(handler);

  async function stop(): Promise<void> {
    await parts.worlds.stop();
    await hub.stop();
    await closeServer(server);
    if (beside?.type === 'started') await beside.stop();
    await pages?.close();
    parts.wanting.stop();
    parts.record.stop();
    await past.stop();
    await follower.stop();
  }

  const bound = await listen(server, deps.port, host);
  if (bound.type === 'refused') {
    await stop();
    return bound;
  }
  port = bound.port;
  const told = { metricsPort: deps.metricsPort, pod: deps.pod, notSeen: () => notSeen(present) };
  beside = await serveBeside({ ...told, log, metrics, notReady });
  if (beside.type === 'refused') {
    await stop();
    return beside;
  }
  if (deps.mountPages) {
    try {
      pages = await deps.mountPages(bound.port);
    } catch (error) {
      await stop();
      throw error;
    }
    mounting = false;
  }
  log.info({ host, port: bound.port }, 'serving');
  void past.prepare().then(() => present.reports.prepare());
  return { ...beside, port: bound.port, follower, worlds: parts.worlds, stop };
}

/** Starts what follows the store, and makes what answers from it. */
function startParts(deps: WebDeps) {
  const { source, policy, clock, log, simulated } = deps;
  const alarmCache = createAlarmCache(deps.alarms);
  const { alarms } = alarmCache;
  const fleetCache = createFleetCache();
  const fleet = knownFleet(fleetCache, policy, alarms);
  const follower = startFollower({ source, fleetCache, alarmCache, clock, log, onChanges });
  const { reader } = follower;

  function onChanges(): void {
    hub.nudge();
    worlds.nudge();
  }

  /** Trouble of the store, for people: why it cannot be read, and why it cannot be written. */
  function trouble(): string | null {
    const found = [follower.trouble(), follower.condition()].filter((words) => words !== null);
    return found.length === 0 ? null : found.join(' ');
  }

  const record = startRecordFacts({ reader, retention: deps.retention, clock, log });
  const time = (): number => clock.now();
  const git = sharedGit(fairGit(remoteGit(deps.gitSocket), time), time);
  const known = { fleetCache, alarms, clock, policy, links: linksOf(deps.repositories), simulated, git, reader };
  const made = { ...known, fleet, trouble, record: record.now, boards: boardShelf() };
  const now = knownMoment(made);
  const turns = passTurns(clock);
  const hub = startStreamHub({ known: now, clock, log, turns });
  const reports = reportService({
    record: () => reader()?.record ?? null,
    clusters: fleetCache.clusterCaches,
    now: () => clock.now(),
    alarmWithin: policy.alarmWithin,
    simulated,
    version: readVersion(),
    rules: (clusters) => alarms.loadedRules(clusters, clock.now()),
  });
  const { embeds: settings, publicUrl, links } = deps;
  const ready = follower.synced;
  const seen = { fleetCache, fleet, alarms, policy, simulated, clock };
  const shown = embeds({ ...seen, ring: keyRing(settings.keys), links, reports, settings, publicUrl, ready, log });
  const figures = fleetFigures();
  const metrics = webMetrics({
    objects: fleetCache.size,
    clusters: () => [...fleetCache.clusterCaches()].length,
    storeReadable: () => follower.synced() && follower.trouble() === null,
    storeBytes: () => record.now()?.bytes ?? 0,
    streamClients: hub.clients,
    framesSent: hub.framesSent,
    storeReadAt: follower.readAt,
    fleet: () => (ready() ? figures(fleet.all(clock.now()), now.recordOf) : null),
    version: readVersion(),
    access: deps.access.counts,
  });
  // Embeds show figures alone, and wait for no git.
  const named: typeof reports = {
    ...reports,
    async report(query) {
      const report = await reports.report(query);
      return isRefused(report) ? report : withSuspects(report, now);
    },
  };
  const present: Present = {
    ...now,
    commits: awaitedCommits(clock),
    pairs: () => Promise.resolve(deps.pairs),
    reports: named,
    embeds: shown,
    streams: hub,
  };
  const wanting = startWanting({ git, fleet, clock });
  const ofPast = { policy, repositories: deps.repositories, simulated, gitSocket: deps.gitSocket };
  const past = pastMoments({ fleetCache, clock, log, reader, open: (store) => deps.openPast(store, ofPast) });
  const worlds = worldsOf({ present, whole: { known: now, made }, past, version: readVersion(), log, turns });
  return { follower, trouble, record, wanting, hub, present, past, shown, metrics, worlds };
}

/** Clusters that should be seen and are not, as it may be told now. */
function notSeen({ fleet, now }: Present): readonly ClusterAsNamed[] {
  return fleet
    .all(now())
    .flatMap(({ name, known: { state, since } }) =>
      isOutOfSight(state) ? [{ name: foreignName(name), state, since }] : [],
    );
}

type Bound = { readonly type: 'bound'; readonly port: number } | { readonly type: 'refused'; readonly message: string };

function listen(server: Server, port: number, host: string): Promise<Bound> {
  return new Promise((resolve) => {
    server.once('error', (error) =>
      resolve({ type: 'refused', message: `cannot serve on ${host}:${port}: ${error.message}` }),
    );
    server.listen(port, host, () => {
      const address = server.address();
      resolve({ type: 'bound', port: typeof address === 'object' && address !== null ? address.port : port });
    });
  });
}

/** Requests under way may end; connections that only wait are closed at once, all others after a second. */
function closeServer(server: Server): Promise<void> {
  if (!server.listening) return Promise.resolve();
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), 1_000);
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    server.closeIdleConnections();
  });
}
