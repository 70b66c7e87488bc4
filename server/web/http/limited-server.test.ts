import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { limitedServer, type ServerLimits } from './limited-server.ts';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** A server with some limits of its own; gives what opens a connection to it. */
async function serving(handle: Handle, limits: Partial<ServerLimits> = {}): Promise<() => Socket> {
  const server = limitedServer(handle, limits);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise((resolve) => void server.close(() => resolve()));
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    return socket;
  };
}

const get = 'GET / HTTP/1.1\r\nHost: localhost\r\n';
const ok: Handle = (_request, response) => void response.end('ok');

describe('a connection', () => {
  it('is answered one request after the other', async () => {
    const socket = (await serving(ok))();
    for (let turn = 0; turn < 3; turn += 1) {
      socket.write(`${get}\r\n`);
      const [answer] = await once(socket, 'data');
      expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
    }
    socket.destroy();
  });

  it('ends where a request comes before the last one was answered: a thousand at once are one', async () => {
    let asked = 0;
    const open = await serving((_request, response) => {
      asked += 1;
      setImmediate(() => response.end('late'));
    });
    const socket = open();
    socket.write(`${get}\r\n`.repeat(1_000));
    await text(socket).catch(() => '');
    expect(asked).toBe(1);
  });

  it.each([
    ['is longer than it comes', 'Content-Length: 99999999999\r\n\r\nhello'],
    ['never ends', 'Transfer-Encoding: chunked\r\n\r\nffffffff\r\nhello'],
    ['waits to be asked for', 'Content-Length: 5\r\nExpect: 100-continue\r\n\r\n'],
  ])('ends with its answer where the body of a request %s', async (_what, rest) => {
    const whole = await text(
      (await serving(ok))().on('connect', function send(this: Socket) {
        this.write(`${get}${rest}`);
      }),
    );
    expect(whole).toMatch(/^HTTP\/1\.1 200 [^]*ok$/);
    expect(whole).toMatch(/^connection: close\r$/im);
  });

  it('ends with what refuses its slow head, although the peer never ends its side', async () => {
    const server = limitedServer(ok, { headersTimeout: 50, requestTimeout: 50, connectionsCheckingInterval: 20 });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const opened = once(server, 'connection');
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\n');
    const [own] = await opened;
    await once(own, 'close');
    expect(own.destroyed).toBe(true);
  });

  it.each(['Transfer-Encoding: xchunked', 'Transfer-Encoding: chunked\r\n\r\nno length'])(
    'gets one answer to one request, however that ends: %j',
    async (rest) => {
      const socket = (await serving(ok))();
      socket.write(`${get}${rest}\r\n\r\n`);
      expect((await text(socket)).match(/^HTTP\/1\.1/gm)).toHaveLength(1);
    },
  );

  it.each([
    [
      'has half of a request',
      { headersTimeout: 100, requestTimeout: 100, connectionsCheckingInterval: 20 },
      'GET / HTTP',
    ],
    ['has nothing of one', { headersTimeout: 100, requestTimeout: 100, connectionsCheckingInterval: 20 }, ''],
    ['has been answered', { keepAliveTimeout: 50 }, `${get}\r\n`],
  ])('that %s is closed in time', async (_what, limits, sent) => {
    const socket = (await serving(ok, limits))();
    socket.write(sent);
    await text(socket).catch(() => '');
    expect(socket.closed).toBe(true);
  });

  it('whose answer nobody reads is closed in time', async () => {
    const left = Promise.withResolvers<void>();
    const open = await serving(
      (_request, response) => {
        response.once('close', left.resolve);
        response.end(Buffer.alloc(32 * 1024 * 1024));
      },
      { idleTimeout: 200 },
    );
    const socket = open();
    socket.pause();
    socket.write(`${get}\r\n`);
    await expect(left.promise).resolves.toBeUndefined();
    socket.destroy();
  });

  it('stays open while its answer is being made, begun or not, however long that takes', async () => {
    const open = await serving(
      ({ socket, url }, response) => {
        if (url === '/begun') response.write('early, ');
        let times = 0;
        socket.on('timeout', () => {
          times += 1;
          if (times === 2) response.end('late');
        });
      },
      { idleTimeout: 50 },
    );
    for (const path of ['/', '/begun']) {
      const socket = open();
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      expect(await text(socket).catch(() => '')).toMatch(/late/);
    }
  });

  it('that waits for a request gives way where there are more than may be: who opens many shuts out nobody', async () => {
    const open = await serving(ok, { maxConnections: 10 });
    const many = Array.from({ length: 30 }, open);
    for (const socket of many) {
      await once(socket, 'connect');
      socket.write(get);
    }
    const ended = many.filter((socket) => socket.destroyed || socket.readableEnded).length;
    for (let turn = 0; turn < 5; turn += 1) {
      const socket = open();
      socket.write(`${get}Connection: close\r\n\r\n`);
      expect(await text(socket)).toContain('200 OK');
    }
    expect(ended).toBeLessThanOrEqual(20);
    for (const socket of many) socket.destroy();
  });

  it('more than there may be is closed where all are being answered, and let in once one is over', async () => {
    const responses: ServerResponse[] = [];
    const open = await serving((_request, response) => void responses.push(response), { maxConnections: 2 });
    const answered = [open(), open()];
    for (const socket of answered) socket.write(`${get}\r\n`);
    await expect.poll(() => responses.length).toBe(2);
    expect(await text(open()).catch(() => '')).toBe('');
    // It is kept alive, and waits from then on.
    responses[0]?.end('ok');
    await once(answered[0] ?? open(), 'data');
    const next = open();
    next.write(`${get}\r\n`);
    await expect.poll(() => responses.length).toBe(3);
    for (const socket of [...answered, next]) socket.destroy();
  });
});

it('nothing is upgraded, and no tunnel opened', async () => {
  const open = await serving(ok);
  for (const request of [`${get}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`, `${get}Expect: nonsense\r\n\r\n`]) {
    const socket = open();
    socket.write(request);
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  }
  const socket = open();
  socket.write('CONNECT 10.0.0.1:6443 HTTP/1.1\r\nHost: localhost\r\n\r\n');
  expect(await text(socket)).toBe('');
});
