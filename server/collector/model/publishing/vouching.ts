import type { CurrentCluster } from '#lib/domain/record/current.ts';
import { earliest } from '#lib/domain/time/earliest.ts';
import type { AlarmingIndex } from '../alarming/alarming-index.ts';
import type { ConflictIndex } from '../claims/conflict-index.ts';
import type { ControllerIndex } from '../controllers/controller-index.ts';
import type { FeedTracker } from '../feeds/feed-tracker.ts';
import type { ReadinessGate } from '../feeds/readiness-gate.ts';
import type { ClusterTime } from '../judging/cluster-time.ts';
import { servedOf } from '../objects/object-graph.ts';

/** Interval at which the cluster's own row is renewed (ms), so that its validity never runs out while it is seen. */
const vouchEvery = 10_000;

/** Parts that the row tells of. */
interface VouchingDeps {
  readonly feeds: Pick<FeedTracker, 'current' | 'liveSince' | 'unseenFrom'>;
  readonly controllers: Pick<ControllerIndex, 'current'>;
  readonly graph: Parameters<typeof servedOf>[0];
  readonly conflicts: Pick<ConflictIndex, 'current' | 'due'>;
  readonly alarming: Pick<AlarmingIndex, 'current' | 'due'>;
  readonly time: Pick<ClusterTime, 'ahead'>;
  readonly gate: Pick<ReadinessGate, 'isOpen'>;
  /** All that a person should know of how it is reached. */
  readonly cautions: () => readonly string[];
}

/** The cluster's own row: what stands in it, and when it is to be written. Starts with a row that was never written. */
export function createVouching({ feeds, controllers, graph, conflicts, alarming, time, gate, cautions }: VouchingDeps) {
  let isChanged = true;
  let writtenAt = 0;

  function current(now: number): CurrentCluster {
    const row = feeds.current(now, {
      controllers: controllers.current(servedOf(graph)),
      ...conflicts.current(now),
      alarming: alarming.current(now),
      clockAhead: time.ahead(),
      cautions: cautions(),
    });
    // Before the first judgement nobody vouches for what an earlier collector wrote.
    const vouched = gate.isOpen() || feeds.liveSince(now) === null;
    if (vouched || row.state !== 'live') return row;
    // Heard again is not seen again: it is not seen since it was lost.
    return { ...row, state: 'connecting', since: Math.min(row.since, feeds.unseenFrom()), validUntil: now };
  }

  return {
    /** Something in the row changed: it is written with the next batch. */
    changed(): void {
      isChanged = true;
    },
    /** The row at `now` (ms). */
    current,
    /** The row where it is to be written at `now` (ms), because it changed or must be renewed; else null. */
    due(now: number): CurrentCluster | null {
      const news = earliest(conflicts.due(), alarming.due());
      const isDue = isChanged || (news !== null && now >= news) || now >= writtenAt + vouchEvery || now < writtenAt;
      isChanged = false;
      if (!isDue) return null;
      writtenAt = now;
      return current(now);
    },
    /** The next time (ms) at which it is to be renewed. */
    next: (): number => writtenAt + vouchEvery,
  };
}
