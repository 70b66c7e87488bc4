import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { silentLog } from '../log.ts';
import { startPodServer } from './pod-server.ts';

const token = 'tHe-token_of~scrapes+1/2=';
const stops: (() => Promise<void>)[] = [];
let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-pod-'));
  file = join(folder, 'token');
});
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function servedAt(scrapeToken: string | null, reason: string | null = null, port = 0) {
  const started = await startPodServer({
    port,
    scrapeToken,
    log: silentLog,
    notReady: () => reason,
    metrics: () => Promise.resolve({ type: 'text/plain; version=0.0.4', body: 'plumbline_objects{cluster="eu"} 1\n' }),
  });
  if (started.type === 'refused') throw new Error(started.message);
  stops.push(started.stop);
  const ask = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const response = await fetch(`http://127.0.0.1:${started.port}${path}`, { headers, method });
    return [response.status, await response.text()];
  };
  return { ask, port: started.port };
}

async function served(...given: Parameters<typeof servedAt>) {
  return (await servedAt(...given)).ask;
}

it.each([
  ['/healthz', 'GET', 200, 'ok\n'],
  ['/healthz', 'HEAD', 200, ''],
  ['/readyz', 'GET', 200, 'ok\n'],
  ['/readyz', 'POST', 405, 'only GET\n'],
  ['/metrics', 'GET', 404, 'not found\n'],
  ['/', 'GET', 404, 'not found\n'],
  ['/healthz?a', 'GET', 404, 'not found\n'],
])('%s by %s answers %i, without a token', async (path, method, status, text) => {
  expect(await (await served(null))(path, {}, method)).toEqual([status, text]);
});

it('is alive but not ready, and says why', async () => {
  const ask = await served(null, 'the store refuses what is written: full');
  expect(await ask('/healthz')).toEqual([200, 'ok\n']);
  expect(await ask('/readyz')).toEqual([503, 'the store refuses what is written: full\n']);
});

it('hands out metrics to who bears the token, which may be exchanged while it runs', async () => {
  const ask = await served(file);
  const scrape = (authorization: string) => ask('/metrics', { authorization });
  const given = [200, 'plumbline_objects{cluster="eu"} 1\n'];
  const refused = [401, 'this needs the token of scrapes\n'];
  await writeFile(file, `${token}\n`);
  expect(await scrape(`Bearer ${token}`)).toEqual(given);
  expect(await scrape(`bearer ${token}`)).toEqual(given);
  expect(await ask('/metrics')).toEqual(refused);
  for (const wrong of [`Bearer ${token}x`, `Bearer ${token.slice(1)}`, `Basic ${token}`, 'Bearer ', token])
    expect([wrong, await scrape(wrong)]).toEqual([wrong, refused]);
  await writeFile(file, `another-${token}`);
  expect(await scrape(`Bearer ${token}`)).toEqual(refused);
  expect(await scrape(`Bearer another-${token}`)).toEqual(given);
});

it.each([
  ['', 'empty'],
  ['short', 'too short to be one'],
])('lets nobody scrape where the token is %j, %s', async (text) => {
  await writeFile(file, text);
  const ask = await served(file);
  const none = [503, 'the token of scrapes cannot be used\n'];
  for (const bearer of [`Bearer ${text}`, 'Bearer ', `Bearer ${token}`])
    expect(await ask('/metrics', { authorization: bearer })).toEqual(none);
});

it('lets nobody scrape where the file is missing', async () => {
  const ask = await served(join(folder, 'none'));
  expect((await ask('/metrics', { authorization: `Bearer ${token}` }))[0]).toBe(503);
  expect(await ask('/healthz')).toEqual([200, 'ok\n']);
});

it('does not start on a port that is taken', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => void taken.listen(0, () => resolve()));
  const address = taken.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  await expect(served(null, null, port)).rejects.toThrow('EADDRINUSE');
  taken.close();
});

it.each([
  ['send nothing', ''],
  ['send half of a request', 'GET /healthz HTTP/1.1\r\nHost: x\r\n'],
  ['were answered, and stay', 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'],
])('a probe is answered though there are hundreds of connections that %s', async (_what, said) => {
  const { ask, port } = await servedAt(null);
  const sockets = Array.from({ length: 300 }, () => connect(port, '127.0.0.1'));
  for (const socket of sockets) {
    socket.on('error', () => undefined);
    socket.write(said);
  }
  for (let turn = 0; turn < 10; turn += 1) expect(await ask('/healthz')).toEqual([200, 'ok\n']);
  for (const socket of sockets) socket.destroy();
});
