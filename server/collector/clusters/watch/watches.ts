import { type GroupKind, kindKey } from '#lib/domain/observation/ref.ts';
import type { Log } from '#server/runtime/log.ts';
import { definesKinds, watchedByName } from '../../reconcilers/registry.ts';
import type { ClusterEvent, ClusterFault, FeedState, ResumePoint, UnreadKind, WatchedKind } from '../cluster-event.ts';
import type { GuardedDeps } from '../boundary.ts';
import { startDiscovery } from './discovery/discovery.ts';
import { eventKind, startEvents } from './events.ts';
import { createKindWatches, type KindWatches } from './kind-watches.ts';
import { compositesFirst, startProber, type Prober } from './prober.ts';

export { askServedKinds, type ServedKinds } from './served-once.ts';

export interface WatchesDeps extends GuardedDeps {
  readonly log: Log;
  /** The last stored resourceVersions; kinds without one are synced. */
  readonly resume: readonly ResumePoint[];
  /** Nothing is sent once it is aborted. */
  readonly signal: AbortSignal;
  on(event: ClusterEvent): void;
  /** True where no object of a watched kind is known. */
  isEmpty(kind: GroupKind): boolean;
  /** Why no more may be known of the cluster; null while there is room. `listed`: the object comes in a list of its kind. */
  full(kind: GroupKind, listed: boolean): string | null;
  /** Called once: every kind that is watched is in step, or has failed. */
  onInStep(): void;
  /** The kinds that the cluster serves are others than before. */
  onServed(kinds: readonly WatchedKind[]): void;
}

/** Which watched kinds have become empty is looked at so often (ms). */
const emptyEvery = 60_000;
const soughtAtMost = 1_000;

/**
 * Everything that is watched on one cluster, and what is only looked at for want of objects. Finds the kinds of one
 * cluster and follows each; Events from the first connection on.
 */
export function startWatches(deps: WatchesDeps) {
  const { transport, clock, random, tuning, boundary, log } = deps;
  const tools = { transport, clock, random, tuning, boundary };
  const firstSyncs = createFirstSyncs(deps.onInStep);
  const watches = createKindWatches({
    ...tools,
    on,
    onBegin: firstSyncs.begin,
    onEnd: firstSyncs.end,
    resume: deps.resume,
    onMissing: () => discovery.again(),
    full: deps.full,
    onGone: (kind) => onFeed(kind, { state: 'absent' }),
  });
  const prober = startProber({
    ...tools,
    onFeed,
    onFound: watches.watch,
    onEmpty: (kind, resourceVersion) => hasStreams && watches.watchEmpty(kind, 'empty', resourceVersion),
    onMissing: () => discovery.again(),
    onProbeStats: (stats) => on({ type: 'probes', at: clock.now(), ...stats }),
  });
  const unseen = createUnseen(onFeed);
  const discovery = startDiscovery({ ...tools, log, onKinds, onFault: unseen.onFault });
  const expected = createExpected({ watches, prober, hasStreams: () => hasStreams, onUnserved: discovery.soon });
  /** Over HTTP/1.1 each watch costs a socket: kinds without objects are not watched. */
  let hasStreams = false;
  let events: ReturnType<typeof startEvents> | null = null;
  let idleTimer = clock.after(emptyEvery, dropIdleWatches);

  function on(event: ClusterEvent): void {
    if (deps.signal.aborted) return;
    deps.on(event);
    if (event.type === 'applied') {
      watches.hasObject(kindKey(event.kind));
      if (!event.initial && definesKinds(event.kind)) discovery.soon();
    } else if (event.type === 'feed') {
      firstSyncs.onFeed(event.kind, event.feed);
    }
  }

  function onFeed(kind: GroupKind, feed: FeedState): void {
    on({ type: 'feed', at: clock.now(), kind, feed });
  }

  function onKinds(kinds: readonly WatchedKind[], absent: readonly GroupKind[], unread: readonly UnreadKind[]): void {
    on({ type: 'kinds', at: clock.now(), kinds, absent, unread });
    unseen.onSeen(absent.filter((kind) => !watches.has(kindKey(kind))));
    expected.serve(kinds, () => deps.onServed(kinds));
    firstSyncs.onDiscovered();
  }

  /** Kinds that have been empty for long make room for others, and are only looked at again. */
  function dropIdleWatches(): void {
    idleTimer = clock.after(emptyEvery, dropIdleWatches);
    boundary.run('kinds without objects', () => {
      watches.dropIdle(deps.isEmpty);
      expected.probeOthers();
    });
  }

  return {
    /** The cluster can be reached (again). */
    connected(protocol: 'h2' | 'http/1.1'): void {
      hasStreams = protocol === 'h2';
      const resume = deps.resume.findLast((point) => kindKey(point) === kindKey(eventKind))?.resourceVersion ?? null;
      events ??= startEvents({ ...tools, on, resume, full: deps.full });
    },
    /** Something names objects of these kinds: those that are only looked at are watched, or looked at, at once. */
    named: expected.named,
    async stop(): Promise<void> {
      idleTimer.cancel();
      await Promise.all([discovery.stop(), prober.stop(), events?.stop(), watches.stop()]);
    },
  };
}

/** Calls `onDone` once: the first sync of every kind has come to an end. */
function createFirstSyncs(onDone: () => void) {
  const underWay = new Set<string>();
  let isDiscovered = false;
  let isDone = false;

  function check(): void {
    if (isDone || !isDiscovered || underWay.size > 0) return;
    isDone = true;
    onDone();
  }

  return {
    begin(key: string): void {
      if (!isDone) underWay.add(key);
    },
    end: (key: string): void => void underWay.delete(key),
    onFeed(kind: GroupKind, feed: FeedState): void {
      if (feed.state !== 'syncing') underWay.delete(kindKey(kind));
      check();
    },
    onDiscovered(): void {
      isDiscovered = true;
      check();
    },
  };
}

/** While it is not known what the cluster serves, every kind that is expected on it is not seen. */
function createUnseen(onFeed: (kind: GroupKind, feed: FeedState) => void) {
  let isKnown = false;
  let last: string | null = null;
  return {
    onFault(fault: ClusterFault): void {
      const text = JSON.stringify(fault);
      // That the cluster cannot be reached is what `disconnected` says.
      if (isKnown || fault.type === 'unreachable' || text === last) return;
      last = text;
      for (const kind of watchedByName)
        onFeed(kind, fault.type === 'forbidden' ? { state: 'forbidden', fault } : { state: 'failed', fault });
    },
    /** It is known; these kinds are absent. */
    onSeen(absent: readonly GroupKind[]): void {
      if (last !== null) for (const kind of absent) onFeed(kind, { state: 'absent' });
      last = null;
      isKnown = true;
    },
  };
}

interface ExpectedDeps {
  readonly watches: KindWatches;
  readonly prober: Prober;
  /** A watch costs no more than a stream. */
  hasStreams(): boolean;
  onUnserved(): void;
}

/** The kinds that are served, and those of which objects are expected. */
function createExpected({ watches, prober, hasStreams, onUnserved }: ExpectedDeps) {
  let served: ReadonlyMap<string, WatchedKind> | null = null;
  /** Kinds that were named and are not served: discovery was asked for each of them once. */
  const sought = new Set<string>();

  function probeOthers(): void {
    if (served) prober.setKinds([...served.values()].filter((kind) => !watches.has(kindKey(kind))));
  }

  function expect(kinds: readonly WatchedKind[]): void {
    let isTaken = false;
    for (const kind of kinds) {
      if (watches.has(kindKey(kind))) continue;
      if (hasStreams() && watches.watchEmpty(kind, 'named', '')) isTaken = true;
      else prober.probeSoon(kind);
    }
    if (isTaken) probeOthers();
  }

  /** A kind that is not served may just have been defined; what Plumbline will never read is asked for once. */
  function seek(key: string): void {
    if (served?.has(key) || sought.has(key) || sought.size >= soughtAtMost) return;
    sought.add(key);
    onUnserved();
  }

  return {
    /** These are served: they are followed, then `onFollowed` is called, and all others are looked at. */
    serve(kinds: readonly WatchedKind[], onFollowed: () => void): void {
      const before = served;
      served = new Map(kinds.map((kind) => [kindKey(kind), kind]));
      watches.follow(served);
      onFollowed();
      probeOthers();
      // What is served anew will have its first object soon.
      if (before) expect(compositesFirst(kinds.filter((kind) => !before.has(kindKey(kind)))));
    },
    named(kinds: readonly GroupKind[]): void {
      for (const kind of kinds) seek(kindKey(kind));
      expect(kinds.map((kind) => served?.get(kindKey(kind))).filter((kind) => kind !== undefined));
    },
    probeOthers,
  };
}
