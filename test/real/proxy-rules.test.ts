import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
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
import { installProgram } from './build.ts';
import { freePorts } from './harness/ports.ts';
import { mustCome } from './harness/until.ts';
import { proxies } from './programs.ts';
import { notRun } from './report.ts';

const say = (line: string): void => void process.stdout.write(`  ${line}\n`);
const installed = await Promise.all(proxies.map((proxy) => installProgram(proxy, say)));
const refused = installed.flatMap((result) => (result.type === 'refused' ? [result] : []));
const reason = refused.map(({ program, why }) => `${program} could not be installed: ${why}`).join('; ');
if (refused.length > 0) await notRun([{ name: 'the rules for a proxy', reason }]);

const documents = await readFile(join(import.meta.dirname, '..', '..', 'docs', 'embeds.md'), 'utf8');

/** The rules of a proxy as the documents give them: their one block of code in its language. */
function rulesOf(language: string): string {
  const blocks = [...documents.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))];
  if (blocks.length !== 1) throw new Error(`docs/embeds.md has ${blocks.length} blocks of ${language}`);
  return blocks[0]?.[1] ?? '';
}

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

/** The rules with the ports of this run in place of those of the documents. */
function onThesePorts(rules: string, port: number): string {
  const ports: readonly (readonly [string, number])[] = [
    ['8080', port],
    ['3000', Number(new URL(web.origin).port)],
    ['4180', portOf(login)],
  ];
  return ports.reduce((text, [written, here]) => text.replaceAll(new RegExp(`:${written}\\b`, 'g'), `:${here}`), rules);
}

interface Proxy {
  readonly name: 'nginx' | 'caddy';
  /** The whole file around the rules. */
  file(rules: string): string;
  args(path: string): readonly string[];
}

const nginxFile = (rules: string): string => `
daemon off; master_process off; pid ${join(folder, 'nginx.pid')}; error_log stderr; events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${join(folder, name)};`).join(' ')}
  ${rules}
}`;

const played: readonly Proxy[] = [
  { name: 'nginx', file: nginxFile, args: (path) => ['-e', 'stderr', '-p', folder, '-c', path] },
  {
    name: 'caddy',
    file: (rules) => `{\n  admin off\n  auto_https off\n  default_bind 127.0.0.1\n}\n${rules}`,
    args: (path) => ['run', '--adapter', 'caddyfile', '--config', path],
  },
];

/** Connects; rejects where nobody listens yet. */
async function answers(port: number): Promise<true> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect').finally(() => socket.destroy());
  return true;
}

describe.skipIf(refused.length > 0).each(played)('the rules of the documents on a real $name', (proxy) => {
  let child: ChildProcess;
  let origin: string;

  beforeAll(async () => {
    const [port = 0] = await freePorts(1);
    const path = join(folder, `${proxy.name}.conf`);
    await writeFile(path, proxy.file(onThesePorts(rulesOf(proxy.name), port)));
    const binary = installed.flatMap((result) =>
      result.type === 'built' && result.program === proxy.name ? [result.binary] : [],
    );
    const home = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    child = spawn(binary[0] ?? '', proxy.args(path), { stdio: 'ignore', env: { ...process.env, ...home } });
    origin = `http://127.0.0.1:${port}`;
    await mustCome(`${proxy.name}`, () => answers(port), 8_000);
  }, 20_000);
  afterAll(async () => {
    if (child?.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit');
  });

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
