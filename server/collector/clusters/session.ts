import { isClockOff, readClock, type ClockReading } from '#lib/domain/time/clock-skew.ts';
import type { Clock } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import { type GroupKind, kindKey } from '#lib/domain/observation/ref.ts';
import { controllerNamespaces, definesKinds, namedKinds } from '../reconcilers/registry.ts';
import type { ClusterAccess } from './access.ts';
import type { ClusterEvent, ClusterFault, FeedState, ResumePoint, UnreadKind, WatchedKind } from './cluster-event.ts';
import type { Semaphore } from './semaphore.ts';
import { type Discovery, startDiscovery } from './watch/discovery.ts';
import { createEmptyKinds } from './watch/empty-kinds.ts';
import { eventKind, startEvents } from './watch/events.ts';
import { compositesFirst, startProber } from './watch/prober.ts';
import { startReflector, type WatchListSupport } from './watch/reflector.ts';
import { startArgoSigns } from './signs/argo-liveness.ts';
import { startLivenessProbes } from './signs/liveness-probes.ts';
import { startTransport } from './transport/transport.ts';
import { type ClusterTuning, defaultTuning } from './tuning.ts';
import { isNamedKind } from './watch/wanted-kinds.ts';
import { warnIfWritable } from './write-check.ts';

export interface ClusterSessionDeps {
  readonly access: ClusterAccess;
  /** The cluster's name, for the log. */
  readonly cluster: string;
  readonly clock: Clock;
  readonly log: Log;
  /** 0 (included) to 1 (not included), for jitter. */
  readonly random: () => number;
  /** The last stored resourceVersions; kinds without one are synced. */
  readonly resume: readonly ResumePoint[];
  readonly tuning?: Partial<ClusterTuning>;
  /** Shared by all sessions of a process (`createSemaphore`), so that a thousand do not connect at the same moment. */
  readonly dials?: Semaphore;
  /** Called when something came from the cluster. */
  readonly onReceived?: () => void;
  /** Called once: every kind that is watched is in step, or has failed. */
  readonly onInStep?: () => void;
  /** Whether no object of a watched kind is known; without it none is taken for empty that once was not. */
  readonly isEmpty?: (kind: GroupKind) => boolean;
  /** Hears everything, in order. Must not throw, and what it does delays this cluster only as long as it runs. */
  readonly on: (event: ClusterEvent) => void;
}

const aliveEvery = 5_000;

function isApplication({ group, kind }: GroupKind): boolean {
  return group === 'argoproj.io' && kind === 'Application';
}

/** Which watched kinds have become empty is looked at so often (ms). */
const emptyEvery = 60_000;
const soughtAtMost = 1_000;

/** One cluster that is being read. */
export interface ClusterSession {
  /** Something names objects of these kinds: those that are only looked at are watched, or looked at, at once. */
  named(kinds: readonly GroupKind[]): void;
  stop(): Promise<void>;
}

interface Watching {
  readonly kind: WatchedKind;
  stop(): Promise<void>;
}

/**
 * Reads one cluster until it is stopped: connects, finds the kinds, follows each, reads Leases, Deployments and Events.
 * Whatever fails is told as an event and tried again; nothing here throws or ends by itself.
 */
export function startClusterSession(deps: ClusterSessionDeps): ClusterSession {
  const { access, cluster, clock, random, resume } = deps;
  const log = deps.log.child({ cluster });
  const tuning: ClusterTuning = { ...defaultTuning, ...deps.tuning };
  const stopper = new AbortController();
  const watchList: WatchListSupport = { supported: true };
  const watching = new Map<string, Watching>();
  const ending = new Set<Promise<void>>();
  const resumable = new Map(resume.map((point) => [kindKey(point.kind), point]));
  const eventsResume = resumable.get(kindKey(eventKind))?.resourceVersion ?? null;
  resumable.delete(kindKey(eventKind));
  const empties = createEmptyKinds(tuning);
  /** What the cluster serves, as far as it was discovered. */
  let served: ReadonlyMap<string, WatchedKind> = new Map();
  /** Kinds that were named and are not served: discovery was asked for each of them once. */
  const sought = new Set<string>();
  let protocol: 'h2' | 'http/1.1' | null = null;
  let lastAlive = -Infinity;
  let reading: ClockReading | null = null;
  let checked = false;
  let discovered = false;
  let unknown: string | null = null;
  let inStep = false;
  /** Kinds whose first look has not come to an end yet. */
  const looking = new Set<string>();
  let discovery: Discovery | null = null;
  let events: ReturnType<typeof startEvents> | null = null;
  let argo: ReturnType<typeof startArgoSigns> | null = null;

  function on(event: ClusterEvent): void {
    if (stopper.signal.aborted) return;
    deps.on(event);
    if (event.type === 'applied') hearOf(event.kind, event.initial);
    if (event.type === 'feed' && event.feed.state !== 'syncing') looking.delete(kindKey(event.kind));
    if (event.type === 'feed') tellInStep();
  }

  function hearOf(kind: WatchedKind, initial: boolean): void {
    empties.remove(kindKey(kind));
    if (!initial && definesKinds(kind)) discovery?.soon();
  }

  function tellInStep(): void {
    if (inStep || !discovered || looking.size > 0) return;
    inStep = true;
    deps.onInStep?.();
  }

  function onFeed(kind: GroupKind, feed: FeedState): void {
    on({ type: 'feed', at: clock.now(), kind, feed });
  }

  const transport = startTransport({
    access,
    clock,
    random,
    tuning,
    dials: deps.dials,
    onConnected(spoken, version) {
      protocol = spoken;
      log.info({ protocol, version }, 'connected');
      on({ type: 'connected', at: clock.now(), protocol, version });
      argo?.again();
      if (checked) return signs.again();
      checked = true;
      events = startEvents({ ...{ transport, clock, random, tuning, on }, resume: eventsResume });
      void warnIfWritable(transport, 'flux-system', log, stopper.signal);
    },
    onDisconnected(fault) {
      log.info({ fault }, 'disconnected');
      on({ type: 'disconnected', at: clock.now(), fault });
    },
    onDated(sample) {
      const before = reading?.ahead ?? null;
      reading = readClock(reading, sample);
      const { ahead } = reading;
      if (ahead === null || ahead === before) return;
      if (isClockOff(ahead)) log.warn({ ahead }, 'the clock of the API server is off');
      on({ type: 'clock', at: sample.receivedAt, ahead });
    },
    onReceived() {
      deps.onReceived?.();
      const now = clock.now();
      if (now - lastAlive < aliveEvery) return;
      lastAlive = now;
      on({ type: 'alive', at: now });
    },
  });
  const prober = startProber({
    ...{ transport, clock, random, tuning, onFeed },
    onFound: watch,
    onEmpty: (kind, resourceVersion) => watchEmpty(kind, 'empty', resourceVersion),
    onMissing: () => discovery?.again(),
    onProbeStats: (looks) => on({ type: 'looks', at: clock.now(), ...looks }),
  });

  /** Watches a kind without objects, where there is room; over HTTP/1.1 each watch costs a socket, and there is none. */
  function watchEmpty(kind: WatchedKind, why: 'empty' | 'named', resourceVersion: string): boolean {
    if (protocol !== 'h2' || !empties.hasRoom(why)) return false;
    const key = kindKey(kind);
    empties.add(key, clock.now());
    if (resourceVersion !== '') resumable.set(key, { kind, version: kind.version, resourceVersion });
    watch(kind);
    return true;
  }

  function expectObjectsOf(kinds: readonly WatchedKind[]): void {
    let taken = 0;
    for (const kind of kinds) {
      if (watching.has(kindKey(kind))) continue;
      if (watchEmpty(kind, 'named', '')) taken += 1;
      else prober.lookAt(kind);
    }
    if (taken > 0) probeOthers();
  }

  /** A kind that is not served may just have been defined; what Plumbline will never read is asked for once. */
  function seek(key: string): void {
    if (served.has(key) || sought.has(key) || sought.size >= soughtAtMost) return;
    sought.add(key);
    discovery?.soon();
  }

  function probeOthers(): void {
    prober.setKinds([...served.values()].filter((kind) => !watching.has(kindKey(kind))));
  }

  /** Kinds that have been empty for long make room for others, and are only looked at again. */
  function dropIdleWatches(): void {
    idleTimer = clock.after(emptyEvery, dropIdleWatches);
    for (const [key, { kind }] of watching)
      if (!isNamedKind(kind) && deps.isEmpty?.(kind)) empties.add(key, clock.now());
    for (const key of empties.surplus(clock.now())) {
      const watched = watching.get(key);
      if (watched) unwatch(key, watched);
    }
    if (discovered) probeOthers();
  }

  let idleTimer = clock.after(emptyEvery, dropIdleWatches);

  function watch(kind: WatchedKind): void {
    const key = kindKey(kind);
    const point = resumable.get(key);
    resumable.delete(key);
    if (!inStep) looking.add(key);
    const reflector = startReflector({
      kind,
      // Objects stored from another version were read in another shape.
      resume: point?.version === kind.version ? point.resourceVersion : null,
      ...{ transport, watchList, clock, random, tuning, on },
      onMissing: () => discovery?.again(),
    });
    watching.set(key, { kind, stop: reflector.stop });
  }

  function unwatch(key: string, watched: Watching): void {
    watching.delete(key);
    empties.remove(key);
    looking.delete(key);
    const ended = watched.stop().finally(() => ending.delete(ended));
    ending.add(ended);
  }

  function onKinds(kinds: readonly WatchedKind[], absent: readonly GroupKind[], unread: readonly UnreadKind[]): void {
    on({ type: 'kinds', at: clock.now(), kinds, absent, unread });
    for (const kind of absent) if (unknown !== null && !watching.has(kindKey(kind))) onFeed(kind, { state: 'absent' });
    unknown = null;
    const before = served;
    served = new Map(kinds.map((kind) => [kindKey(kind), kind]));
    for (const [key, watched] of [...watching]) {
      const now = served.get(key);
      if (now?.version === watched.kind.version && now.resource === watched.kind.resource) continue;
      unwatch(key, watched);
      if (!now) onFeed({ group: watched.kind.group, kind: watched.kind.kind }, { state: 'absent' });
      // Another version of a kind that is watched: with or without objects, it is followed on.
      else watch(now);
    }
    for (const kind of kinds) {
      const key = kindKey(kind);
      if (!watching.has(key) && (isNamedKind(kind) || resumable.has(key))) watch(kind);
    }
    if (kinds.some(isApplication)) argo ??= startArgoSigns({ transport, clock, random, tuning, on });
    probeOthers();
    // What is served anew will have its first object soon.
    if (discovered) expectObjectsOf(compositesFirst(kinds.filter((kind) => !before.has(kindKey(kind)))));
    discovered = true;
    tellInStep();
  }

  /** While it is not known what the cluster serves, every kind that is expected on it is not seen. */
  function onDiscoveryFault(fault: ClusterFault): void {
    const words = JSON.stringify(fault);
    // That the cluster cannot be reached is told by `disconnected`.
    if (discovered || fault.type === 'unreachable' || words === unknown) return;
    unknown = words;
    for (const kind of namedKinds)
      onFeed(kind, fault.type === 'forbidden' ? { state: 'forbidden', fault } : { state: 'failed', fault });
  }

  discovery = startDiscovery({ ...{ transport, clock, random, log, tuning, onKinds }, onFault: onDiscoveryFault });
  const signs = startLivenessProbes({
    ...{ transport, clock, random, tuning, on },
    namespaces: controllerNamespaces,
  });

  return {
    named(kinds) {
      for (const kind of kinds) seek(kindKey(kind));
      expectObjectsOf(kinds.map((kind) => served.get(kindKey(kind))).filter((kind) => kind !== undefined));
    },
    async stop() {
      stopper.abort();
      idleTimer.cancel();
      const parts = [discovery, prober, signs, argo, events, ...watching.values()];
      const stopped = Promise.all([...parts.map((part) => part?.stop()), ...ending]);
      transport.stop();
      await stopped;
    },
  };
}
