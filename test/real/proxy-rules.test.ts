import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { day } from '#lib/domain/time/length.ts';
import { newKey, writeKeyFile } from '#server/web/embeds/key-file.ts';
import { signedLink } from '#server/web/embeds/signed-link.ts';
import { memoryStore } from '#server/web/testing/memory-reader.ts';
import { rawRequest } from '#server/web/testing/raw-request.ts';
import { runningWeb, type RunningWeb } from '#server/web/testing/running-web.ts';
import { sampleCluster, sampleNow, sampleObject } from '#server/web/testing/sample.ts';
import { hostileTargets } from '#test/hostile/targets.ts';
import { installedProxies, type RunningProxy, startProxy } from './proxies/proxies.ts';

const proxies = await installedProxies('the rules for a proxy');
const publicHost = 'plumbline.example.org';
const loggedIn = 'Cookie: session=good';
const secret = 'secret-cluster';

let folder: string;
let web: RunningWeb;
let login: Server;
let pages: string[] = [];
let links: { readonly embed: string; readonly badge: string };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-proxies-'));
  const [keys, key] = [join(folder, 'keys.yaml'), newKey(sampleNow)];
  await writeKeyFile(keys, [key]);
  const mount = {
    handle: async (request: { url?: string | undefined }, response: { end(body: string): unknown }) => {
      pages.push(request.url ?? '');
      response.end(`a page about ${secret}`);
    },
    close: () => Promise.resolve(),
  };
  web = await runningWeb(mount, { keys, frameAncestors: [] }, memoryStore(), `https://${publicHost}`);
  for (const name of ['eu-west-3', secret]) {
    web.store.cluster(sampleCluster(name));
    web.store.object(sampleObject({ cluster: name, name: 'checkout' }));
  }
  await web.advance(500);
  const order = { scope: { type: 'cluster' as const, cluster: 'eu-west-3' }, theme: 'auto' as const, id: null };
  const signed = (form: 'embed' | 'badge'): string => signedLink({ ...order, form, expires: sampleNow + day }, key);
  links = { embed: signed('embed'), badge: signed('badge') };
  login = createServer((request, response) => {
    response.statusCode = request.url === '/oauth2/auth' && request.headers.cookie === 'session=good' ? 202 : 401;
    response.end();
  }).listen(0, '127.0.0.1');
  await once(login, 'listening');
});
afterAll(async () => {
  login?.close();
  await web?.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  pages = [];
});

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe.skipIf(proxies.length === 0).each(proxies)('the rules of the documents on a real $name', (proxy) => {
  let running: RunningProxy;
  let origin: string;

  beforeAll(async () => {
    const behind = { plumbline: Number(new URL(web.origin).port), login: portOf(login) };
    running = await startProxy(proxy, 'embeds.md', behind, folder);
    origin = running.origin;
  }, 30_000);
  afterAll(() => running?.stop());

  const ask = (target: string, ...headers: string[]) => rawRequest(origin, target, [`Host: ${publicHost}`, ...headers]);

  it('let a signed link through without a login', async () => {
    expect((await ask(links.embed)).body).toContain('eu-west-3');
    expect((await ask(links.badge)).body).toContain('<svg');
    for (const link of [links.embed, links.badge]) expect((await ask(link)).status).toBe(200);
    expect((await ask(links.embed.replace('eu-west-3', secret))).status).toBe(403);
  });

  it('ask for a login everywhere else', async () => {
    const paths = ['/', '/api/v1/clusters', '/api/v1/link?scope=fleet', '/readyz', '/embedded', '/EMBED/x', '/Badge/x'];
    for (const path of [...paths, '/api/v1/clusters?x=/embed/', '/login-check/'])
      expect([path, (await ask(path)).status]).toEqual([path, 401]);
    expect(pages).toEqual([]);
    const clusters = await ask('/api/v1/clusters', loggedIn);
    expect([clusters.status, clusters.body.includes(secret)]).toEqual([200, true]);
    expect((await ask('/', loggedIn)).body).toContain('a page');
  });

  it('hand out no metrics, logged in or not', async () => {
    expect((await ask('/metrics')).status).toBe(401);
    expect((await ask('/metrics', loggedIn)).body).not.toContain('plumbline_');
  });

  it('let no hostile address reach anything without a login', async () => {
    const embeds = [
      '/embed/%2e%2e/api/v1/link?scope=fleet&days=365',
      '/embed/%2e%2e/metrics',
      '/badge/%2e%2e/api/v1/objects',
    ];
    for (const target of [...hostileTargets, ...embeds]) {
      const { status, body } = await ask(target);
      expect([target, body.includes(secret), body.includes('plumbline_web_')]).toEqual([target, false, false]);
      // Caddy itself answers for a host that it does not know: with nothing.
      const isRefused = [301, 308, 400, 401, 403, 404].includes(status) || body === '';
      expect([target, isRefused]).toEqual([target, true]);
    }
    expect(pages).toEqual([]);
  });

  it('do not make another host of one that is not served', async () => {
    const { body } = await rawRequest(origin, '/api/v1/clusters', ['Host: evil.example', loggedIn]);
    expect(body).not.toContain(secret);
  });
});
