import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:http';
import { connect, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { streamClient } from './stream-client.ts';

let server: Server | null = null;
let socket: Socket | null = null;

afterEach(() => {
  socket?.destroy();
  server?.close();
});

/** A response whose reader has stopped reading, and the socket that can go on. */
function slowReader(): Promise<{ response: ServerResponse; socket: Socket }> {
  return new Promise((resolve) => {
    server = createServer((_request, response) => {
      if (socket) resolve({ response, socket });
    }).listen(0, '127.0.0.1', () => {
      const address = server?.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      socket = connect(port, '127.0.0.1', () => socket?.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
      socket.pause();
    });
  });
}

describe('a slow client', () => {
  it('costs a bounded buffer, and is told to start again once it reads', async () => {
    const { response, socket: reader } = await slowReader();
    const client = streamClient(response, () => Buffer.from('RESTART'), 200_000);
    const frame = Buffer.alloc(100_000, 'x');
    let most = 0;
    for (let n = 0; n < 400; n += 1) {
      client.send(frame);
      most = Math.max(most, response.writableLength);
      if (n % 20 === 0) await new Promise(setImmediate);
    }
    expect(most).toBeLessThan(400_000);
    let last = '';
    const restarted = new Promise<void>((resolve) => {
      reader.on('data', (part: Buffer) => {
        last = (last + part.toString('latin1')).slice(-64);
        if (last.includes('RESTART')) resolve();
      });
    });
    reader.resume();
    await restarted;
    client.send(Buffer.from('NEXT'));
    await expect.poll(() => last).toContain('NEXT');
  });

  it('that has left is written to no more', async () => {
    const { response } = await slowReader();
    const client = streamClient(response, () => Buffer.from('RESTART'));
    client.close();
    client.send(Buffer.from('late'));
    expect(response.writableEnded).toBe(true);
  });
});

describe('a response', () => {
  const mebibyte = 1024 * 1024;

  /** A client of a response before which `waiting` bytes stand, and all that is written to it. */
  function clientOf(waiting: number) {
    const written: string[] = [];
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    Object.defineProperty(response, 'writableLength', { get: () => waiting });
    response.write = (chunk: unknown) => written.push(String(chunk).slice(0, 7)) > 0;
    return { written, response, client: streamClient(response, () => Buffer.from('RESTART')) };
  }

  it.each([
    ['1 MiB in all', mebibyte - 4, 4, true],
    ['more', mebibyte - 3, 4, false],
    ['more than that, with nothing before it', 0, mebibyte + 1, true],
    ['more than that, with a byte before it', 1, mebibyte, false],
  ])('takes a frame: %s', (_what, waiting, length, taken) => {
    const { written, response, client } = clientOf(waiting);
    client.send(Buffer.alloc(length, 'x'));
    expect(written.length).toBe(taken ? 1 : 0);
    response.emit('drain');
    expect(written.at(-1) === 'RESTART').toBe(!taken);
  });

  it('is told to start again once, and is then written to as before', () => {
    const { written, response, client } = clientOf(mebibyte - 3);
    client.send(Buffer.from('four'));
    client.send(Buffer.from('one'));
    expect(written).toEqual([]);
    response.emit('drain');
    response.emit('drain');
    client.send(Buffer.from('two'));
    expect(written).toEqual(['RESTART', 'two']);
  });

  it.each(['end', 'destroy'] as const)('after its %s gets nothing', (way) => {
    const { written, response, client } = clientOf(0);
    response[way]();
    written.length = 0;
    client.send(Buffer.from('late'));
    expect(written).toEqual([]);
  });
});
