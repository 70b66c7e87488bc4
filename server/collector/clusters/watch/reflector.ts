import type { Timer } from '#server/runtime/clock.ts';
import { createBackoff } from '../backoff.ts';
import type { ClusterEvent, WatchedKind } from '../cluster-event.ts';
import { listAll } from './list.ts';
import { pause } from '../pause.ts';
import { firstState, nextState, type Phase, type ReflectorInput, type ReflectorState } from './reflector-state.ts';
import { followStream, type WatchTarget } from './stream.ts';
import type { WatchChange } from './watch-event.ts';
import type { ReadingDeps } from '../reading-deps.ts';

/** Shared by all reflectors of one cluster: whether its server can stream a first list (WatchList). */
export interface WatchListSupport {
  supported: boolean;
}

export interface ReflectorDeps extends ReadingDeps {
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

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const { phase, version } = follower.state();
      if (phase.type === 'ready') begin();
      else await act(phase, version);
    }
  }

  const running = run();
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
  const path = `/${kind.group === '' ? 'api' : 'apis'}/${apiVersion}/${kind.resource}`;
  return { path, selector, apiVersion, kind: kind.kind, bookmarks };
}

type Follower = ReturnType<typeof createFollower>;

/** The two ways to read a kind: by a stream, which may begin with the present objects, and by a list. */
function createAttempt(
  { kind, transport, watchList, clock, random, tuning, on }: ReflectorDeps,
  target: WatchTarget,
  { move }: Follower,
  signal: AbortSignal,
) {
  function startSync(): void {
    on({ type: 'sync-start', at: clock.now(), kind });
  }

  function onChange(change: WatchChange, syncing: boolean): void {
    const { resourceVersion } = change;
    if (change.type !== 'BOOKMARK') {
      if (!syncing) move({ type: 'received', version: resourceVersion });
      const { object } = change;
      if (change.type === 'DELETED') on({ type: 'deleted', at: clock.now(), kind, object });
      else on({ type: 'applied', at: clock.now(), kind, initial: syncing, object });
    } else if (syncing) {
      on({ type: 'sync-end', at: clock.now(), kind, resourceVersion });
      move({ type: 'synced', version: resourceVersion });
    } else {
      move({ type: 'received', version: resourceVersion });
      if (resourceVersion !== '') on({ type: 'bookmark', at: clock.now(), kind, resourceVersion });
    }
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
      onObject: (object) => on({ type: 'applied', at: clock.now(), kind, initial: true, object }),
    });
    if (signal.aborted) return;
    if (listed.type === 'fault') return move({ type: 'list-failed', failure: listed, at: clock.now() });
    move({ type: 'listed', version: listed.resourceVersion });
    on({ type: 'sync-end', at: clock.now(), kind, resourceVersion: listed.resourceVersion });
  }

  return { stream, list };
}

/** Holds the state of a reflector: sends the feed where an input changes it, and a break where it lasts. */
function createFollower({ kind, resume, clock, tuning, on }: ReflectorDeps, signal: AbortSignal) {
  let state = firstState(resume);
  let brokenTimer: Timer | null = null;

  function move(input: ReflectorInput): void {
    const { feed } = state;
    state = nextState(state, input, tuning);
    if (state.broken === null) {
      brokenTimer?.cancel();
      brokenTimer = null;
    } else {
      brokenTimer ??= clock.after(tuning.brokenGrace, () => move({ type: 'still-broken' }));
    }
    if (state.feed !== null && state.feed !== feed && !signal.aborted)
      on({ type: 'feed', at: clock.now(), kind: { group: kind.group, kind: kind.kind }, feed: state.feed });
  }

  return { state: (): ReflectorState => state, move, stop: (): void => brokenTimer?.cancel() };
}
