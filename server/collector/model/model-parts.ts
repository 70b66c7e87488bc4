import { createAlarmingIndex } from './alarming/alarming-index.ts';
import { createChangeDetector } from './changes/change-detector.ts';
import { createConflictIndex } from './claims/conflict-index.ts';
import { createExternalClaims, type ExternalClaims } from './claims/external-claims.ts';
import { createControllerIndex } from './controllers/controller-index.ts';
import { createFeedTracker } from './feeds/feed-tracker.ts';
import { createReadinessGate } from './feeds/readiness-gate.ts';
import { createClusterTime } from './judging/cluster-time.ts';
import { createLeaving } from './intake/leaving.ts';
import { createJudgeQueue } from './judging/judge-queue.ts';
import { createTimeQueue } from './judging/time-queue.ts';
import { createObjectGraph } from './objects/object-graph.ts';
import { createResumePoints } from './objects/resume-points.ts';
import { createJournal } from './publishing/journal.ts';
import { createVouching } from './publishing/vouching.ts';
import { createRemoteApplierIndex, type RemoteApplierIndex } from './remote/remote-applier-index.ts';
import type { CurrentCluster } from '#lib/domain/record/current.ts';
import type { Policy } from '#lib/domain/guarantee/guarantee.ts';
import { objectMetrics } from '#server/config/alarms-schema.ts';
import type { DeclaredStack } from '#server/config/declared-stack.ts';
import type { Clock } from '#server/runtime/clock.ts';
import type { StoredClusterState, WriteBatch } from '#server/store/port/port.ts';
import type { GroupKind } from '#lib/domain/observation/ref.ts';
import type { Room } from './publishing/backpressure.ts';
import type { ObjectBudget } from './objects/room.ts';
import type { UnpackedCache } from './objects/unpacked-cache.ts';

/** Knowledge of one cluster, and what is still to be done about it: what intake, schedule and publishing share. */
export type ModelParts = ReturnType<typeof createModelParts>;

/** The parts of one cluster's model, as they begin at `startedAt` (ms). */
export function createModelParts(deps: ClusterModelDeps, startedAt: number) {
  const { cluster, labels, policy, externals = createExternalClaims() } = deps;
  // Alone, a cluster has none to believe.
  const { remotes = createRemoteApplierIndex(() => false) } = deps;
  const before = deps.restored?.cluster ?? null;
  const time = createClusterTime();
  const feeds = createFeedTracker(cluster, labels, startedAt, before);
  const controllers = createControllerIndex(cluster, before);
  const graph = createObjectGraph(feeds, controllers, remotes);
  const journal = createJournal();
  const conflicts = createConflictIndex({ cluster, entries: graph.entries, externals, before });
  const changes = createChangeDetector({ cluster, restored: before, note: journal.note });
  const gate = createReadinessGate(feeds, controllers);
  const reviews = createTimeQueue();
  const alarming = createAlarmingIndex(feeds, deps.metrics ?? objectMetrics);
  const vouching = createVouching({
    feeds,
    controllers,
    graph,
    conflicts,
    alarming,
    time,
    gate,
    cautions: () => deps.cautions?.(graph.reachingOver.size > 0) ?? [],
  });
  const queue = createJudgeQueue({ graph, journal, changes, policy, reviews });
  return {
    cluster,
    time,
    feeds,
    controllers,
    graph,
    conflicts,
    changes,
    journal,
    gate,
    resume: createResumePoints(),
    alarming,
    vouching,
    /** Objects that are to be judged now. */
    queue,
    /** Objects that are gone, and of which not all is told yet. */
    leaving: createLeaving({ graph, changes, conflicts, journal, queue }),
    /** When objects are to be judged again. */
    reviews,
    /** When the newest write of an object may be believed. */
    settles: createTimeQueue(),
  };
}

/** Parameters of the model. `write` takes batches in order and never fails; whoever is behind it retries. */
export interface ClusterModelDeps {
  readonly cluster: string;
  readonly labels: CurrentCluster['labels'];
  readonly policy: Policy;
  readonly clock: Clock;
  /** State that the store remembers; null for nothing. */
  readonly restored: StoredClusterState | null;
  /** True to keep the messages of conditions and events, false for only their reasons. */
  readonly keepMessages: boolean;
  /** Stacks declared to stand in its row, though no loop reports on them. */
  readonly stacks?: readonly DeclaredStack[];
  /** Beginnings of metrics that name objects, of the alarm sources that speak for it; the usual ones where it is absent. */
  readonly metrics?: readonly string[];
  /**
   * All that a person should know of how it is reached, a sentence each; `reachesOver`: it delivers to other clusters. Asked whenever its
   * row is written.
   */
  readonly cautions?: (reachesOver: boolean) => readonly string[];
  /** Appliers that reach over from one cluster to another; shared by all clusters of a process. */
  readonly remotes?: RemoteApplierIndex;
  /** Who manages which external resource; shared by all clusters of a process. */
  readonly externals?: ExternalClaims;
  /** Something names objects of kinds that are only looked at, or not known yet. */
  readonly named?: (kinds: readonly GroupKind[]) => void;
  readonly write: (batch: WriteBatch) => void;
  /** Told after each look at what has changed, how long that took (ms). */
  readonly onWorked?: (ms: number) => void;
  /** Most that is known of it; as `defaultTuning` has it where it is absent. */
  readonly budget?: ObjectBudget;
  /** Tells if there is room for what is written; without it there always is. */
  readonly room?: Room;
  /** The unpacked objects, of which it keeps a bounded number; shared by all clusters of a process. */
  readonly unpackedCache?: UnpackedCache;
}
