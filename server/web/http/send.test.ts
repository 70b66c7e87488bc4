import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
} from 'node:http';
import { connect } from 'node:net';
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import type { Fault } from './problem.ts';
import { readQuery } from './query.ts';
import { csvFile, sendLines } from './send-lines.ts';
import { chooseEncoding, sendBody, sendJson, sendProblem } from './send.ts';

interface Got {
  readonly status: number | undefined;
  /** Without those that Node adds to every answer. */
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Serves one answer and asks for it. */
async function ask(answer: RequestListener, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> {
  const server = createServer(answer);
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ port, host: '127.0.0.1', method, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const { date: _date, connection: _connection, 'transfer-encoding': _chunks, ...own } = response.headers;
        resolve({ status: response.statusCode, headers: own, body: Buffer.concat(parts) });
      });
    });
    sent.on('error', reject).end();
  });
}

it('large bodies that one reader does not read take room until he leaves, and leave some to others', async () => {
  const server = createServer((request, response) => {
    const body = request.url === '/small' ? 'ok' : Buffer.alloc(8 * 1024 * 1024);
    void sendBody(request, response, { status: 200, type: 'text/plain', body, cache: 'no-store' });
  });
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise((resolve) => void server.close(() => resolve()));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const head = (by: string, path = '/') =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const sent = httpRequest(
        { port, host: '127.0.0.1', path, headers: { 'X-Forwarded-For': by }, agent: false },
        resolve,
      );
      sent.on('error', reject).end();
    });
  const statusOf = async (by: string, path = '/'): Promise<number | undefined> => {
    const { statusCode, socket } = await head(by, path);
    socket.destroy();
    return statusCode;
  };
  const unread = await Promise.all(Array.from({ length: 16 }, () => head('192.0.2.1')));
  for (const answer of unread) answer.on('error', () => undefined);
  expect(unread.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 16 }, () => 200));
  expect([await statusOf('192.0.2.1'), await statusOf('192.0.2.1', '/small')]).toEqual([503, 200]);
  expect(await statusOf('192.0.2.2')).toBe(200);
  unread[0]?.socket.destroy();
  await expect.poll(() => statusOf('192.0.2.1')).toBe(200);
  for (const answer of unread) answer.socket.destroy();
});

describe('an encoding', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['br', 'br'],
    ['GZIP', 'gzip'],
    ['deflate, gzip', 'gzip'],
    ['gzip,br', 'br'],
    ['gzip;q=0.5, br;q=0.5', 'br'],
    ['gzip;q=0.6, br;q=0.5', 'gzip'],
    ['gzip; level=9; q=0.4 ,br; q=0.3', 'gzip'],
    ['br;q=0.5', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0, gzip;q=0', 'identity'],
    ['gzip;q=0.2', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['*;q=0, gzip', 'gzip'],
    ['*;q=0', 'identity'],
    ['br;q=1', 'br'],
    ['br;q=1, gzip', 'br'],
    ['gzip, br;q=1', 'br'],
  ])('of those that a client takes (%s): %s', (accepted, encoding) => {
    expect(chooseEncoding(accepted)).toBe(encoding);
  });
});

describe('a body', () => {
  const type = 'text/plain';
  const send = (body: string, cache: 'no-store' | 'revalidate' = 'no-store', status = 200): RequestListener => {
    return (request, response) => void sendBody(request, response, { status, type, body, cache });
  };
  const plain = { 'content-type': type, vary: 'Accept-Encoding', 'cache-control': 'no-store' };

  it.each([
    ['br', 1_023, null],
    ['br', 1_024, 'br'],
    ['gzip', 1_024, 'gzip'],
    ['identity', 1_024, null],
  ])('for one who takes %s, of %i bytes, is sent as %s', async (accepted, length, encoding) => {
    const text = 'ab'.repeat(length).slice(0, length);
    const { status, headers, body } = await ask(send(text, 'no-store', 201), { 'Accept-Encoding': accepted });
    const coded = encoding === null ? {} : { 'content-encoding': encoding };
    expect({ status, headers }).toEqual({
      status: 201,
      headers: { ...plain, ...coded, 'content-length': String(body.length) },
    });
    const undo = { br: brotliDecompressSync, gzip: gunzipSync, none: (bytes: Buffer) => bytes };
    expect(undo[encoding === 'br' || encoding === 'gzip' ? encoding : 'none'](body).toString()).toBe(text);
  });

  it('is compressed with little work', async () => {
    const text = JSON.stringify(Array.from({ length: 3_000 }, (_, index) => ({ index, square: index * index })));
    const length = async (accepted: string): Promise<number> =>
      (await ask(send(text), { 'Accept-Encoding': accepted })).body.length;
    expect(await length('gzip')).toBe(gzipSync(text, { level: 4 }).length);
    const params = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
    expect(await length('br')).toBe(brotliCompressSync(text, { params }).length);
  });

  it('has no body for HEAD, and the same headers', async () => {
    const [get, head] = [await ask(send('ab')), await ask(send('ab'), {}, 'HEAD')];
    expect(head).toEqual({ ...get, body: Buffer.from('') });
    expect(get.headers).toEqual({ ...plain, 'content-length': '2' });
  });

  it('that may be kept has a tag of its own, and is sent again only where it is another', async () => {
    const first = await ask(send('a', 'revalidate'));
    // The first 162 bits of SHA-256 of "a".
    const etag = 'W/"ypeBEsobvcr6wjGzmiPcTaeG7_g"';
    const { 'content-type': _type, ...bare } = { ...plain, 'cache-control': 'no-cache', etag };
    expect(first.headers).toEqual({ ...bare, 'content-type': type, 'content-length': '1' });
    const again = await ask(send('a', 'revalidate'), { 'If-None-Match': `"x",${etag}, "y"` });
    expect(again).toEqual({ status: 304, headers: { ...bare, 'content-type': type }, body: Buffer.from('') });
    expect((await ask(send('b', 'revalidate'), { 'If-None-Match': etag })).status).toBe(200);
  });

  it('of JSON, and of a problem, says so', async () => {
    const json = await ask((request, response) => void sendJson(request, response, { a: 1 }));
    const length = { 'content-length': '7' };
    expect(json).toEqual({
      status: 200,
      headers: { ...plain, ...length, 'content-type': 'application/json; charset=utf-8' },
      body: Buffer.from('{"a":1}'),
    });
    const fault =
      (made: Fault): RequestListener =>
      (request, response) =>
        void sendProblem(request, response, made);
    const put = await ask(fault({ type: 'method-not-allowed', method: 'PUT' }));
    const forbidden = await ask(fault({ type: 'forbidden', message: 'No.' }));
    const problem = { ...plain, 'content-type': 'application/problem+json; charset=utf-8' };
    const lengthOf = ({ body }: Got): object => ({ 'content-length': String(body.length) });
    expect(put).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
    expect([forbidden.status, forbidden.headers]).toEqual([403, { ...problem, ...lengthOf(forbidden) }]);
  });
});

describe('a file that is made while it is sent', () => {
  const lines: RequestListener = (request, response) =>
    void sendLines(request, response, csvFile('a.csv', ['a,b\r\n', '1,2\r\n']));
  const headers = {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="a.csv"',
    'cache-control': 'no-store',
    vary: 'Accept-Encoding',
  };

  it('comes as it is, or as gzip for one who takes any encoding', async () => {
    expect(await ask(lines)).toEqual({ status: 200, headers, body: Buffer.from('a,b\r\n1,2\r\n') });
    const { body, ...rest } = await ask(lines, { 'Accept-Encoding': 'br' });
    expect(rest).toEqual({ status: 200, headers: { ...headers, 'content-encoding': 'gzip' } });
    expect(gunzipSync(body).toString()).toBe('a,b\r\n1,2\r\n');
  });

  it('has no body for HEAD', async () => {
    expect(await ask(lines, {}, 'HEAD')).toEqual({ status: 200, headers, body: Buffer.from('') });
  });

  it('is not made for HEAD', async () => {
    const made = vi.fn<() => string>(() => 'a');
    function* one(): Generator<string> {
      yield made();
    }
    await ask((request, response) => void sendLines(request, response, csvFile('a.csv', one())), {}, 'HEAD');
    expect(made).not.toHaveBeenCalled();
  });

  it('is compressed with little work', async () => {
    const text = JSON.stringify(Array.from({ length: 3_000 }, (_, index) => ({ index, square: index * index })));
    const whole: RequestListener = (request, response) => void sendLines(request, response, csvFile('a.csv', [text]));
    const { body } = await ask(whole, { 'Accept-Encoding': 'gzip' });
    expect(body.length).toBe(gzipSync(text, { level: 4 }).length);
  });

  it('is made in turn with others: thirty at once make one piece while the loop goes round', async () => {
    let [made, most] = [0, 0];
    function* pieces(): Generator<string> {
      yield 'head';
      for (let n = 0; n < 5; n += 1) {
        made += 1;
        yield 'x';
      }
    }
    let isOver = false;
    const look = (before: number): void => {
      most = Math.max(most, made - before);
      const now = made;
      if (!isOver) setImmediate(() => look(now));
    };
    look(0);
    const files: RequestListener = (request, response) => void sendLines(request, response, csvFile('a.csv', pieces()));
    const all = await Promise.all(Array.from({ length: 30 }, () => ask(files)));
    isOver = true;
    expect(new Set(all.map(({ body }) => body.toString()))).toEqual(new Set(['headxxxxx']));
    expect([made, most]).toEqual([150, 1]);
  });

  it('breaks off where it cannot be made', async () => {
    async function* broken(): AsyncGenerator<string> {
      yield 'a';
      throw new Error('no more');
    }
    const said: unknown[] = [];
    const asked = ask((request, response) => {
      sendLines(request, response, csvFile('a.csv', broken())).catch((error: unknown) => said.push(error));
    });
    await expect(asked).rejects.toThrow('aborted');
    expect(said).toEqual([]);
  });

  it('breaks off so that one who reads HTTP/1.0, where the end of a connection ends a file, knows it', async () => {
    const read = Promise.withResolvers<void>();
    async function* broken(): AsyncGenerator<string> {
      yield 'a,b\r\n';
      await read.promise;
      throw new Error('no more');
    }
    const server = createServer((request, response) => void sendLines(request, response, csvFile('a.csv', broken())));
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const socket = connect(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1');
    socket.write('GET / HTTP/1.0\r\n\r\n');
    socket.on('data', () => read.resolve());
    const end = new Promise((resolve) => void socket.on('error', resolve).on('end', () => resolve('as if whole')));
    expect(await end).toMatchObject({ code: 'ECONNRESET' });
  });
});

describe('a query', () => {
  const schema = z.object({ name: z.string(), limit: z.coerce.number('must be a number').default(7) });
  const read = (query: string, options?: Parameters<typeof readQuery>[2]): unknown =>
    readQuery(new URLSearchParams(query), schema, options);
  const bad = (name: string, message: string): object => ({ refused: { type: 'bad-parameter', name, message } });
  const unknown = (name: string, known: string[]): object => ({ refused: { type: 'unknown-parameter', name, known } });

  it.each([
    ['name=a', { value: { name: 'a', limit: 7 } }],
    ['name=a&limit=2', { value: { name: 'a', limit: 2 } }],
    ['name=a&limit=x', bad('limit', 'must be a number')],
    ['name=a&name=b', bad('name', 'is given twice')],
    ['nam=a', unknown('nam', ['name', 'limit'])],
  ])('%s', (query, answer) => expect(read(query)).toEqual(answer));

  it('may hold what is read elsewhere, and not what the path gives', () => {
    const options = { elsewhere: ['at'], inPath: { name: 'a' } };
    expect(read('at=1', options)).toEqual({ value: { name: 'a', limit: 7 } });
    expect(read('name=b', options)).toEqual(unknown('name', ['limit', 'at']));
  });

  it('that is wrong as a whole names no parameter', () => {
    const never = schema.refine(() => false, 'fits nothing');
    expect(readQuery(new URLSearchParams('name=a'), never)).toEqual(bad('', 'fits nothing'));
  });
});
