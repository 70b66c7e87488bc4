import { type ClockReading, type DateSample, isClockOff, readClock } from '#lib/domain/time/clock-skew.ts';
import type { GroupKind } from '#lib/domain/observation/ref.ts';
import type { Clock } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import type { ClusterAccess } from './access.ts';
import { createBoundary } from './boundary.ts';
import type { ClusterEvent, ResumePoint } from './cluster-event.ts';
import type { Semaphore } from './semaphore.ts';
import { startSigns } from './signs/signs.ts';
import { startTransport } from './transport/transport.ts';
import { type ClusterTuning, defaultTuning } from './tuning.ts';
import { startWatches } from './watch/watches.ts';
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
  /** True where no object of a watched kind is known; without it none is taken for empty that once was not. */
  readonly isEmpty?: (kind: GroupKind) => boolean;
  /** Why no more may be known of it; null while there is room. `listed`: the object comes in a list of its kind. */
  readonly full?: (kind: GroupKind, listed: boolean) => string | null;
  /** Hears everything, in order. What it throws is a fault of the feed that it heard of; what it does delays this cluster only as long as it runs. */
  readonly on: (event: ClusterEvent) => void;
}

/** `alive` is sent at most so often (ms). */
const aliveEvery = 5_000;

/** One cluster that is being read. */
export type ClusterSession = ReturnType<typeof startClusterSession>;

/**
 * Reads one cluster until it is stopped: connects, finds the kinds, follows each, reads Leases, Deployments and Events.
 * Whatever fails, an error of ours too, becomes an event and is tried again; nothing here throws or ends by itself.
 */
export function startClusterSession(deps: ClusterSessionDeps) {
  const { access, clock, random, resume, dials } = deps;
  const log = deps.log.child({ cluster: deps.cluster });
  const tuning: ClusterTuning = { ...defaultTuning, ...deps.tuning };
  const stopper = new AbortController();
  const { signal } = stopper;
  const boundary = createBoundary(log);
  const readClockOf = createClockReader(log, on);
  let checked = false;
  let lastAlive = -Infinity;

  function on(event: ClusterEvent): void {
    if (!signal.aborted) deps.on(event);
  }

  function onConnected(protocol: 'h2' | 'http/1.1', version: string | null): void {
    log.debug({ protocol, version }, 'connected');
    boundary.run('the connection', () => on({ type: 'connected', at: clock.now(), protocol, version }));
    watches.connected(protocol);
    if (checked) return signs.again();
    checked = true;
    warnIfWritable(transport, 'flux-system', log, signal).catch((error: unknown) =>
      boundary.fault('what the credentials may do', error),
    );
  }

  function onReceived(): void {
    deps.onReceived?.();
    const now = clock.now();
    if (now - lastAlive < aliveEvery) return;
    lastAlive = now;
    on({ type: 'alive', at: now });
  }

  const transport = startTransport({
    access,
    clock,
    random,
    tuning,
    dials,
    // Called by sockets: nobody else would catch what is thrown.
    onDated: (sample) => boundary.run('the clock', () => readClockOf(sample)),
    onConnected: (protocol, version) => boundary.run('the connection', () => onConnected(protocol, version)),
    onDisconnected(fault) {
      log.debug({ fault }, 'disconnected');
      boundary.run('the connection', () => on({ type: 'disconnected', at: clock.now(), fault }));
    },
    onReceived: () => boundary.run('the connection', onReceived),
  });
  const watches = startWatches({
    transport,
    clock,
    random,
    log,
    tuning,
    boundary,
    resume,
    signal,
    on,
    isEmpty: (kind) => deps.isEmpty?.(kind) ?? false,
    full: (kind, listed) => deps.full?.(kind, listed) ?? null,
    onInStep: () => deps.onInStep?.(),
    onServed: (kinds) => signs.onKinds(kinds),
  });
  const signs = startSigns({ transport, clock, random, tuning, boundary, on });

  return {
    /** Something names objects of these kinds: those that are only looked at are watched, or looked at, at once. */
    named: watches.named,
    /** Work was done on what it told, of so many ms: it tells less until others have had as long. */
    charge: transport.charge,
    async stop(): Promise<void> {
      stopper.abort();
      const stopped = Promise.all([watches.stop(), signs.stop()]);
      transport.stop();
      await stopped;
    },
  };
}

/** Says by how much the cluster's clock is ahead, as soon as that is known and when it changes. */
function createClockReader(log: Log, on: (event: ClusterEvent) => void): (sample: DateSample) => void {
  let reading: ClockReading | null = null;
  return (sample) => {
    const before = reading?.ahead ?? null;
    reading = readClock(reading, sample);
    const { ahead } = reading;
    if (ahead === null || ahead === before) return;
    if (isClockOff(ahead)) log.warn({ ahead }, 'the clock of the API server is off');
    on({ type: 'clock', at: sample.receivedAt, ahead });
  };
}
