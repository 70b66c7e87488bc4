import { createChangeDetector, type ChangeDetector } from './changes/change-detector.ts';
import { createConflictIndex, type ConflictIndex } from './claims/conflict-index.ts';
import { createExternalClaims } from './claims/external-claims.ts';
import { createControllerIndex, type ControllerIndex } from './controllers/controller-index.ts';
import { createFeedTracker, type FeedTracker } from './feeds/feed-tracker.ts';
import { createReadinessGate, type ReadinessGate } from './feeds/readiness-gate.ts';
import { createClusterTime, type ClusterTime } from './judging/cluster-time.ts';
import { createJudgeQueue, type JudgeQueue } from './judging/judge-queue.ts';
import { createTimeQueue, type TimeQueue } from './judging/time-queue.ts';
import type { ClusterModelDeps } from './model-deps.ts';
import { createObjectGraph, type ObjectGraph } from './objects/object-graph.ts';
import { createResumePoints, type ResumePoints } from './objects/resume-points.ts';
import { createJournal, type Journal } from './publishing/journal.ts';
import { createVouching, type Vouching } from './publishing/vouching.ts';
import { createRemoteApplierIndex } from './remote/remote-applier-index.ts';

/** Knowledge of one cluster, and what is still to be done about it: what intake, schedule and publishing share. */
export interface ModelParts {
  readonly cluster: string;
  readonly time: ClusterTime;
  readonly feeds: FeedTracker;
  readonly controllers: ControllerIndex;
  readonly graph: ObjectGraph;
  readonly conflicts: ConflictIndex;
  readonly changes: ChangeDetector;
  readonly journal: Journal;
  readonly gate: ReadinessGate;
  readonly resume: ResumePoints;
  readonly vouching: Vouching;
  /** Objects that are to be judged now. */
  readonly queue: JudgeQueue;
  /** When objects are to be judged again. */
  readonly reviews: TimeQueue;
  /** When the newest write of an object may be believed. */
  readonly settles: TimeQueue;
}

/** The parts of one cluster's model, as they begin at `startedAt` (ms). */
export function createModelParts(deps: ClusterModelDeps, startedAt: number): ModelParts {
  const { cluster, labels, policy, externals = createExternalClaims(), remotes = createRemoteApplierIndex() } = deps;
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
    vouching: createVouching({ feeds, controllers, graph, conflicts, time, gate }),
    queue: createJudgeQueue({ graph, journal, changes, policy, reviews }),
    reviews,
    settles: createTimeQueue(),
  };
}
