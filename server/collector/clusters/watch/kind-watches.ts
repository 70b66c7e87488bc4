import { type GroupKind, kindKey } from '#lib/domain/observation/ref.ts';
import { watchedByName } from '../../reconcilers/registry.ts';
import type { ClusterEvent, ResumePoint, WatchedKind } from '../cluster-event.ts';
import type { GuardedDeps } from '../boundary.ts';
import { startReflector, type WatchListSupport } from './reflector.ts';
import type { ClusterTuning } from '../tuning.ts';

export interface KindWatchesDeps extends GuardedDeps {
  /** The last stored resourceVersions; kinds without one are synced. */
  readonly resume: readonly ResumePoint[];
  on(event: ClusterEvent): void;
  /** The first probe of a kind begins; it ends with its feed, or here. */
  onBegin(key: string): void;
  onEnd(key: string): void;
  /** The server does not know a kind that is watched. */
  onMissing(): void;
  full(kind: GroupKind, listed: boolean): string | null;
  /** A kind that was watched is served no longer. */
  onGone(kind: GroupKind): void;
}

/** The kinds of one cluster that are watched, by `kindKey`. */
export type KindWatches = ReturnType<typeof createKindWatches>;

interface Watching {
  readonly kind: WatchedKind;
  stop(): Promise<void>;
}

const named = new Set(watchedByName.map(kindKey));

/** Starts without a watch. */
export function createKindWatches(deps: KindWatchesDeps) {
  const { transport, clock, random, tuning, boundary, on, onMissing, full } = deps;
  const watchList: WatchListSupport = { supported: true };
  const watching = new Map<string, Watching>();
  const ending = new Set<Promise<void>>();
  const resumable = new Map<string, ResumePoint>(deps.resume.map((point) => [kindKey(point), point]));
  const empties = createEmptyKinds(tuning);

  function watch(kind: WatchedKind): void {
    const key = kindKey(kind);
    const point = resumable.get(key);
    resumable.delete(key);
    deps.onBegin(key);
    // Objects stored from another version were read in another shape.
    const resume = point?.version === kind.version ? point.resourceVersion : null;
    const reflector = startReflector({
      kind,
      resume,
      transport,
      watchList,
      clock,
      random,
      tuning,
      boundary,
      on,
      onMissing,
      full,
    });
    watching.set(key, { kind, stop: reflector.stop });
  }

  function unwatch(key: string, watched: Watching): void {
    watching.delete(key);
    empties.remove(key);
    deps.onEnd(key);
    const ended = watched.stop().finally(() => ending.delete(ended));
    ending.add(ended);
  }

  return {
    has: (key: string): boolean => watching.has(key),
    watch,
    /** Watches a kind without objects from a resourceVersion on ('' where none is known); false where there is no room. */
    watchEmpty(kind: WatchedKind, why: 'empty' | 'named', resourceVersion: string): boolean {
      if (!empties.hasRoom(why)) return false;
      const key = kindKey(kind);
      empties.add(key, clock.now());
      if (resourceVersion !== '') resumable.set(key, { ...kind, resourceVersion });
      watch(kind);
      return true;
    },
    /** The kind has an object. */
    hasObject: empties.remove,
    /** Watches the versions that are served, and of kinds that are new those that are wanted by name or were watched before. */
    follow(served: ReadonlyMap<string, WatchedKind>): void {
      for (const [key, watched] of [...watching]) {
        const { kind } = watched;
        const now = served.get(key);
        if (now?.version === kind.version && now.resource === kind.resource) continue;
        unwatch(key, watched);
        if (!now) deps.onGone({ group: kind.group, kind: kind.kind });
        // Another version of a kind that is watched: with or without objects, it is followed on.
        else watch(now);
      }
      for (const [key, kind] of served) if (!watching.has(key) && (named.has(key) || resumable.has(key))) watch(kind);
    },
    /** Ends watches of kinds that have been empty for long, where there are too many. */
    dropIdle(isEmpty: (kind: GroupKind) => boolean): void {
      for (const [key, { kind }] of watching) if (!named.has(key) && isEmpty(kind)) empties.add(key, clock.now());
      for (const key of empties.surplus(clock.now())) {
        const watched = watching.get(key);
        if (watched) unwatch(key, watched);
      }
    },
    async stop(): Promise<void> {
      await Promise.all([...[...watching.values()].map((watched) => watched.stop()), ...ending]);
    },
  };
}

/** Of the kinds that are watched, those without objects: so many, so that a server is not asked to keep thousands of idle watches. */
export type EmptyKinds = ReturnType<typeof createEmptyKinds>;

type Bounds = Pick<ClusterTuning, 'emptyWatchesAtMost' | 'namedWatchesAtMost' | 'emptyFor'>;

/** Starts without any. */
export function createEmptyKinds({ emptyWatchesAtMost, namedWatchesAtMost, emptyFor }: Bounds) {
  const since = new Map<string, number>();
  const most = { empty: emptyWatchesAtMost, named: emptyWatchesAtMost + namedWatchesAtMost };
  return {
    /** One more may be watched: because it is empty, or because something has named it and an object is expected. */
    hasRoom: (why: 'empty' | 'named'): boolean => since.size < most[why],
    /** A kind is watched that has no object, since `at` (ms). */
    add(key: string, at: number): void {
      if (!since.has(key)) since.set(key, at);
    },
    /** It has an object, or is not watched any more. */
    remove: (key: string): void => void since.delete(key),
    /** Takes out those that are too many at `now` (ms) and have been empty for long, the longest first. */
    surplus(now: number): readonly string[] {
      const found: string[] = [];
      // In the order of time, as they were added; one that was only just emptied may soon be filled again.
      for (const [key, at] of since) {
        if (since.size <= most.empty || now < at + emptyFor) break;
        since.delete(key);
        found.push(key);
      }
      return found;
    },
  };
}
