import type { DateSample } from '#lib/domain/time/clock-skew.ts';
import { latestTime } from '#lib/domain/time/latest-time.ts';
import type { Timer, Clock } from '#server/runtime/clock.ts';
import { type Failure, failure } from '../answer.ts';
import { createBackoff } from '../backoff.ts';
import type { ClusterFault } from '../cluster-event.ts';
import { saying } from '../redact.ts';
import { dial } from './dial.ts';
import type { Semaphore } from '../semaphore.ts';
import { greet } from './greet.ts';
import type { Link, LinkDeps, LinkEvents } from './link.ts';
import { type AcquiredLink, createLinkPool, type LinkPool } from './link-pool.ts';
import type { Pace } from './pace/pace.ts';

export interface ConnectionDeps extends LinkDeps {
  readonly random: () => number;
  /** Shared by all links of the cluster. */
  readonly pace: Pace;
  /** Shared by all clusters of a process; without it nothing waits. */
  readonly dials?: Semaphore | undefined;
  /** The first link is up; `version` is the server's gitVersion where it gives one. */
  onConnected(protocol: 'h2' | 'http/1.1', version: string | null): void;
  /** The last link is gone, or a first attempt failed. Once per loss and per changed fault. */
  onDisconnected(fault: ClusterFault): void;
  onReceived(): void;
  /** Each answer's Date beside our clock. */
  onDated?(sample: DateSample): void;
}

/** All links to one cluster, opened, reopened and shared out. */
export interface Connection extends Pick<LinkPool, 'acquire' | 'renew'> {
  stop(): void;
}

/** Credentials that are mended are taken up within this (ms). */
const longestUnauthorized = 10_000;

/** Starts to connect at once, and again with backoff whenever nothing is left. */
export function startConnection(deps: ConnectionDeps): Connection {
  const { clock, random, tuning } = deps;
  const pool = createLinkPool(tuning, { isUnderWay: () => dialing || retry !== null, open: () => void open() });
  const reach = createReach(deps);
  const backoff = createBackoff(tuning, clock.now, random);
  let dialing = false;
  let stopped = false;
  let retry: Timer | null = null;

  function drained(link: Link): void {
    pool.drained(link);
    pool.serve();
  }

  function lost(link: Link, reason: string): void {
    const wasDrained = !pool.remove(link);
    if (stopped || pool.size() > 0) return;
    // A drained link that has emptied is no loss: nothing but the next request needs another.
    if (!wasDrained) lose({ type: 'unreachable', message: reason });
    else if (!dialing) connectSoon(0);
  }

  function lose(fault: ClusterFault): void {
    reach.lost(fault);
    // Whoever was cut off may have begun to dial before the loss is known.
    const pause = backoff.next();
    if (!dialing) connectSoon(fault.type === 'unauthorized' ? Math.min(pause, longestUnauthorized) : pause);
  }

  function connectSoon(delay: number): void {
    retry?.cancel();
    retry = clock.after(delay, () => {
      retry = null;
      void open();
    });
  }

  async function open(): Promise<void> {
    if (dialing || stopped) return;
    dialing = true;
    const dialed = await orFault(() => dialWithPermit(deps, drained, lost));
    if (dialed.type === 'fault') return failed(dialed);
    const { link } = dialed;
    if (stopped) return link.close();
    const first = pool.size() === 0;
    pool.add(link);
    const greeted = first ? await orFault(() => greet(deps, link)) : null;
    if (greeted?.type === 'fault') {
      pool.remove(link);
      link.close();
      return failed(greeted);
    }
    dialing = false;
    if (stopped) return;
    pool.use(link);
    reach.found(link.protocol, greeted?.version ?? null);
    if (pool.size() === 0) lose({ type: 'unreachable', message: 'the connection was closed' });
    pool.serve();
  }

  function failed(given: Failure): void {
    dialing = false;
    if (stopped) return;
    if (pool.size() === 0) return lose(given.fault);
    // Only a further link failed: whoever waited for it hears so and backs off by itself.
    pool.refuse(given);
  }

  void open();
  return {
    acquire: pool.acquire,
    renew: pool.renew,
    stop() {
      stopped = true;
      retry?.cancel();
      pool.close();
    },
  };
}

/** Opens a link once the cluster has a permit for it. */
async function dialWithPermit(
  { access, clock, tuning, pace, dials, onReceived, onDated }: ConnectionDeps,
  drained: (link: Link) => void,
  lost: (link: Link, reason: string) => void,
): Promise<AcquiredLink> {
  const permit = await dials?.enter();
  let link: Link | null = null;
  const events: LinkEvents = {
    received: onReceived,
    drained: () => link && drained(link),
    lost: (reason) => link && lost(link, reason),
  };
  try {
    const dialed = await dial({ access, clock, tuning, pace, events });
    if (dialed.type === 'fault') return dialed;
    link = onDated ? datedLink(dialed.link, clock, onDated) : dialed.link;
    return { type: 'ok', link };
  } finally {
    permit?.end();
  }
}

/** Whatever is thrown on the way into one cluster is a fault of that cluster: the others are read on. */
async function orFault<Done>(step: () => Promise<Done>): Promise<Done | Failure> {
  try {
    return await step();
  } catch (error) {
    return failure({ type: 'protocol', message: saying(error) });
  }
}

/** Says when the cluster is found and lost, once each, and when the fault of a loss changes. */
function createReach({ onConnected, onDisconnected }: ConnectionDeps) {
  let connected = false;
  let last: string | null = null;
  return {
    found(protocol: 'h2' | 'http/1.1', version: string | null): void {
      if (connected) return;
      connected = true;
      last = null;
      onConnected(protocol, version);
    },
    lost(fault: ClusterFault): void {
      connected = false;
      const text = JSON.stringify(fault);
      if (text !== last) onDisconnected(fault);
      last = text;
    },
  };
}

/**
 * A link that reports the Date of every answer beside our clock. An answer with an Age is a cache's, and older than it says; one
 * without a Date is not reported, nor one that is dated before 1970 or after 9999.
 */
export function datedLink(link: Link, clock: Clock, onDated: (sample: DateSample) => void): Link {
  return {
    ...link,
    open(request, use, exchange) {
      const sentAt = clock.now();
      return link.open(request, use, {
        head(status, header) {
          const date = Date.parse(header('date') ?? '');
          if (date >= 0 && date <= latestTime && Number(header('age') ?? 0) === 0)
            onDated({ date, sentAt, receivedAt: clock.now() });
          exchange.head(status, header);
        },
        data: (chunk) => exchange.data(chunk),
        end: (lost) => exchange.end(lost),
      });
    },
  };
}
