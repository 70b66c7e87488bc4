import { type Failure, failure } from '../answer.ts';
import type { Link } from './link.ts';
import type { ClusterTuning } from '../tuning.ts';

export type AcquiredLink = { readonly type: 'ok'; readonly link: Link } | Failure;

/** The links to one cluster, shared out among its requests. */
export interface LinkPool {
  /** A link with room. Waits while the cluster cannot be reached, until the signal is aborted. */
  acquire(use: 'watch' | 'get', signal: AbortSignal): Promise<AcquiredLink>;
  /** The number of open links, drained ones included. */
  size(): number;
  /** A link was opened; requests go over it from `use` on. */
  add(link: Link): void;
  use(link: Link): void;
  /** The link takes no more requests. */
  drained(link: Link): void;
  /** The link is gone; false where it was not in use (any more). */
  remove(link: Link): boolean;
  /** Gives links to those that wait, and asks for a further one where there is no room. */
  serve(): void;
  /** Fails every request that waits. */
  refuse(why: Failure): void;
  /** Lets the links in use drain, so that new requests go over a new one (with new client certificates). */
  renew(): void;
  /** Closes all links; nothing is to be had any more. */
  close(): void;
}

interface Waiter {
  readonly use: 'watch' | 'get';
  readonly settle: (given: AcquiredLink) => void;
}

/** Starts without a link. `further` is asked for one where there is no room and no more than allowed are open. */
export function createLinkPool(tuning: ClusterTuning, further: { isUnderWay(): boolean; open(): void }): LinkPool {
  const links = new Set<Link>();
  const usable = new Set<Link>();
  const waiters = new Set<Waiter>();
  let closed = false;

  function pick(use: 'watch' | 'get'): Link | null {
    for (const link of usable) if (link.room(use)) return link;
    return null;
  }

  function extend(waiter: Waiter): void {
    if (further.isUnderWay()) return;
    const [some] = usable;
    if (some?.protocol === 'http/1.1') {
      const message = `only HTTP/1.1 is to be had, and ${tuning.http1WatchesAtMost} watches are open already`;
      waiter.settle(failure({ type: 'protocol', message }));
    } else if (links.size >= tuning.sessionsAtMost) {
      waiter.settle(failure({ type: 'protocol', message: `${links.size} sessions are open already` }));
    } else {
      further.open();
    }
  }

  function wait(use: 'watch' | 'get', signal: AbortSignal): Promise<AcquiredLink> {
    return new Promise((resolve) => {
      const settle = (given: AcquiredLink): void => {
        waiters.delete(waiter);
        signal.removeEventListener('abort', abort);
        resolve(given);
      };
      const waiter: Waiter = { use, settle };
      const abort = (): void => settle(failure({ type: 'unreachable', message: 'the cluster cannot be reached' }));
      if (signal.aborted || closed) return abort();
      signal.addEventListener('abort', abort);
      waiters.add(waiter);
      extend(waiter);
    });
  }

  function refuse(why: Failure): void {
    for (const waiter of [...waiters]) waiter.settle(why);
  }

  return {
    acquire(use, signal) {
      const link = pick(use);
      return link ? Promise.resolve({ type: 'ok', link }) : wait(use, signal);
    },
    size: () => links.size,
    add: (link) => void links.add(link),
    use(link) {
      if (links.has(link)) usable.add(link);
    },
    drained: (link) => void usable.delete(link),
    remove(link) {
      links.delete(link);
      return usable.delete(link);
    },
    serve() {
      for (const waiter of [...waiters]) {
        const link = pick(waiter.use);
        if (link) waiter.settle({ type: 'ok', link });
        else extend(waiter);
      }
    },
    refuse,
    renew() {
      for (const link of [...usable]) link.drain();
    },
    close() {
      closed = true;
      for (const link of links) link.close();
      links.clear();
      usable.clear();
      refuse(failure({ type: 'unreachable', message: 'stopped' }));
    },
  };
}
