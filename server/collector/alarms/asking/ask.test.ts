import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createTlsServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#server/runtime/clock.ts';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { selfSigned } from '../../clusters/testing/self-signed.ts';
import { until } from '../../clusters/testing/until.ts';
import { alarmEntry, programServer } from '../testing/program-server.ts';
import { type AskBounds, createAsk } from './ask.ts';
import type { Asked } from './asked.ts';

const signal = new AbortController().signal;
const small: AskBounds = { deadline: 5_000, mostBytes: 1024 ** 2 };

async function asked(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  bounds: AskBounds = small,
): Promise<Asked> {
  const address = await programServer(answer);
  return createAsk({ entry: alarmEntry(), address, clock: systemClock, signal, bounds })('/api/v1/rules', { a: 'b c' });
}

const failed = (reason: string): Asked => ({ type: 'failed', reason });

describe('createAsk', () => {
  it('asks by GET, with its parameters, a tenant and the token of the file as it is then; no cookie comes back', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plumbline-token-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const tokenFile = join(folder, 'token');
    const heard: unknown[] = [];
    const address = await programServer(({ method, url, headers }, response) => {
      heard.push([method, url, headers.authorization, headers['x-scope-orgid'], headers.cookie]);
      response.setHeader('set-cookie', 'a=b');
      response.end('{"x":1}');
    });
    const ask = createAsk({
      entry: alarmEntry({ tokenFile, tenant: 'blue' }),
      address: `${address}/prom`,
      clock: systemClock,
      signal,
    });
    await writeFile(tokenFile, 'one\n');
    expect(await ask('/api/v1/rules', { type: 'alert' })).toEqual({ type: 'ok', body: { x: 1 } });
    await writeFile(tokenFile, 'two\n');
    await ask('/api/v1/rules');
    expect(heard).toEqual([
      ['GET', '/prom/api/v1/rules?type=alert', 'Bearer one', 'blue', undefined],
      ['GET', '/prom/api/v1/rules', 'Bearer two', 'blue', undefined],
    ]);
  });

  it.each([
    ['is not there', null, 'does not exist.'],
    ['is empty', ' \n', 'is empty, or holds what is no token.'],
    ['holds two lines', 'a\r\nx: y', 'is empty, or holds what is no token.'],
    ['is larger than a token', 'x'.repeat(100_001), 'is larger than 100 KB.'],
  ])('asks nothing where the token file %s', async (_what, text, why) => {
    const folder = await mkdtemp(join(tmpdir(), 'plumbline-token-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const tokenFile = join(folder, 'token');
    if (text !== null) await writeFile(tokenFile, text);
    let questions = 0;
    const address = await programServer((_, response) => {
      questions += 1;
      response.end('{}');
    });
    const ask = createAsk({ entry: alarmEntry({ tokenFile }), address, clock: systemClock, signal });
    expect(await ask('/')).toEqual(failed(`The file under tokenFile ${why}`));
    expect(questions).toBe(0);
  });

  it.each<[string, number, string, string]>([
    ['without credentials', 401, '', 'It asks for credentials (HTTP 401): name a file with a token under tokenFile.'],
    ['forbidden', 403, '', 'It does not let us read /api/v1/rules (HTTP 403).'],
    ['not there', 404, 'x', 'It has no /api/v1/rules (HTTP 404): is its address right, with its path?'],
    [
      'overloaded',
      503,
      '{"status":"error","error":"too many\\nqueries"}',
      'It answers /api/v1/rules with HTTP 503: too many queries.',
    ],
    [
      'a secret in a refusal',
      500,
      '{"error":"password=hunter2secret"}',
      'It answers /api/v1/rules with HTTP 500: password=[redacted].',
    ],
    ['a page', 502, '<html>', 'It answers /api/v1/rules with HTTP 502.'],
    ['no content', 204, '', 'It answers /api/v1/rules with HTTP 204.'],
    ['a redirect', 302, '', 'It answers with a redirect (HTTP 302), and none is followed.'],
    ['nothing', 200, '', 'Its answer is no JSON.'],
    ['HTML', 200, ' <!doctype html><p>Sign in</p>', 'Its answer is a page, and no JSON: is its address right?'],
    ['half of JSON', 200, '{"a":', 'Its answer is no JSON.'],
    ['deep JSON', 200, '['.repeat(400_000), 'Its answer is JSON that is nested too deeply, or holds too many values.'],
  ])('says why: %s', async (_what, status, body, reason) => {
    expect(
      await asked((_, response) => {
        response.writeHead(status, status === 302 ? { location: 'http://127.0.0.1:1/' } : {});
        response.end(body);
      }),
    ).toEqual(failed(reason));
  });

  it('follows no redirect, not even to itself', async () => {
    let questions = 0;
    await asked((_, response) => {
      questions += 1;
      response.writeHead(307, { location: '/elsewhere' });
      response.end();
    });
    expect(questions).toBe(1);
  });

  it('stops at its bound while a body of 100 MB arrives', async () => {
    const part = Buffer.alloc(65_536, 'x');
    let sent = 0;
    const answer = await asked((_, response) => {
      response.on('error', () => undefined);
      function more(): void {
        while (sent < 100 * 1024 ** 2 && !response.destroyed) {
          sent += part.length;
          if (!response.write(part)) {
            response.once('drain', more);
            return;
          }
        }
      }
      more();
    });
    expect(answer).toEqual(failed('Its answer to /api/v1/rules is larger than 1 MB.'));
    expect(sent).toBeLessThan(50 * 1024 ** 2);
  });

  it.each([false, true])('reads no answer to its end that comes byte by byte (gzip: %s)', async (zipped) => {
    const body = zipped ? gzipSync(randomBytes(20_000)) : Buffer.alloc(20_000, 'x');
    const answer = await asked((_, response) => {
      if (zipped) response.setHeader('content-encoding', 'gzip');
      response.setHeader('transfer-encoding', 'chunked');
      response.flushHeaders();
      response.socket?.write(Array.from(body, (byte) => `1\r\n${String.fromCharCode(byte)}\r\n`).join(''), 'latin1');
    });
    expect(answer).toEqual(failed('Its answer comes in pieces of a few bytes.'));
  });

  it('waits for no answer that is announced again and again', async () => {
    const answer = await asked((_, response) => {
      response.socket?.on('error', () => undefined);
      response.socket?.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(101));
    });
    expect(answer).toEqual(failed('It announces an answer, and sends none.'));
  });

  it('stops at its bound while a little gzip becomes much', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 1024 ** 2));
    expect(bomb.length).toBeLessThan(1024 ** 2);
    expect(
      await asked((_, response) => {
        response.setHeader('content-encoding', 'gzip');
        response.end(bomb);
      }),
    ).toEqual(failed('Its answer to /api/v1/rules is larger than 1 MB.'));
  });

  it('reads what is compressed', async () => {
    expect(
      await asked((request, response) => {
        expect(request.headers['accept-encoding']).toBe('gzip');
        response.setHeader('content-encoding', 'gzip');
        response.end(gzipSync('[1,2]'));
      }),
    ).toEqual({ type: 'ok', body: [1, 2] });
  });

  it.each([
    ['gzip', 'no gzip at all', 'Its answer cannot be decompressed.'],
    ['br', 'x', 'Its answer is compressed in a way that was not asked for.'],
  ])('says why where what is called %s is none', async (encoding, body, reason) => {
    expect(
      await asked((_, response) => {
        response.setHeader('content-encoding', encoding);
        response.end(body);
      }),
    ).toEqual(failed(reason));
  });

  it('gives up a body that drips, by its clock', async () => {
    const clock = fakeClock();
    let begun = false;
    const address = await programServer((_, response) => {
      response.write('[');
      begun = true;
      const drip = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(drip));
    });
    const answer = createAsk({ entry: alarmEntry(), address, clock, signal })('/x');
    await until('the beginning of the answer', () => begun);
    clock.advance(9_999);
    clock.advance(1);
    expect(await answer).toEqual(failed('It did not answer within 10 s.'));
    expect(clock.pending()).toBe(0);
  });

  it('gives up what it asks once it is to stop', async () => {
    const stopping = new AbortController();
    let begun = false;
    const address = await programServer(() => {
      begun = true;
    });
    const answer = createAsk({ entry: alarmEntry(), address, clock: systemClock, signal: stopping.signal })('/x');
    await until('the question', () => begun);
    stopping.abort();
    expect(await answer).toEqual(failed('Plumbline has stopped asking.'));
  });

  it.each([
    [
      'at once',
      (socket: { destroy(): void }) => socket.destroy(),
      /^It cannot be reached: (?:read ECONNRESET|socket hang up)\.$/,
    ],
    [
      'in the middle of the body',
      (socket: { destroy(): void; write(text: string): boolean; once(event: 'data', then: () => void): void }) =>
        socket.once('data', () => {
          socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n[1,');
          setImmediate(() => socket.destroy());
        }),
      /^Its answer breaks off\.$/,
    ],
    [
      'with what is no HTTP',
      (socket: { destroy(): void; write(text: string): boolean }) => void socket.write('SSH-2.0-OpenSSH_9.6\r\n\r\n'),
      /^It cannot be reached: Parse Error/,
    ],
  ])('says why where the connection ends %s', async (_what, treat, reason) => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      treat(socket);
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const bound = server.address();
    const port = bound !== null && typeof bound === 'object' ? bound.port : 0;
    const ask = createAsk({ entry: alarmEntry(), address: `http://127.0.0.1:${port}`, clock: systemClock, signal });
    expect(await ask('/x')).toEqual({ type: 'failed', reason: expect.stringMatching(reason) });
  });

  it('says why where nobody listens', async () => {
    const ask = createAsk({ entry: alarmEntry(), address: 'http://127.0.0.1:1', clock: systemClock, signal });
    expect(await ask('/x')).toEqual(failed('It cannot be reached: connect ECONNREFUSED 127.0.0.1:1.'));
  });

  it('trusts the authorities of the file and no other', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plumbline-ca-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const own = selfSigned();
    const server = createTlsServer({ cert: own.cert, key: own.key }, (_, response) => response.end('{}'));
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const bound = server.address();
    const address = `https://127.0.0.1:${bound !== null && typeof bound === 'object' ? bound.port : 0}`;
    const ca = join(folder, 'ca.pem');
    const ask = (given: string | null) =>
      createAsk({ entry: alarmEntry({ ca: given }), address, clock: systemClock, signal })('/');
    await writeFile(ca, own.cert);
    expect(await ask(ca)).toEqual({ type: 'ok', body: {} });
    await writeFile(ca, selfSigned().cert);
    expect((await ask(ca)).type).toBe('failed');
    await writeFile(ca, 'no certificate');
    expect((await ask(ca)).type).toBe('failed');
    expect((await ask(null)).type).toBe('failed');
  });
});
