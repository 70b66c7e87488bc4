import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';

/** What the network in front of one API server does. */
export type Reach = 'open' | 'refused' | 'blackholed';

/**
 * The port that clients connect to, in front of one API server. It can refuse, swallow, slow down and cut connections,
 * as networks do: below TLS, so that not even an HTTP/2 ping is answered.
 */
export interface Gate {
  readonly port: number;
  readonly reach: Reach;
  /** refused: the port is closed and connections are reset. blackholed: bytes vanish, connections stay. */
  setReach(reach: Reach): Promise<void>;
  /** Every piece of an answer is held back by this many ms. */
  setLatency(ms: number): void;
  /** Resets every connection. */
  cut(): void;
  connections(): number;
  stop(): Promise<void>;
}

/** Where an open gate leads to: a port, or a function that takes the socket itself (no copying, no freezing). */
export type Behind = { readonly port: number } | { readonly accept: (socket: Socket) => void };

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1', backlog: 1024 }, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => void (server.listening ? server.close(() => resolve()) : resolve()));
}

/** Opens a gate on a free port of 127.0.0.1. `clusterOf` learns the port by which a socket came. */
export async function startGate(behind: Behind): Promise<Gate> {
  const clients = new Set<Socket>();
  const pairs = new Map<Socket, Socket>();
  let reach: Reach = 'open';
  let latency = 0;

  function forward(from: Socket, to: Socket, held: boolean): void {
    from.on('data', (chunk: Buffer) => {
      if (!held || latency === 0) {
        if (!to.write(chunk)) from.pause();
      } else {
        setTimeout(() => void (to.destroyed || to.write(chunk)), latency).unref();
      }
    });
    to.on('drain', () => void (reach === 'blackholed' || from.resume()));
    from.on('end', () => to.end());
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
  }

  function accept(client: Socket): void {
    client.on('error', () => undefined);
    clients.add(client);
    client.on('close', () => {
      clients.delete(client);
      pairs.delete(client);
    });
    client.setNoDelay(true);
    if (reach === 'blackholed') {
      client.pause();
    } else if ('accept' in behind) {
      behind.accept(client);
    } else {
      const server = connect({ port: behind.port, host: '127.0.0.1' });
      server.setNoDelay(true);
      pairs.set(client, server);
      forward(client, server, false);
      forward(server, client, true);
    }
  }

  const server = createServer({ noDelay: true }, accept);
  const port = await listen(server, 0);

  function cut(): void {
    for (const client of clients) client.resetAndDestroy();
  }

  let last: Promise<unknown> = Promise.resolve();

  /** Closing and opening take turns, so that the last wish is what stays. */
  function inTurn(change: () => Promise<void>): Promise<void> {
    const done = last.then(change);
    last = done;
    return done;
  }

  async function change(before: Reach, wanted: Reach): Promise<void> {
    if (wanted === 'refused') {
      const closed = close(server);
      cut();
      await closed;
      return;
    }
    if (before === 'refused') await listen(server, port);
    // A frozen connection never thaws: what it lost cannot come back. Whoever waits behind a direct gate is cut.
    if (before === 'blackholed' || 'accept' in behind) cut();
    if (wanted !== 'blackholed') return;
    for (const [client, upstream] of pairs) {
      client.pause();
      upstream.pause();
    }
  }

  return {
    port,
    get reach() {
      return reach;
    },
    setReach(wanted) {
      if (wanted === reach) return Promise.resolve();
      const before = reach;
      reach = wanted;
      return inTurn(() => change(before, wanted));
    },
    setLatency: (ms) => void (latency = ms),
    cut,
    connections: () => clients.size,
    stop: () =>
      inTurn(async () => {
        const closed = close(server);
        for (const client of clients) client.destroy();
        await closed;
      }),
  };
}
