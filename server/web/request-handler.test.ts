import { alarmBook } from '#lib/domain/alarm/alarm-book.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import type { StoreReader } from '#server/store/port/port.ts';
import { openAccess } from './access/access.ts';
import type { StoreSource } from './cache/follower.ts';
import { linkList } from './embeds/link-list.ts';
import type { PageMount } from './request-handler.ts';
import { webRuntime, withPage } from './runtime-global.ts';
import { startWeb, type WebDeps } from './start-web.ts';
import { memoryStore } from './testing/memory-reader.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const clock = fakeClock(0);
/** Where the last that was started serves this machine alone. */
let own = '';

/** Starts a web process over a source, and gives its address. */
async function started(source: StoreSource, mountPages: WebDeps['mountPages'] = null): Promise<string> {
  const web = await startWeb({
    alarms: alarmBook(),
    host: '127.0.0.1',
    port: 0,
    metricsPort: 0,
    pod: null,
    source,
    openPast: () => Promise.reject(new Error('This test asks for no past.')),
    policy: defaultPolicy,
    repositories: [],
    pairs: [],
    gitSocket: '/nowhere/ask.sock',
    retention: { spans: 1, messages: 1 },
    embeds: { keys: null, frameAncestors: [], readersSign: null },
    links: linkList('/nowhere/links.db'),
    publicUrl: null,
    access: openAccess,
    simulated: false,
    clock,
    log: silentLog,
    mountPages,
  });
  if (web.type === 'refused') throw new Error(web.message);
  stops.push(web.stop);
  own = `http://127.0.0.1:${web.metricsPort}`;
  return `http://127.0.0.1:${web.port}`;
}

function mountOf(handle: (request: IncomingMessage, response: ServerResponse) => void) {
  return async (): Promise<PageMount> => ({
    handle: async (request, response) => handle(request, response),
    close: () => Promise.resolve(),
  });
}

it('a page gets the nonce that its answer carries, and its address as it came', async () => {
  const seen: unknown[] = [];
  const origin = await started(
    memoryStore().source,
    mountOf((request, response) => {
      const { 'x-nonce': nonce, 'content-security-policy': policy } = request.headers;
      seen.push(request.url, policy === response.getHeader('content-security-policy'));
      seen.push(typeof nonce === 'string' && nonce.length === 24 && policy?.includes(`'nonce-${nonce}'`));
      response.end('page');
    }),
  );
  for (const path of ['/fleet?x=1', '/a%20b']) expect(await (await fetch(origin + path)).text()).toBe('page');
  expect(seen).toEqual(['/fleet?x=1', true, true, '/a%20b', true, true]);
});

it('a page that fails is a problem with an id, or ends where its answer had begun', async () => {
  const origin = await started(
    memoryStore().source,
    mountOf((request, response) => {
      if (request.url === '/begun') response.write('half');
      throw new Error('no page');
    }),
  );
  const answer = await fetch(`${origin}/fleet`);
  expect([answer.status, await answer.json()]).toMatchObject([500, { type: '/problems/internal' }]);
  await expect(fetch(`${origin}/begun`).then((begun) => begun.text())).rejects.toThrow(/terminated|fetch failed/);
});

it('each request is counted by its route, with the time that it took', async () => {
  const origin = await started(
    memoryStore().source,
    mountOf((_request, response) => {
      clock.advance(250);
      response.end();
    }),
  );
  const paths = ['/healthz', '/healthz/x', '/embed', '/embed/x', '/badge/x', '/embedded', '/api', '/api/v1/clusters'];
  for (const path of paths) await (await fetch(origin + path)).arrayBuffer();
  const text = await (await fetch(`${own}/metrics`)).text();
  const counted = [...text.matchAll(/requests_total\{route="(\w+)",status="\d+"\} (\d+)/g)].map(([, route, count]) => [
    route,
    Number(count),
  ]);
  const sum = (name: string): number =>
    counted.reduce((total, [route, count]) => total + (route === name ? Number(count) : 0), 0);
  expect(['health', 'page', 'embed', 'api'].map(sum)).toEqual([1, 2, 3, 2]);
  expect(text).toContain('plumbline_web_request_seconds_sum{route="page"} 0.5');
});

it('is not ready while its pages are mounted, nor before it has read the store, and says why', async () => {
  const answers: unknown[] = [];
  const ask = async (origin: string) => {
    const answer = await fetch(`${origin}/readyz`);
    const type = answer.headers.get('content-type') ?? '';
    answers.push([answer.status, type.startsWith('application') ? await answer.json() : await answer.text()]);
  };
  const said = (detail: string) => [503, expect.objectContaining({ type: '/problems/not-ready', detail })];
  const store = memoryStore();
  await started(store.source, async (port) => {
    await ask(`http://127.0.0.1:${port}`);
    return { handle: () => Promise.resolve(), close: () => Promise.resolve() };
  });
  const reader = Promise.withResolvers<StoreReader>();
  const opening = await started({ ...store.source, open: () => reader.promise });
  await ask(opening);
  reader.resolve(await store.source.open());
  store.vanish();
  await ask(await started(store.source));
  await ask(opening);
  expect(answers).toEqual([
    said('The pages are being mounted.'),
    said('The store is being read for the first time.'),
    said('The store is not there yet.'),
    [200, 'ok\n'],
  ]);
});

it('a page finds what it may ask while it is made, and nothing else does', async () => {
  expect(() => webRuntime()).toThrow('no page is being made here');
  const mount = async (): Promise<PageMount> => ({
    handle: async (_request, response, runtime) =>
      withPage({ response, runtime }, () => {
        response.end(String(webRuntime().summary().objects));
      }),
    close: () => Promise.resolve(),
  });
  const origin = await started(memoryStore().source, mount);
  expect(await (await fetch(`${origin}/`)).text()).toBe('0');
  expect(() => webRuntime()).toThrow('no page is being made here');
});

it('health and metrics are texts that nobody keeps', async () => {
  const origin = await started(memoryStore().source);
  const asked = [`${origin}/healthz`, `${own}/readyz`, `${own}/metrics`].map(async (address) => {
    const { headers } = await fetch(address);
    return [headers.get('content-type'), headers.get('cache-control')];
  });
  const plain = 'text/plain; charset=utf-8';
  expect(await Promise.all(asked)).toEqual([
    [plain, 'no-store'],
    [plain, 'no-store'],
    ['text/plain; version=0.0.4; charset=utf-8', 'no-store'],
  ]);
});
