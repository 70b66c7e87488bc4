import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';

/** Reach of one API server through the network in front of it. */
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
type Behind = { readonly port: number } | { readonly accept: (socket: Socket) => void };

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

/** State of the gate at the moment. `latency` in ms. */
interface Doing {
  reach: Reach;
  latency: number;
}

/** The connections through a gate. */
function createConnections(behind: Behind, doing: Doing) {
  const clients = new Set<Socket>();
  const pairs = new Map<Socket, Socket>();

  function forward(from: Socket, to: Socket, held: boolean): void {
    from.on('data', (chunk: Buffer) => {
      if (!held || doing.latency === 0) {
        if (!to.write(chunk)) from.pause();
      } else {
        setTimeout(() => void (to.destroyed || to.write(chunk)), doing.latency).unref();
      }
    });
    to.on('drain', () => void (doing.reach === 'blackholed' || from.resume()));
    from.on('end', () => to.end());
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
  }

  return {
    accept(client: Socket): void {
      client.on('error', () => undefined);
      clients.add(client);
      client.on('close', () => {
        clients.delete(client);
        pairs.delete(client);
      });
      client.setNoDelay(true);
      if (doing.reach === 'blackholed') {
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
    },
    /** Nothing passes any more on what is connected now. */
    freeze(): void {
      for (const [client, upstream] of pairs) {
        client.pause();
        upstream.pause();
      }
    },
    cut(): void {
      for (const client of clients) client.resetAndDestroy();
    },
    destroy(): void {
      for (const client of clients) client.destroy();
    },
    count: (): number => clients.size,
  };
}

/** Opens a gate on a free port of 127.0.0.1. */
async function startGate(behind: Behind): Promise<Gate> {
  const doing: Doing = { reach: 'open', latency: 0 };
  const connections = createConnections(behind, doing);
  const server = createServer({ noDelay: true }, (client) => connections.accept(client));
  const port = await listen(server, 0);
  let last: Promise<unknown> = Promise.resolve();

  /** Closing and opening wait for each other, so that the last wish is what stays. */
  function inOrder(change: () => Promise<void>): Promise<void> {
    const done = last.then(change);
    last = done;
    return done;
  }

  async function change(before: Reach, wanted: Reach): Promise<void> {
    if (wanted === 'refused') {
      const closed = close(server);
      connections.cut();
      await closed;
      return;
    }
    if (before === 'refused') await listen(server, port);
    // A frozen connection never thaws: what it lost cannot come back. Whoever waits behind a direct gate is cut.
    if (before === 'blackholed' || 'accept' in behind) connections.cut();
    if (wanted === 'blackholed') connections.freeze();
  }

  return {
    port,
    get reach() {
      return doing.reach;
    },
    setReach(wanted) {
      if (wanted === doing.reach) return Promise.resolve();
      const before = doing.reach;
      doing.reach = wanted;
      return inOrder(() => change(before, wanted));
    },
    setLatency: (ms) => void (doing.latency = ms),
    cut: () => connections.cut(),
    connections: () => connections.count(),
    stop: () =>
      inOrder(async () => {
        const closed = close(server);
        connections.destroy();
        await closed;
      }),
  };
}

/** The gates in front of all servers. */
export interface Gates {
  /** Opens one that hands its sockets on; `inner` is the port by which they come. */
  open(enter: (socket: Socket) => void): Promise<{ readonly gate: Gate; readonly inner: number }>;
  close(): Promise<void>;
  /** Ends what stands behind closed gates. */
  destroy(): Promise<void>;
}

/** Starts with no gate. `freezable`: connections run through a copying gate, which can freeze them. */
export function createGates(freezable: boolean): Gates {
  const gates: Gate[] = [];
  const servers: Server[] = [];
  const sockets = new Set<Socket>();

  /** Listens on a port behind a gate that copies. */
  async function listenBehind(enter: (socket: Socket) => void): Promise<number> {
    const server = createServer({ noDelay: true }, (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      enter(socket);
    });
    servers.push(server);
    return listen(server, 0);
  }

  return {
    async open(enter) {
      const behind = freezable ? { port: await listenBehind(enter) } : { accept: enter };
      const gate = await startGate(behind);
      gates.push(gate);
      return { gate, inner: 'port' in behind ? behind.port : gate.port };
    },
    close: async () => void (await Promise.all(gates.map((gate) => gate.stop()))),
    async destroy() {
      // What was frozen may never learn that the other end is gone.
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map(close));
    },
  };
}
