// A real nginx, and a real Caddy, in front of the whole of Plumbline: a program beside it says by a JWT who asks.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { day } from '#lib/domain/time/length.ts';
import { newKey, writeKeyFile } from '#server/web/embeds/key-file.ts';
import { signedLink } from '#server/web/embeds/signed-link.ts';
import { rawRequest } from '#server/web/testing/raw-request.ts';
import { listening } from '#test/integration/access/listening.ts';
import { startQuietSimulator } from '#test/integration/running/running-fleet.ts';
import { freePorts } from './harness/ports.ts';
import { mustCome } from './harness/until.ts';
import { installedProxies, type RunningProxy, startProxy } from './proxies/proxies.ts';

const root = join(import.meta.dirname, '..', '..');
const proxies = await installedProxies('a login behind a proxy');

const publicHost = 'plumbline.example.org';
const issuer = 'https://cloud.example.org/iap';
const audience = '/projects/1234/apps/plumbline';
const right = await generateKeyPair('ES256', { extractable: true });
const other = await generateKeyPair('ES256', { extractable: true });
const keyName = 'right';

/** Proofs by the name of who logs in: the cookie says it. */
const proofs: Readonly<Record<string, () => Promise<string> | string>> = {
  ada: () => signed({ groups: ['platform'] }),
  bob: () => signed({ groups: ['payments'] }),
  brief: () => signed({ groups: ['platform'] }, { seconds: 6 }),
  nobody: () => signed({ groups: ['gardeners'] }),
  silent: () => '',
  audience: () => signed({ groups: ['platform'] }, { aud: 'grafana' }),
  issuer: () => signed({ groups: ['platform'] }, { iss: 'https://evil.example' }),
  over: () => signed({ groups: ['platform'] }, { seconds: -120 }),
  key: () => signed({ groups: ['platform'] }, { key: other.privateKey }),
  none: () => new UnsecuredJWT(claimsOf({ groups: ['platform'] }, {})).encode(),
  hmac: async () =>
    new SignJWT(claimsOf({ groups: ['platform'] }, {}))
      .setProtectedHeader({ alg: 'HS256', kid: keyName })
      .sign(Buffer.from(await exportSPKI(right.publicKey))),
};

interface Made {
  readonly aud?: string;
  readonly iss?: string;
  readonly seconds?: number;
  readonly key?: CryptoKey;
}

function claimsOf(claims: object, { aud = audience, iss = issuer, seconds = 600 }: Made): Record<string, unknown> {
  const exp = Math.floor(Date.now() / 1000) + seconds;
  return { ...claims, iss, aud, sub: 'accounts:1', name: 'Ada', exp };
}

/** A proof as the right program signs it, but for what is said. */
function signed(claims: object, made: Made = {}): Promise<string> {
  return new SignJWT(claimsOf(claims, made))
    .setProtectedHeader({ alg: 'ES256', kid: keyName })
    .sign(made.key ?? right.privateKey);
}

/** The program that knows who asks, with its keys. */
async function program(asking: IncomingMessage, response: ServerResponse): Promise<void> {
  if (asking.url === '/keys') {
    const jwk = { ...(await exportJWK(right.publicKey)), kid: keyName, alg: 'ES256', use: 'sig' };
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] }));
    return;
  }
  const who = /session=(\w+)/.exec(asking.headers.cookie ?? '')?.[1] ?? '';
  // Caddy keeps the query of what was asked for.
  const [path] = (asking.url ?? '').split('?');
  const proof = path === '/auth' && Object.hasOwn(proofs, who) ? proofs[who] : undefined;
  if (proof === undefined) return void response.writeHead(401).end();
  const token = await proof();
  response.writeHead(202, token === '' ? {} : { 'x-auth-token': token }).end();
}

let folder: string;
const stops: (() => unknown)[] = [];
let asked: Server;
let port = 0;
let embed = '';

/** The whole of Plumbline, as a user starts it, over a small fleet that is made up. */
async function startPlumbline(): Promise<void> {
  const simulator = await startQuietSimulator({
    clock: systemClock,
    log: silentLog,
    directory: join(folder, 'fleet'),
    clusters: 2,
  });
  stops.push(simulator.stop);
  const config = join(dirname(simulator.configPath), 'with-auth.yaml');
  const key = newKey(Date.now());
  // Where the configuration of the fleet says that they are.
  await writeKeyFile(join(dirname(config), 'embed-keys.yaml'), [key]);
  const written = await readFile(simulator.configPath, 'utf8');
  const [shown = '', hidden = ''] = [...written.matchAll(/name: ['"]?([\w-]+)/g)].map(([, name = '']) => name);
  clusters = { shown, hidden };
  const order = { scope: { type: 'cluster' as const, cluster: shown }, theme: 'auto' as const, id: null };
  embed = signedLink({ ...order, form: 'embed', expires: Date.now() + day }, key);
  await writeFile(
    config,
    `${written}
publicUrl: https://${publicHost}
auth:
  proxy:
    issuer: ${issuer}
    audience: ${audience}
    algorithms: [ES256]
    jwks: http://127.0.0.1:${portOf(asked)}/keys
    header: X-Proof
  access:
    - { groups: [platform], everything: true }
    - { groups: [payments], clusters: [${shown}] }
`,
  );
  [port = 0] = await freePorts(1);
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  const args = [join(root, 'server', 'cli', 'plumbline.ts'), 'start', '--config', config, '--data', data];
  const running = spawn(process.execPath, [...args, '--port', String(port)], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, PLUMBLINE_LOG_LEVEL: 'warn' },
  });
  let said = '';
  running.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  stops.push(() => end(running));
  const stands = (): boolean | null => (running.exitCode === null ? null : false);
  const isUp = await mustCome('Plumbline', () => (/Plumbline is at \S+/.test(said) ? true : stands()), 240_000);
  if (!isUp) throw new Error(`Plumbline ended: ${said.slice(-2_000)}`);
  const knows = async (): Promise<true | null> => {
    const headers = { 'x-proof': await signed({ groups: ['platform'] }) };
    const text = await (await fetch(`http://127.0.0.1:${port}/api/v1/clusters`, { headers })).text();
    return text.includes(shown) && text.includes(hidden) ? true : null;
  };
  await mustCome('the fleet', knows, 60_000);
}

let clusters = { shown: '', hidden: '' };

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-proxy-login-'));
  asked = createServer((asking, response) => {
    program(asking, response).catch(() => response.destroy());
  });
  await listening(asked);
  await startPlumbline();
}, 300_000);
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
  asked?.close();
  await rm(folder, { recursive: true, force: true });
});

interface Listening {
  readonly status: number;
  told(): string;
  isOver(): boolean;
  close(): void;
}

/** Opens a stream through a proxy. */
async function listen(origin: string, who: string): Promise<Listening> {
  const asking = request(`${origin}/api/v1/stream?topic=summary`, {
    agent: false,
    headers: { host: publicHost, ...(who !== '' && { cookie: `session=${who}` }) },
  });
  asking.end();
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    asking.once('response', resolve);
    asking.once('error', reject);
  });
  let [told, isOver] = ['', false];
  answer.on('data', (chunk: Buffer) => (told += chunk.toString()));
  answer.once('close', () => (isOver = true));
  answer.once('error', () => undefined);
  asking.on('error', () => undefined);
  return { status: answer.statusCode ?? 0, told: () => told, isOver: () => isOver, close: () => void asking.destroy() };
}

describe.skipIf(proxies.length === 0).each(proxies)('behind a real $name', (proxy) => {
  let running: RunningProxy;
  let origin: string;

  beforeAll(async () => {
    running = await startProxy(proxy, 'access.md', { plumbline: port, login: portOf(asked) }, folder);
    origin = running.origin;
  }, 60_000);
  afterAll(() => running?.stop());

  const ask = (target: string, who: string, ...headers: string[]) =>
    rawRequest(origin, target, [`Host: ${publicHost}`, ...(who === '' ? [] : [`Cookie: session=${who}`]), ...headers]);
  const clustersOf = async (who: string, ...headers: string[]) => {
    const { status, body } = await ask('/api/v1/clusters', who, ...headers);
    return [status, body.includes(clusters.shown), body.includes(clusters.hidden)];
  };

  it('asks for a login, which is the answer of the proxy itself', async () => {
    for (const path of [
      '/',
      '/api/v1/clusters',
      '/api/v1/stream?topic=summary',
      '/readyz',
      '/access/login',
      '/EMBED/x',
    ]) {
      const { status, body } = await ask(path, '');
      expect([path, status, body.includes('/problems/')]).toEqual([path, 401, false]);
    }
  });

  it('shows who is logged in what is theirs', async () => {
    expect(await clustersOf('ada')).toEqual([200, true, true]);
    expect(await clustersOf('bob')).toEqual([200, true, false]);
    const page = await ask('/', 'bob', 'Accept: text/html');
    expect([page.status, page.body.includes(clusters.shown), page.body.includes(clusters.hidden)]).toEqual([
      200,
      true,
      false,
    ]);
    const nobody = await ask('/api/v1/clusters', 'nobody');
    expect([nobody.status, nobody.body.includes('gardeners')]).toEqual([403, true]);
  });

  it('believes no header that a client writes', async () => {
    const whole = await signed({ groups: ['platform'] });
    for (const header of [`X-Proof: ${whole}`, `x-proof: ${whole}`, `X_Proof: ${whole}`, `X-Auth-Token: ${whole}`]) {
      expect([header, ...(await clustersOf('', header))]).toEqual([header, 401, false, false]);
      expect([header, ...(await clustersOf('bob', header))]).toEqual([header, 200, true, false]);
      // The program lets somebody through and says nothing of who: nor does the client.
      expect([header, ...(await clustersOf('silent', header))]).toEqual([header, 401, false, false]);
    }
    for (const header of [
      'X-Forwarded-User: ada',
      'X-Forwarded-Groups: platform',
      'Remote-User: ada',
      'X-Auth-Request-Groups: platform',
    ]) {
      expect([header, ...(await clustersOf('bob', header))]).toEqual([header, 200, true, false]);
      expect([header, ...(await clustersOf('silent', header))]).toEqual([header, 401, false, false]);
    }
  });

  it.each([
    ['audience', 'for another program'],
    ['issuer', 'of another issuer'],
    ['over', 'its time is over'],
    ['key', 'its signature is wrong'],
    ['none', 'an algorithm that is not allowed'],
    ['hmac', 'an algorithm that is not allowed'],
  ])('refuses a proof that is wrong in its %s', async (who, words) => {
    const { status, body } = await ask('/api/v1/clusters', who);
    expect([status, body.includes(words) ? words : body]).toEqual([401, words]);
  });

  it('passes streams on as they come, and they end with the proof', { timeout: 60_000 }, async () => {
    const [brief, lasting] = [await listen(origin, 'brief'), await listen(origin, 'ada')];
    for (const stream of [brief, lasting])
      await mustCome('a frame', () => (stream.told().includes('event: reset') ? true : null), 5_000);
    expect(brief.isOver()).toBe(false);
    await mustCome('the end of the proof', () => (brief.isOver() ? true : null), 15_000);
    expect(lasting.isOver()).toBe(false);
    lasting.close();
    // Who is still logged in at the program comes again with another proof.
    const again = await listen(origin, 'brief');
    expect(again.status).toBe(200);
    again.close();
    expect((await listen(origin, '')).status).toBe(401);
  });

  it('lets signed embeds through without a login', async () => {
    const { status, body } = await ask(embed, '');
    expect([status, body.includes(clusters.shown)]).toEqual([200, true]);
    expect((await ask(embed.replace(clusters.shown, clusters.hidden), '')).status).toBe(403);
    expect((await ask('/embed/%2e%2e/api/v1/clusters', '')).body).not.toContain(clusters.shown);
  });
});
