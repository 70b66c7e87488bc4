import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { openAccess } from './access/access.ts';
import type { PageMount } from './request-handler.ts';
import { memoryStore } from './testing/memory-reader.ts';
import { rawRequest } from './testing/raw-request.ts';
import { type RunningWeb, runningWeb } from './testing/running-web.ts';
import { sampleCluster, sampleObject } from './testing/sample.ts';

let web: RunningWeb;
let endAll: () => void;
/** Pages that are being made, by their paths. */
let making: string[];
let page: string | Buffer;
beforeEach(async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  endAll = resolve;
  making = [];
  page = 'page';
  const mount: PageMount = {
    async handle(request, response) {
      making.push(request.url ?? '');
      await promise;
      if (!response.write(page)) await once(response, 'drain');
      response.end();
      await once(response, 'finish');
    },
    close: () => Promise.resolve(),
  };
  web = await runningWeb(mount);
});
afterEach(() => web.stop());

it('who has 250 answers under way gets no other until one is over; others do, and probes are always answered', async () => {
  const { hostname, port } = new URL(web.origin);
  const sockets = Array.from({ length: 250 }, () => connect(Number(port), hostname));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const clusters = (...headers: string[]) =>
    rawRequest(web.origin, '/api/v1/clusters', ['Host: localhost', ...headers]);
  await expect.poll(async () => (await clusters()).status).toBe(503);
  const refused = await clusters();
  expect(JSON.parse(refused.body)).toMatchObject({ type: '/problems/too-many-answers', status: 503 });
  expect((await clusters('X-Forwarded-For: 192.0.2.7')).status).toBe(200);
  for (const path of ['/healthz', '/readyz']) expect((await rawRequest(web.origin, path)).status).toBe(200);
  sockets[0]?.destroy();
  endAll();
  await expect.poll(async () => (await clusters()).status).toBe(200);
  for (const socket of sockets) socket.destroy();
});

it('logins that wait for their provider keep nobody out who is in', async () => {
  const waiting = Promise.withResolvers<void>();
  const guarded = await runningWeb(null, {}, memoryStore(), null, () => ({
    ...openAccess,
    routeOf: (path) => (path === '/access/callback' ? () => waiting.promise : null),
  }));
  onTestFinished(guarded.stop);
  const { hostname, port } = new URL(guarded.origin);
  const sockets = Array.from({ length: 250 }, () => connect(Number(port), hostname));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.write('GET /access/callback HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const status = async (path: string) => (await rawRequest(guarded.origin, path, ['Host: localhost'])).status;
  await expect.poll(() => status('/access/callback')).toBe(503);
  expect(await status('/api/v1/clusters')).toBe(200);
  for (const socket of sockets) socket.destroy();
  waiting.resolve();
});

it('of one reader four pages are made at once, of all eight, and files of pages wait for none', async () => {
  const ask = (path: string, by: string) => rawRequest(web.origin, path, ['Host: localhost', `X-Forwarded-For: ${by}`]);
  const asked = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].flatMap((by) =>
    Array.from({ length: 20 }, (_, n) => ask(`/${by}/${n}`, by)),
  );
  await expect.poll(() => making.length).toBe(8);
  const file = ask('/_next/static/x.js', '192.0.2.1');
  await expect.poll(() => making).toContain('/_next/static/x.js');
  const ofFirst = making.filter((path) => path.startsWith('/192.0.2.1/'));
  expect([making.length, ofFirst.length]).toEqual([9, 4]);
  endAll();
  const statuses = (await Promise.all([...asked, file])).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(making).toHaveLength(61);
});

it('pages that nobody reads are made to their end, and take the room of their reader; he gets no more until he is gone', async () => {
  page = Buffer.alloc(25 * 1024 * 1024);
  endAll();
  const { hostname, port } = new URL(web.origin);
  const sockets = Array.from({ length: 12 }, () => connect(Number(port), hostname));
  for (const socket of sockets) {
    socket.on('error', () => undefined);
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  }
  await expect.poll(() => making.length).toBeGreaterThan(4);
  const read = async (...more: string[]) => (await rawRequest(web.origin, '/', ['Host: localhost', ...more])).status;
  await expect.poll(() => read()).toBe(503);
  expect(making.length).toBeLessThan(12);
  expect(await read('X-Forwarded-For: 192.0.2.9')).toBe(200);
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => read()).toBe(200);
});

it('a body is refused, whatever a proxy thinks of its end', async () => {
  for (const body of ['Content-Length: 5', 'Transfer-Encoding: chunked', 'Transfer-Encoding: xchunked'])
    for (const target of ['/api/v1/clusters', '/embed/fleet', '/healthz']) {
      const refused = await rawRequest(web.origin, target, ['Host: localhost', body]);
      expect([refused.status, JSON.parse(refused.body)]).toMatchObject([400, { type: '/problems/unwanted-body' }]);
    }
  expect((await rawRequest(web.origin, '/api/v1/clusters', ['Host: localhost', 'Content-Length: 0'])).status).toBe(200);
});

it('who opens many streams of views that are dear to make delays others, and probes, by one of them', async () => {
  for (let n = 0; n < 20; n += 1) {
    web.store.cluster(sampleCluster(`c${n}`));
    for (let m = 0; m < 200; m += 1) web.store.object(sampleObject({ cluster: `c${n}`, name: `o${m}` }));
  }
  await web.advance(500);
  const order: string[] = [];
  const { hostname, port } = new URL(web.origin);
  const sockets = Array.from({ length: 100 }, () => connect(Number(port), hostname));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const [n, socket] of sockets.entries()) {
    socket.once('data', () => order.push('stream'));
    socket.on('error', () => undefined);
    socket.write(`GET /api/v1/stream?topic=fleet&q=o${n} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  }
  const ask = async (who: string, path: string, ...headers: string[]): Promise<void> => {
    await rawRequest(web.origin, path, ['Host: localhost', ...headers]);
    order.push(who);
  };
  await Promise.all([ask('probe', '/healthz'), ask('other', '/api/v1/clusters', 'X-Forwarded-For: 192.0.2.7')]);
  expect(order.filter((who) => who === 'stream').length).toBeLessThan(50);
  await expect.poll(() => order.length, { timeout: 15_000 }).toBe(102);
  for (const socket of sockets) socket.destroy();
});

it('who asks for much at once delays others, and probes, by one answer', async () => {
  for (let n = 0; n < 20; n += 1) {
    web.store.cluster(sampleCluster(`c${n}`));
    for (let m = 0; m < 200; m += 1) web.store.object(sampleObject({ cluster: `c${n}`, name: `o${m}` }));
  }
  await web.advance(500);
  const order: string[] = [];
  const ask = async (who: string, path: string, ...headers: string[]): Promise<void> => {
    await rawRequest(web.origin, path, ['Host: localhost', ...headers]);
    order.push(who);
  };
  const greedy = Array.from({ length: 100 }, (_, n) => ask('greedy', `/api/v1/fleet?columns=kind&q=o${n}`));
  await expect.poll(() => order.length).toBeGreaterThan(0);
  await Promise.all([ask('probe', '/healthz'), ask('other', '/api/v1/clusters', 'X-Forwarded-For: 192.0.2.7')]);
  const greedyBefore = order.filter((who) => who === 'greedy').length;
  expect(greedyBefore).toBeLessThan(50);
  await Promise.all(greedy);
  expect(order).toHaveLength(102);
});
