import { createChangeDetector } from './changes/change-detector.ts';
import { createConflictIndex } from './claims/conflict-index.ts';
import { createExternalClaims } from './claims/external-claims.ts';
import { createControllerIndex } from './controllers/controller-index.ts';
import { createFeedTracker } from './feeds/feed-tracker.ts';
import { createReadinessGate } from './feeds/readiness-gate.ts';
import { createClusterTime } from './judging/cluster-time.ts';
import { createJudgeQueue } from './judging/judge-queue.ts';
import { createTimeQueue } from './judging/time-queue.ts';
import type { ClusterModelDeps } from './model-deps.ts';
import { createObjectGraph } from './objects/object-graph.ts';
import { createResumePoints } from './objects/resume-points.ts';
import { createJournal } from './publishing/journal.ts';
import { createVouching } from './publishing/vouching.ts';
import { createRemoteApplierIndex } from './remote/remote-applier-index.ts';

/** Knowledge of one cluster, and what is still to be done about it: what intake, schedule and publishing share. */
export type ModelParts = ReturnType<typeof createModelParts>;

/** The parts of one cluster's model, as they begin at `startedAt` (ms). */
export function createModelParts(deps: ClusterModelDeps, startedAt: number) {
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
    /** Objects that are to be judged now. */
    queue: createJudgeQueue({ graph, journal, changes, policy, reviews }),
    /** When objects are to be judged again. */
    reviews,
    /** When the newest write of an object may be believed. */
    settles: createTimeQueue(),
  };
}
