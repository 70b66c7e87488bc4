// One cluster as the collector knows it: takes what the session tells, judges what that touches, hands changes to the record.
import type { CurrentCluster } from '#lib/domain/record/current.ts';
import type { GroupKind } from '#lib/domain/observation/ref.ts';
import { defaultTuning } from '../clusters/tuning.ts';
import type { ClusterEvent } from '../clusters/cluster-event.ts';
import { createControllerIntake } from './intake/controller-intake.ts';
import { createEventIntake } from './intake/event-intake.ts';
import { createObjectIntake, declareStacks, restoreObjects } from './intake/object-intake.ts';
import { createSettling } from './intake/settling.ts';
import { createModelParts, type ClusterModelDeps } from './model-parts.ts';
import { createUnpackedCache } from './objects/unpacked-cache.ts';
import { whyFull } from './objects/room.ts';
import { createPublishing } from './publishing/publishing.ts';
import { tieRemotes } from './remote/remote-links.ts';
import { createSchedule } from './schedule.ts';

/** The living model of one cluster. */
export type ClusterModel = ReturnType<typeof startClusterModel>;

/** Starts the model of one cluster. */
export function startClusterModel(deps: ClusterModelDeps) {
  const {
    clock,
    restored,
    keepMessages,
    unpackedCache = createUnpackedCache(),
    named = () => {},
    onWorked = () => {},
  } = deps;
  const budget = deps.budget ?? defaultTuning;
  const startedAt = clock.now();
  const parts = createModelParts(deps, startedAt);
  const { feeds, graph, conflicts, gate, leaving, queue, settles, vouching } = parts;
  const settling = createSettling(parts);
  const objects = createObjectIntake(parts, settling, unpackedCache);
  const controllers = createControllerIntake(parts);
  const takeEvent = createEventIntake(parts, { objects, controllers, keepMessages, named });
  const links = tieRemotes(deps.cluster, graph, graph.remotes, () => schedule.soon());
  const publishing = createPublishing(parts, deps, () => schedule.now());

  if (restored) restoreObjects(parts, restored, unpackedCache);
  const lastWordAt = restored?.cluster?.lastWordAt ?? 0;
  const schedule = createSchedule(parts, { clock, settling, controllers, links, publishing, lastWordAt, onWorked });
  declareStacks(parts, objects, deps.stacks ?? [], startedAt);
  schedule.soon();

  let stopped = false;
  return {
    take(event: ClusterEvent): void {
      if (stopped) return;
      takeEvent(event);
      schedule.soon();
    },
    /** Everything known has been listed or refused, and judged. */
    inStep: (): boolean => gate.isOpen() && !leaving.isUnderWay() && queue.isEmpty() && settles.next() === null,
    /** Why no more may be known of it; null while there is room. `listed`: the object comes in a list of its kind. */
    full: (kind: GroupKind, listed: boolean): string | null => whyFull(objects.load(listed ? kind : null), budget),
    /** The number of objects that are known. */
    size: (): number => graph.entries.size,
    /** True if no object of a kind is known. */
    isEmpty: feeds.isEmpty,
    cluster: (): CurrentCluster => vouching.current(clock.now()),
    /** Has its row written soon: how it is reached or named has changed. */
    renew(): void {
      if (stopped) return;
      vouching.changed();
      schedule.soon();
    },
    /** Writes what is left and ends. Of what is too much to be judged at once nothing is vouched for: whoever reads the cluster next does so anew. */
    stop(): void {
      if (stopped) return;
      stopped = true;
      const now = clock.now();
      settling.settleAll(now);
      queue.add(graph.rejoinManaged());
      const isJudged = leaving.step() && (!gate.isOpen() || queue.judgeLast(now));
      links.stop();
      if (isJudged) {
        vouching.changed();
        publishing.flush(now);
      } else publishing.flushJudged(now);
      conflicts.stop();
      schedule.stop();
    },
  };
}
