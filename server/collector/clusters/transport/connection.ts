import type { DateSample } from '#lib/domain/time/clock-skew.ts';
import { numberAt, parseForeign, textAt } from '#lib/foreign.ts';
import type { Clock, Timer } from '#server/runtime/clock.ts';
import type { ClusterAccess } from './access.ts';
import { type Failure, failure } from './answer.ts';
import { createBackoff } from '../backoff.ts';
import type { ClusterFault } from '../cluster-event.ts';
import { datedLink } from './dated-link.ts';
import { dial } from './dial.ts';
import type { Semaphore } from './semaphore.ts';
import { exchangeOnce } from './exchange.ts';
import type { Link, LinkEvents } from './link.ts';
import type { ClusterTuning } from '../tuning.ts';

export interface ConnectionDeps {
  readonly access: ClusterAccess;
  readonly clock: Clock;
  readonly random: () => number;
  readonly tuning: ClusterTuning;
  /** Shared by all clusters of a process; without it nothing waits. */
  readonly dials?: Semaphore | undefined;
  /** The first link is up; `version` is the server's gitVersion where it tells. */
  onConnected(protocol: 'h2' | 'http/1.1', version: string | null): void;
  /** The last link is gone, or a first attempt failed. Once per loss and per changed fault. */
  onDisconnected(fault: ClusterFault): void;
  onReceived(): void;
  /** Each answer's Date beside our clock. */
  onDated?(sample: DateSample): void;
}

/** All links to one cluster, opened, reopened and shared out. */
export interface Connection {
  /** A link with room. Waits while the cluster cannot be reached, until the signal is aborted. */
  acquire(use: 'watch' | 'get', signal: AbortSignal): Promise<{ type: 'ok'; link: Link } | Failure>;
  /** Lets present links drain, so that new requests go over a new one (with new client certificates). */
  renew(): void;
  protocol(): 'h2' | 'http/1.1' | null;
  stop(): void;
}

interface Waiter {
  readonly use: 'watch' | 'get';
  readonly settle: (given: { type: 'ok'; link: Link } | Failure) => void;
}

/** Credentials that are mended are taken up within this (ms). */
const longestUnauthorized = 10_000;

/** Starts to connect at once, and again with backoff whenever nothing is left. */
export function startConnection({
  access,
  clock,
  random,
  tuning,
  dials,
  onConnected,
  onDisconnected,
  onReceived,
  onDated,
}: ConnectionDeps): Connection {
  const base = basePath(access.server);
  const links = new Set<Link>();
  const usable = new Set<Link>();
  const waiters = new Set<Waiter>();
  const backoff = createBackoff(tuning, clock.now, random);
  let connected = false;
  let told: string | null = null;
  let dialing = false;
  let stopped = false;
  let retry: Timer | null = null;

  function linkEvents(): LinkEvents & { link: Link | null } {
    const own: LinkEvents & { link: Link | null } = {
      link: null,
      heard: onReceived,
      drained() {
        if (own.link) usable.delete(own.link);
        serve();
      },
      lost(reason) {
        if (!own.link) return;
        const drained = !usable.delete(own.link);
        links.delete(own.link);
        if (stopped || links.size > 0) return;
        // A drained link that has emptied is no loss: nothing but the next request needs another.
        if (!drained) lose({ type: 'unreachable', message: reason });
        else if (!dialing) connectSoon(0);
      },
    };
    return own;
  }

  function lose(fault: ClusterFault): void {
    connected = false;
    const words = JSON.stringify(fault);
    if (words !== told) onDisconnected(fault);
    told = words;
    // Whoever was cut off may have begun to dial before the loss is told.
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
    const turn = await dials?.enter();
    const events = linkEvents();
    const dialed = await dial({ access, clock, tuning, events });
    turn?.end();
    if (dialed.type === 'fault') return failed(dialed);
    if (stopped) return dialed.link.close();
    const opened = onDated ? { link: datedLink(dialed.link, clock, onDated) } : dialed;
    events.link = opened.link;
    const first = links.size === 0;
    links.add(opened.link);
    const greeted = first ? await greet(opened.link) : null;
    if (greeted?.type === 'fault') {
      links.delete(opened.link);
      opened.link.close();
      return failed(greeted);
    }
    dialing = false;
    if (stopped) return;
    if (links.has(opened.link)) usable.add(opened.link);
    if (!connected) {
      connected = true;
      told = null;
      onConnected(opened.link.protocol, greeted?.version ?? null);
    }
    if (links.size === 0) lose({ type: 'unreachable', message: 'the connection was closed' });
    serve();
  }

  /** Asks for the version, and whether it is ready: one that starts refuses and misses what it will serve a moment later. */
  async function greet(link: Link): Promise<{ type: 'ok'; version: string | null } | Failure> {
    const version = await askVersion(link);
    if (version.type === 'fault') return version;
    const headers = await access.headers();
    if (headers.type === 'fault') return headers;
    const request = { path: `${base}/readyz`, headers: headers.headers, review: null };
    const ready = await exchangeOnce({ link, request, clock, timeout: tuning.connectTimeout, most: 100_000 });
    if (ready.type === 'fault') return failure(ready.fault);
    if (ready.type === 'ok' && ready.status >= 500) {
      return failure({ type: 'server', status: ready.status, message: 'the API server is not ready' });
    }
    return version;
  }

  async function askVersion(link: Link): Promise<{ type: 'ok'; version: string | null } | Failure> {
    const headers = await access.headers();
    if (headers.type === 'fault') return headers;
    const request = { path: `${base}/version`, headers: headers.headers, review: null };
    const answer = await exchangeOnce({ link, request, clock, timeout: tuning.connectTimeout, most: 100_000 });
    if (answer.type === 'fault') return failure(answer.fault);
    if (answer.type === 'too-large') return { type: 'ok', version: null };
    if (answer.status === 401) {
      // An API server closes an HTTP/2 connection after an unauthenticated request: the next attempt dials anew, with
      // credentials that are read anew.
      access.refresh();
      return failure({ type: 'unauthorized', message: 'the cluster does not accept the credentials' });
    }
    if (answer.status >= 500)
      return failure({ type: 'server', status: answer.status, message: `HTTP ${answer.status}` });
    const body = parseForeign(answer.body.toString());
    const version = numberAt(body, 'code') === null ? textAt(body, 'gitVersion') : null;
    return { type: 'ok', version };
  }

  function failed(given: Failure): void {
    dialing = false;
    if (stopped) return;
    if (links.size === 0) {
      lose(given.fault);
      return;
    }
    // Only a further link failed: whoever waited for it hears so and backs off by itself.
    for (const waiter of [...waiters]) waiter.settle(given);
  }

  function pick(use: 'watch' | 'get'): Link | null {
    for (const link of usable) if (link.room(use)) return link;
    return null;
  }

  function serve(): void {
    for (const waiter of [...waiters]) {
      const link = pick(waiter.use);
      if (link) waiter.settle({ type: 'ok', link });
      else extend(waiter);
    }
  }

  function extend(waiter: Waiter): void {
    if (dialing || retry !== null) return;
    const [some] = usable;
    if (some?.protocol === 'http/1.1') {
      const message = `only HTTP/1.1 is to be had, and ${tuning.http1WatchesAtMost} watches are open already`;
      waiter.settle(failure({ type: 'protocol', message }));
    } else if (links.size >= tuning.sessionsAtMost) {
      waiter.settle(failure({ type: 'protocol', message: `${links.size} sessions are open already` }));
    } else {
      void open();
    }
  }

  void open();
  return {
    acquire(use, signal) {
      const link = pick(use);
      if (link) return Promise.resolve({ type: 'ok', link });
      return new Promise((resolve) => {
        const settle = (given: { type: 'ok'; link: Link } | Failure): void => {
          waiters.delete(waiter);
          signal.removeEventListener('abort', abort);
          resolve(given);
        };
        const waiter: Waiter = { use, settle };
        const abort = (): void => settle(failure({ type: 'unreachable', message: 'the cluster cannot be reached' }));
        if (signal.aborted || stopped) return abort();
        signal.addEventListener('abort', abort);
        waiters.add(waiter);
        extend(waiter);
      });
    },
    renew() {
      for (const link of [...usable]) link.drain();
    },
    protocol: () => [...links][0]?.protocol ?? null,
    stop() {
      stopped = true;
      retry?.cancel();
      for (const link of links) link.close();
      links.clear();
      usable.clear();
      for (const waiter of [...waiters]) waiter.settle(failure({ type: 'unreachable', message: 'stopped' }));
    },
  };
}

/** The path of a server's URL, without a trailing slash: some servers are reached below one (e.g. through Rancher). */
export function basePath(server: string): string {
  return URL.parse(server)?.pathname.replace(/\/$/, '') ?? '';
}
