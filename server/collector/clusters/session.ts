import { type ClockReading, type DateSample, isClockOff, readClock } from '#lib/domain/time/clock-skew.ts';
import type { GroupKind } from '#lib/domain/observation/ref.ts';
import type { Clock } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import type { ClusterAccess } from './access.ts';
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
  /** Hears everything, in order. Must not throw, and what it does delays this cluster only as long as it runs. */
  readonly on: (event: ClusterEvent) => void;
}

/** `alive` is sent at most so often (ms). */
const aliveEvery = 5_000;

/** One cluster that is being read. */
export type ClusterSession = ReturnType<typeof startClusterSession>;

/**
 * Reads one cluster until it is stopped: connects, finds the kinds, follows each, reads Leases, Deployments and Events.
 * Whatever fails becomes an event and tried again; nothing here throws or ends by itself.
 */
export function startClusterSession(deps: ClusterSessionDeps) {
  const { access, clock, random, resume, dials } = deps;
  const log = deps.log.child({ cluster: deps.cluster });
  const tuning: ClusterTuning = { ...defaultTuning, ...deps.tuning };
  const stopper = new AbortController();
  const { signal } = stopper;
  const onDated = createClockReader(log, on);
  let checked = false;
  let lastAlive = -Infinity;

  function on(event: ClusterEvent): void {
    if (!signal.aborted) deps.on(event);
  }

  const transport = startTransport({
    access,
    clock,
    random,
    tuning,
    dials,
    onDated,
    onConnected(protocol, version) {
      log.info({ protocol, version }, 'connected');
      on({ type: 'connected', at: clock.now(), protocol, version });
      watches.connected(protocol);
      if (checked) return signs.again();
      checked = true;
      void warnIfWritable(transport, 'flux-system', log, signal);
    },
    onDisconnected(fault) {
      log.info({ fault }, 'disconnected');
      on({ type: 'disconnected', at: clock.now(), fault });
    },
    onReceived() {
      deps.onReceived?.();
      const now = clock.now();
      if (now - lastAlive < aliveEvery) return;
      lastAlive = now;
      on({ type: 'alive', at: now });
    },
  });
  const watches = startWatches({
    transport,
    clock,
    random,
    log,
    tuning,
    resume,
    signal,
    on,
    isEmpty: (kind) => deps.isEmpty?.(kind) ?? false,
    onInStep: () => deps.onInStep?.(),
    onServed: (kinds) => signs.onKinds(kinds),
  });
  const signs = startSigns({ transport, clock, random, tuning, on });

  return {
    /** Something names objects of these kinds: those that are only looked at are watched, or looked at, at once. */
    named: watches.named,
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
