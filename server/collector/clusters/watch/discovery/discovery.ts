import type { Timer } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import { type GroupKind, kindKey } from '#lib/domain/observation/ref.ts';
import { watchedByName } from '../../../reconcilers/registry.ts';
import type { ClusterFault, UnreadKind, WatchedKind } from '../../cluster-event.ts';
import { type DiscoveredVersion, kindsOf, unreadOf } from './discovery-document.ts';
import { createDiscoveryRequest, type Found } from './discovery-request.ts';
import { type GuardedDeps, keepReading } from '../../boundary.ts';
import { createNap } from '../../pause.ts';

export interface DiscoveryDeps extends GuardedDeps {
  readonly log: Log;
  /** The kinds were found for the first time, or are others than before. */
  onKinds(kinds: readonly WatchedKind[], absent: readonly GroupKind[], unread: readonly UnreadKind[]): void;
  /** A discovery failed; what was known stays. */
  onFault(fault: ClusterFault): void;
}

/** Each discovery after `soon` (ms), and until how long after it. An unchanged answer is an HTTP 304. */
const hurryEvery = 3_000;
const hurryFor = 20_000;
/** A kind that is not known, or missing for the first time, is looked for again after so long (ms). */
const unsureAfter = 5_000;

/** Discovers which kinds a cluster serves: at once, every 15 s with jitter, and soon after `again`. */
export type Discovery = ReturnType<typeof startDiscovery>;

/** Starts the discovery of one cluster. */
export function startDiscovery(deps: DiscoveryDeps) {
  const { transport, clock, random, log, tuning } = deps;
  const stopper = new AbortController();
  const nap = createNap(clock, stopper.signal);
  const request = createDiscoveryRequest(transport, tuning, stopper.signal);
  const served = createServedKinds(deps);
  const complain = createComplaint(log);
  let soon: Timer | null = null;
  let hurryUntil = 0;
  let wanted = false;
  let legacy = false;

  /** The wait for the next discovery (ms). */
  function waitAfter(found: Found): number {
    const every = legacy ? tuning.legacyDiscoveryEvery : tuning.discoveryEvery;
    // Nothing is known yet, or something is missing: sooner than the usual round.
    const unsure = (found.type === 'fault' && !served.isKnown()) || served.isUnsure();
    if (unsure) return Math.max(found.type === 'fault' ? (found.retryAfter ?? 0) : 0, Math.min(every, unsureAfter));
    return clock.now() < hurryUntil && !legacy ? Math.min(every, hurryEvery) : every;
  }

  async function turn(): Promise<void> {
    wanted = false;
    const found = await request.ask();
    if (stopper.signal.aborted) return;
    if (found.type === 'ok') {
      legacy = found.legacy;
      served.take(found.versions, request.forget);
    }
    complain(found.type === 'fault' ? found.fault : null);
    if (found.type === 'fault') deps.onFault(found.fault);
    const wait = waitAfter(found);
    if (!wanted) await nap.pause(wait * (0.8 + 0.4 * random()));
  }

  const running = keepReading(deps, {
    what: 'the kinds that are served',
    signal: stopper.signal,
    turn,
    onFault(fault) {
      // What was found may not have been taken.
      request.forget();
      served.forget();
      deps.onFault(fault);
    },
  });
  return {
    again(): void {
      // Many watches may answer 404 at once; one discovery a moment later is enough.
      soon ??= clock.after(1_000, () => {
        soon = null;
        request.forget();
        wanted = true;
        nap.wake();
      });
    },
    /** Something that defines kinds was written: discovers at once, and every few seconds for a while, for a definition takes its time. */
    soon(): void {
      if (!legacy && clock.now() >= hurryUntil - hurryFor + hurryEvery) nap.wake();
      hurryUntil = clock.now() + hurryFor;
    },
    async stop(): Promise<void> {
      soon?.cancel();
      stopper.abort();
      await running;
    },
  };
}

/** The kinds that a cluster serves; `onKinds` is called when they have changed. */
function createServedKinds({ onKinds, log }: DiscoveryDeps) {
  let known: readonly WatchedKind[] = [];
  let suspects: ReadonlySet<string> = new Set();
  let last: string | null = null;
  let leftOut = 0;

  function tellLeftOut(versions: readonly DiscoveredVersion[]): void {
    const count = versions.reduce((sum, { misnamed }) => sum + misnamed, 0);
    if (count > leftOut) log.warn({ count }, 'the cluster serves what has no name of an API resource; it is left out');
    leftOut = count;
  }

  return {
    /** `onKept`: a kind that is missing is kept for now, and must be asked for again. */
    take(versions: readonly DiscoveredVersion[], onKept: () => void): void {
      tellLeftOut(versions);
      const now = kindsOf(versions, known);
      const there = new Set(now.map(kindKey));
      // A server that has just started does not know its CRDs yet: a kind is gone when it is missing twice.
      const kept = known.filter((kind) => !there.has(kindKey(kind)) && !suspects.has(kindKey(kind)));
      suspects = new Set(kept.map(kindKey));
      if (kept.length > 0) onKept();
      known = [...now, ...kept];
      const unread = unreadOf(versions);
      const text = JSON.stringify([known, unread]);
      if (text === last) return;
      last = text;
      const served = new Set(known.map(kindKey));
      const absent = watchedByName.filter((kind) => !served.has(kindKey(kind)));
      onKinds(
        known,
        absent.map(({ group, kind }) => ({ group, kind })),
        unread,
      );
    },
    /** The next kinds are told, whatever they are. */
    forget: (): void => void (last = null),
    isKnown: (): boolean => last !== null,
    /** Something is missing for the first time. */
    isUnsure: (): boolean => suspects.size > 0,
  };
}

/** Logs once why discovery fails, and once that it works again; not that the cluster cannot be reached. */
function createComplaint(log: Log): (fault: ClusterFault | null) => void {
  let complaint: string | null = null;
  return (fault) => {
    const reason = fault === null || fault.type === 'unreachable' ? null : fault.message;
    if (reason !== null && reason !== complaint)
      log.warn({ reason }, 'the cluster does not tell which kinds it serves');
    if (fault === null && complaint !== null) log.info({}, 'the cluster tells which kinds it serves again');
    if (reason !== null || fault === null) complaint = reason;
  };
}
