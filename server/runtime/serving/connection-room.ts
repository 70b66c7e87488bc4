import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from './network-of.ts';

/**
 * Keeps a server from holding more than `most` connections: where one more comes, one that waits for a request gives way, the longest waiting of the
 * peer that has most of those. So who opens thousands and sends nothing, or half of a request again and again, shuts out nobody but himself. Where
 * all are being answered, the new one is closed.
 */
export function connectionRoom(server: Server, most: number): void {
  /** Those that wait for a request, by peer, in the order in which they began to. */
  const waiting = new Map<string, Set<Socket>>();
  let open = 0;

  function wait(socket: Socket, by: string): void {
    if (!socket.destroyed) waiting.set(by, (waiting.get(by) ?? new Set()).add(socket));
  }

  function leave(socket: Socket, by: string): void {
    const own = waiting.get(by);
    own?.delete(socket);
    if (own?.size === 0) waiting.delete(by);
  }

  function longestWaiting(): Socket | null {
    let heaviest: ReadonlySet<Socket> = new Set();
    for (const own of waiting.values()) if (own.size > heaviest.size) heaviest = own;
    const [first = null] = heaviest;
    return first;
  }

  server.on('connection', (socket: Socket) => {
    open += 1;
    const by = peerOf(socket);
    socket.once('close', () => {
      open -= 1;
      leave(socket, by);
    });
    if (open > most) {
      const gives = longestWaiting() ?? socket;
      // The count follows once it is closed: until then it is not to be chosen again.
      leave(gives, peerOf(gives));
      gives.destroy();
    }
    wait(socket, by);
  });

  function answer({ socket }: IncomingMessage, response: ServerResponse): void {
    const by = peerOf(socket);
    leave(socket, by);
    response.once('close', () => wait(socket, by));
  }
  for (const asked of ['request', 'checkContinue', 'checkExpectation']) server.prependListener(asked, answer);
}

const peers = new WeakMap<Socket, string>();

/** A socket that is closed has no address any more. */
function peerOf(socket: Socket): string {
  const known = peers.get(socket) ?? networkOf(socket.remoteAddress ?? '');
  peers.set(socket, known);
  return known;
}
