import { textAt } from '#lib/foreign.ts';
import type { ClusterAccess } from '#server/collector/clusters/access.ts';
import type { ClusterEvent, ResumePoint } from '#server/collector/clusters/cluster-event.ts';
import { startClusterSession } from '#server/collector/clusters/session.ts';
import type { ClusterTuning } from '#server/collector/clusters/tuning.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { type GroupKind, kindKey } from '#lib/domain/observation/ref.ts';
import { feedsOf, nameOf } from './kube-api-bench.ts';

/** A session and the picture that its words give. */
export interface Mirror {
  readonly emitted: ClusterEvent[];
  /** spec.note by name, as of the last whole list and what came after it. */
  notes(kind: GroupKind): { readonly [name: string]: string };
  /** The last state of a kind's feed. */
  feed(kind: string): string | undefined;
  /** Where a next session may go on. */
  resume(): readonly ResumePoint[];
  stop(): Promise<void>;
}

/** Starts a session as the collector does, and mirrors what it tells. `before`: what an earlier session has known. */
export function startMirror(
  access: ClusterAccess,
  { tuning = {}, before }: { readonly tuning?: Partial<ClusterTuning>; readonly before?: Mirror } = {},
): Mirror {
  const emitted: ClusterEvent[] = [];
  const known = new Map<string, Map<string, string>>();
  const syncing = new Map<string, Map<string, string>>();
  const points = new Map<string, ResumePoint>(before?.resume().map((point) => [kindKey(point), point]));
  for (const [key, point] of points) known.set(key, new Map(Object.entries(before?.notes(point) ?? {})));

  function receive(event: ClusterEvent): void {
    emitted.push(event);
    if (!('kind' in event) || event.type === 'feed') return;
    const key = kindKey(event.kind);
    const reached = (resourceVersion: string): void => {
      const { group, kind, version } = event.kind;
      if (resourceVersion !== '') points.set(key, { group, kind, version, resourceVersion });
    };
    switch (event.type) {
      case 'sync-start':
        syncing.set(key, new Map());
        break;
      case 'applied': {
        const target = event.initial ? syncing : known;
        const objects = target.get(key) ?? new Map<string, string>();
        target.set(key, objects.set(nameOf(event.object), textAt(event.object, 'spec', 'note') ?? ''));
        if (!event.initial) reached(textAt(event.object, 'metadata', 'resourceVersion') ?? '');
        break;
      }
      case 'deleted':
        known.get(key)?.delete(nameOf(event.object));
        reached(textAt(event.object, 'metadata', 'resourceVersion') ?? '');
        break;
      case 'sync-end':
        known.set(key, syncing.get(key) ?? new Map());
        reached(event.resourceVersion);
        break;
      case 'bookmark':
        reached(event.resourceVersion);
        break;
    }
  }

  const session = startClusterSession({
    access,
    cluster: 'bench',
    clock: systemClock,
    log: silentLog,
    random: Math.random,
    tuning,
    on: receive,
    resume: [...points.values()],
  });
  return {
    emitted,
    notes: (kind) => Object.fromEntries(known.get(kindKey(kind)) ?? []),
    feed: (kind) => feedsOf(emitted, kind).at(-1),
    resume: () => [...points.values()],
    stop: session.stop,
  };
}
