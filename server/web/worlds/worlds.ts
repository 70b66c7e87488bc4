import { LRUCache } from 'lru-cache';
import { longestWait } from '#lib/api/git/suspect.ts';
import { scopeKey, type ViewScope } from '#lib/domain/access/scope.ts';
import { parseScope } from '#lib/domain/matrix/embed-scope.ts';
import type { Log } from '#server/runtime/log.ts';
import { awaitedCommits } from '../commits/wait/awaited-commit.ts';
import { inTime } from '../git/in-time.ts';
import { isRefused, refuse } from '../http/problem.ts';
import type { PastMoments } from '../past/past-moments.ts';
import type { Past, Present } from '../present.ts';
import { reportService } from '../report/report-service.ts';
import type { PassTurns } from '../stream/pass-turns.ts';
import { startStreamHub, type StreamHub } from '../stream/stream-hub.ts';
import { withSuspects } from '../suspects/report-suspects.ts';
import { webRuntimeOf, type WebRuntime } from '../web-runtime.ts';
import { lazyHub } from './lazy-hub.ts';
import { pairsWithin } from './pairs-within.ts';
import { sightOver } from './sight.ts';
import { isSignable } from './signable.ts';
import { streamShare, type StreamShare } from './stream-share.ts';
import { worldMoment, type WholeMoment } from './world-moment.ts';

/** The whole of what is served, as one scope has it. Who is given a world can ask nothing of what lies outside. */
export interface World {
  readonly present: Present;
  past(at: number): Promise<Past>;
  /** For questions of pages. */
  readonly runtime: WebRuntime;
}

/** Worlds by scope: viewers of one scope share one. */
export interface Worlds {
  of(scope: ViewScope): World;
  /** Says that something has changed, to all that listen. */
  nudge(): void;
  stop(): Promise<void>;
}

/** Sources of worlds. */
export interface WorldsDeps {
  /** That of who sees everything. */
  readonly present: Present;
  /** The moment that it is, and what it was made from. */
  readonly whole: WholeMoment;
  readonly past: Pick<PastMoments, 'at'>;
  readonly version: string;
  readonly log: Log;
  /** Those of the streams of all views. */
  readonly turns: PassTurns;
}

/** Scopes whose world is kept. */
const kept = 64;

/** Streams of one scope and their topics. */
const most = { clients: 500, topics: 100 } as const;
/** Streams of all scopes but the whole fleet's together, and hubs that work at once. */
const mostOfAll = { streams: 2_000, hubs: kept } as const;

/**
 * Makes worlds as they are asked for. That of the whole fleet is always there; of others those that were asked for last. One that is put away serves who
 * still has it, and does nothing by itself once nobody listens.
 */
export function worlds(deps: WorldsDeps): Worlds {
  const open = new Set<StreamHub>();
  const share = streamShare(mostOfAll);
  const whole: World = {
    present: deps.present,
    past: (at) => deps.past.at(at, null),
    runtime: webRuntimeOf(deps.present, (at) => deps.past.at(at, null)),
  };
  const others = new LRUCache<string, World, Extract<ViewScope, { type: 'grants' }>>({
    max: kept,
    memoMethod: (_key, _old, { context: scope }) => worldOf(scope, deps, { open, share }),
  });
  return {
    of: (scope) => (scope.type === 'whole' ? whole : others.memo(scopeKey(scope), { context: scope })),
    nudge: () => open.forEach((hub) => hub.nudge()),
    async stop() {
      await Promise.all(Array.from(open, (hub) => hub.stop()));
      open.clear();
      others.clear();
    },
  };
}

function worldOf(
  scope: Extract<ViewScope, { type: 'grants' }>,
  { present: all, whole, past, version, log, turns }: WorldsDeps,
  { open, share }: { readonly open: Set<StreamHub>; readonly share: StreamShare },
): World {
  const { clock, policy, simulated, fleetCache } = whole.made;
  const sightNow = sightOver(scope, fleetCache);
  const { known, built } = worldMoment(whole, sightNow);
  const reports = reportService({
    record: () => known.reader()?.record ?? null,
    clusters: known.fleetCache.clusterCaches,
    now: known.now,
    alarmWithin: policy.alarmWithin,
    simulated,
    version,
  });
  const start = (): StreamHub =>
    startStreamHub({ known, clock, log, turns, mostClients: most.clients, mostTopics: most.topics });
  const present: Present = {
    ...known,
    commits: awaitedCommits(clock),
    pairs: async () => pairsWithin(await all.pairs(), await built()),
    reports: {
      ...reports,
      async report(query) {
        const report = await reports.report(query);
        return isRefused(report) ? report : withSuspects(report, known);
      },
    },
    embeds: {
      async link(order, by) {
        const embed = parseScope(order.scope);
        if (embed === null || isSignable(embed, scope, sightNow())) return all.embeds.link(order, by);
        const what = `There is no ${order.scope} now, and links are signed to what is there.`;
        return refuse({ type: 'not-found', what, nearest: [] });
      },
    },
    streams: lazyHub(start, { open, share, clock }),
  };
  async function at(time: number): Promise<Past> {
    // A git process that is slow holds up nothing that is told without it.
    const proven = await inTime(known, longestWait, built());
    const repositories = [...(proven?.keys() ?? [])].toSorted();
    return past.at(time, { within: sightNow().within, repositories });
  }

  return { present, past: at, runtime: webRuntimeOf(present, at) };
}
