import { knownAt, type KnownObject } from '#lib/domain/alarm/known-object.ts';
import { LRUCache } from 'lru-cache';
import { FleetView, type WireFleetSummary } from '#lib/api/fleet.ts';
import { scopeNames, scopeOf, wholeFleet, type Scope } from '#lib/api/scope.ts';
import type { Policy } from '#lib/domain/guarantee/guarantee.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { CurrentCluster } from '#lib/domain/record/current.ts';
import type { KnownAlarms } from '#lib/domain/alarm/chain.ts';
import type { AlarmCoveragePage } from '#lib/domain/alarm/finding.ts';
import type { Clock } from '#server/runtime/clock.ts';
import type { GitReader } from '#server/git/port/git-reader.ts';
import type { StoreReader } from '#server/store/port/port.ts';
import { keptCoverage } from '../alarms/kept-coverage.ts';
import type { FleetCache } from '../cache/fleet-cache.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';
import type { KnownFleet } from '../cache/known-fleet.ts';
import type { RecordFacts } from '../record-facts.ts';
import type { LinksOf, WireContext } from '../wire/wire-context.ts';
import { summaryCore, wireFleetSummary, type SummaryCore } from '../wire/wire-fleet-summary.ts';
import { boardShelf, type BoardShelf } from './board-shelf.ts';
import { matrixBoard, type BoardState, type MatrixBoard } from './matrix-board.ts';
import { scopedFleet } from './scoped-fleet.ts';

/** Sources of a moment. */
export interface KnownMomentDeps {
  readonly fleetCache: FleetCache;
  readonly fleet: KnownFleet;
  /** Those that `fleet` is joined with. */
  readonly alarms: KnownAlarms;
  readonly clock: Clock;
  readonly policy: Policy;
  readonly links: LinksOf;
  readonly simulated: boolean;
  /** Answers about repositories as they are now, whatever moment this is: commits do not change. */
  readonly git: GitReader;
  /** The store for what the cache does not hold; null while it cannot be read. */
  readonly reader: () => StoreReader | null;
  readonly trouble: () => string | null;
  /** The record's size and reach; absent where the past is asked. */
  readonly record?: () => RecordFacts | null;
  /** Where its boards are kept, with those of other moments; absent: by itself. */
  readonly boards?: BoardShelf;
}

/** The fleet as known at one moment, the present or a past one: endpoints answer from it. Times in ms. */
export interface KnownMoment extends Pick<
  KnownMomentDeps,
  'fleetCache' | 'fleet' | 'alarms' | 'policy' | 'reader' | 'git'
> {
  /** The moment; the present one moves on. */
  now(): number;
  /** Runs a task after so many ms of the real time, whatever moment this is. */
  after: Clock['after'];
  context(now: number): WireContext;
  recordOf(cluster: string): CurrentCluster | null;
  /** One object through `knownAt`; null where it is not there. */
  find(ref: ObjectRef, now: number): KnownObject | null;
  readonly summaries: FleetSummaries;
  /** Coverage of the fleet by alarms. */
  coverage(now: number): Promise<AlarmCoveragePage>;
  /** The matrix of a view. */
  board(view: FleetView): BoardState;
  /** The summary of every page, or of what a scope keeps; at most 5 causes, or each of all. */
  summary(causes?: 'first' | 'all', scope?: Scope): WireFleetSummary;
}

/** Makes it. What is asked of it repeatedly (views, summaries of scopes) is kept until something changes. */
export function knownMoment(deps: KnownMomentDeps): KnownMoment {
  const { fleetCache, fleet, alarms, clock, policy, links, simulated, git, reader, trouble } = deps;
  const summaries = fleetSummaries(fleet, policy);
  const boards = (deps.boards ?? boardShelf()).part();
  const boardOf = (view: FleetView): MatrixBoard =>
    matrixBoard(view, { whole: fleet, shown: scopedFleet(scopeOf(view), fleet, policy) }, policy, links);

  function recordOf(name: string): CurrentCluster | null {
    return fleetCache.clusterCache(name)?.record ?? null;
  }

  return {
    fleetCache,
    fleet,
    alarms,
    policy,
    git,
    reader,
    recordOf,
    summaries,
    coverage: keptCoverage(fleet, alarms, policy),
    now: () => clock.now(),
    after: (delay, task) => clock.after(delay, task),
    context: (now) => ({ policy, now, links }),
    find(ref, now) {
      const stored = fleetCache.object(ref);
      const joined = { cluster: recordOf(ref.cluster), alarms, policy };
      return stored ? knownAt(stored, joined, now) : null;
    },
    board: (view) => boards(JSON.stringify(FleetView.parse(view)), () => boardOf(view), clock.now()),
    summary(causes = 'first', scope = wholeFleet) {
      const now = clock.now();
      const { clusters, core } = summaries.of(scope, now);
      const known = { record: deps.record?.() ?? null, trouble: trouble() };
      return wireFleetSummary(core, { clusters, whole: fleet.all(now), recordOf, now, simulated, ...known }, causes);
    },
  };
}

/** The summaries of scopes that are asked for: each is counted once for all who ask, until something changes. */
interface FleetSummaries {
  /** Clusters that a scope keeps as known at `now` (ms), and their summary. */
  of(scope: Scope, now: number): { readonly clusters: readonly KnownCluster[]; readonly core: SummaryCore };
}

interface KeptScope {
  readonly fleet: KnownFleet;
  summary: { readonly stamp: number; readonly core: SummaryCore } | null;
}

/** Scopes that are asked for at the same time: each may hold the list of its objects. */
const SCOPES = 24;

/** Makes the summaries of a fleet. */
function fleetSummaries(fleet: KnownFleet, policy: Policy): FleetSummaries {
  const kept = new LRUCache<string, KeptScope, Scope>({
    max: SCOPES,
    memoMethod: (_key, _old, { context: scope }) => ({ fleet: scopedFleet(scope, fleet, policy), summary: null }),
  });
  return {
    of(scope, now) {
      const key = JSON.stringify(scopeNames.map((name) => scope[name]));
      const found = kept.memo(key, { context: scope });
      const clusters = found.fleet.all(now);
      const stamp = fleet.stamp(now);
      if (found.summary?.stamp !== stamp || now >= found.summary.core.ordered.until)
        found.summary = { stamp, core: summaryCore({ scope, clusters, whole: fleet.all(now), now }) };
      return { clusters, core: found.summary.core };
    },
  };
}
