import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
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
