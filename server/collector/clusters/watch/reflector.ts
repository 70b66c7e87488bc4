import type { Timer } from '#server/runtime/clock.ts';
import { setImmediate as others } from 'node:timers/promises';
import type { GroupKind } from '#lib/domain/observation/ref.ts';
import type { ForeignObject } from '#lib/foreign.ts';
import { type Failure, failure } from '../answer.ts';
import { resourcePath } from '../api-path.ts';
import { createBackoff } from '../backoff.ts';
import { type GuardedDeps, keepReading } from '../boundary.ts';
import type { ClusterEvent, WatchedKind } from '../cluster-event.ts';
import { listAll } from './list.ts';
import { whyTooLong } from './listed-objects.ts';
import { pause } from '../pause.ts';
import { firstState, nextState, type Phase, type ReflectorInput, type ReflectorState } from './reflector-state.ts';
import { followStream, type WatchTarget } from './stream.ts';
import type { WatchChange } from './watch-event.ts';

/** Shared by all reflectors of one cluster: whether its server can stream a first list (WatchList). */
export interface WatchListSupport {
  supported: boolean;
}

export interface ReflectorDeps extends GuardedDeps {
  readonly kind: WatchedKind;
  /** Joined to every query, e.g. fieldSelector=...; absent for all objects. */
  readonly selector?: string;
  /** False where the server sends no bookmarks, and so no WatchList either. */
  readonly bookmarks?: boolean;
  /** Goes on from here without a list; null for a full sync. */
  readonly resume: string | null;
  readonly watchList: WatchListSupport;
  readonly on: (event: ClusterEvent) => void;
  /** The server does not know the kind (HTTP 404). */
  onMissing?(): void;
  /** Why no more may be known of the cluster; null while there is room. `listed`: the object comes in a list of its kind. */
  full?(kind: GroupKind, listed: boolean): string | null;
}

/**
 * Follows one kind for ever with client-go's manners (reflector.go): streamed or paged first list, then watches that are
 * resumed from the last resourceVersion whatever broke them, and a new list only when the server has forgotten it (410).
 * Emits feed, sync-start, applied, deleted, sync-end, bookmark. A sync that breaks off is followed by another
 * sync-start, without a sync-end between.
 */
export function startReflector(deps: ReflectorDeps) {
  const { watchList, clock, random, tuning } = deps;
  const stopper = new AbortController();
  const { signal } = stopper;
  const backoff = createBackoff(tuning, clock.now, random);
  const target = targetOf(deps);
  const follower = createFollower(deps, signal);
  const attempt = createAttempt(deps, target, follower, signal);

  function begin(): void {
    follower.move({ type: 'begin', streams: watchList.supported && target.bookmarks });
  }

  async function pauseFor(ms: number): Promise<void> {
    await pause(clock, ms, signal);
    begin();
  }

  async function act(phase: Exclude<Phase, { type: 'ready' }>, version: string): Promise<void> {
    switch (phase.type) {
      case 'listing':
        return attempt.list(phase.cached);
      case 'streaming-list':
      case 'watching':
        return attempt.stream(version);
      case 'waiting':
        return pauseFor(Math.max(backoff.next(), phase.atLeast));
      case 'refused':
      case 'absent':
        if (phase.type === 'absent') deps.onMissing?.();
        return pauseFor(phase.slowly ? tuning.forbiddenRetry * (0.8 + 0.4 * random()) : backoff.next());
    }
  }

  const running = keepReading(deps, {
    what: target.path,
    signal,
    async turn() {
      if (follower.state().phase.type === 'ready') begin();
      const { phase, version } = follower.state();
      if (phase.type !== 'ready') await act(phase, version);
    },
    onFault: (fault) => follower.move({ type: 'thrown', fault }),
  });
  return {
    async stop(): Promise<void> {
      stopper.abort();
      follower.stop();
      await running;
    },
  };
}

function targetOf({ kind, selector = '', bookmarks = true }: ReflectorDeps): WatchTarget {
  const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
  return { path: resourcePath(kind), selector, apiVersion, kind: kind.kind, bookmarks };
}

type Follower = ReturnType<typeof createFollower>;

/** The two ways to read a kind: by a stream, which may begin with the present objects, and by a list. */
function createAttempt(deps: ReflectorDeps, target: WatchTarget, { move }: Follower, signal: AbortSignal) {
  const { kind, transport, watchList, clock, random, tuning, on } = deps;

  function startSync(): void {
    on({ type: 'sync-start', at: clock.now(), kind });
  }

  function apply(object: ForeignObject, initial: boolean): void {
    on({ type: 'applied', at: clock.now(), kind, initial, object });
  }

  function onChange(change: WatchChange, syncing: boolean): Failure | null {
    const { resourceVersion } = change;
    if (change.type !== 'BOOKMARK') {
      // Before the version moves on: whoever comes back asks for this object again.
      const refusal = change.type === 'DELETED' ? null : withoutRoom(deps, change.object, syncing);
      if (refusal !== null) return refusal;
      if (!syncing) move({ type: 'received', version: resourceVersion });
      const { object } = change;
      if (change.type === 'DELETED') on({ type: 'deleted', at: clock.now(), kind, object });
      else apply(object, syncing);
    } else if (syncing) {
      on({ type: 'sync-end', at: clock.now(), kind, resourceVersion });
      move({ type: 'synced', version: resourceVersion });
    } else {
      move({ type: 'received', version: resourceVersion });
      if (resourceVersion !== '') on({ type: 'bookmark', at: clock.now(), kind, resourceVersion });
    }
    return null;
  }

  async function stream(version: string): Promise<void> {
    const end = await followStream({
      target,
      transport,
      clock,
      random,
      tuning,
      signal,
      version,
      onChange,
      onOpen() {
        move({ type: 'opened' });
        if (version === '') startSync();
      },
    });
    if (signal.aborted) return;
    if (end.next === 'unsupported') watchList.supported = false;
    move({ type: 'stream-ended', end, at: clock.now() });
  }

  async function list(cached: boolean): Promise<void> {
    const listed = await listAll({
      ...target,
      transport,
      tuning,
      signal,
      cached,
      onStart() {
        move({ type: 'list-started' });
        startSync();
      },
      onObject(object) {
        const refusal = withoutRoom(deps, object, true);
        if (refusal === null) apply(object, true);
        return refusal;
      },
      others,
    });
    if (signal.aborted) return;
    if (listed.type === 'fault') return move({ type: 'list-failed', failure: listed, at: clock.now() });
    move({ type: 'listed', version: listed.resourceVersion });
    on({ type: 'sync-end', at: clock.now(), kind, resourceVersion: listed.resourceVersion });
  }

  return { stream, list };
}

/** The refusal of one more object; null while there is room. */
function withoutRoom({ kind, full, tuning }: ReflectorDeps, object: ForeignObject, listed: boolean): Failure | null {
  const message = full?.(kind, listed) ?? whyTooLong(kind.kind, object, tuning.listedAtMost);
  return message === null ? null : failure({ type: 'protocol', message });
}

/** Holds the state of a reflector: sends the feed where an input changes it, and a break where it lasts. */
function createFollower({ kind, resume, clock, tuning, boundary, on }: ReflectorDeps, signal: AbortSignal) {
  let state = firstState(resume);
  let brokenTimer: Timer | null = null;

  function move(input: ReflectorInput): void {
    const { feed } = state;
    state = nextState(state, input, tuning);
    if (state.broken === null) {
      brokenTimer?.cancel();
      brokenTimer = null;
    } else {
      brokenTimer ??= clock.after(tuning.brokenGrace, () =>
        boundary.run(kind.kind, () => move({ type: 'still-broken' })),
      );
    }
    if (state.feed !== null && state.feed !== feed && !signal.aborted)
      on({ type: 'feed', at: clock.now(), kind: { group: kind.group, kind: kind.kind }, feed: state.feed });
  }

  return { state: (): ReflectorState => state, move, stop: (): void => brokenTimer?.cancel() };
}
