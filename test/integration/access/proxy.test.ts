// A proxy in front says who asks, by a signed token in a header.
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { minute, second } from '#lib/domain/time/length.ts';
import { everyGrant } from '#lib/domain/access/scope.ts';
import { hashOf, newToken, tokenText } from '#server/web/access/bearer-token.ts';
import { type GuardedWeb, guardedWeb } from './guarded-web.ts';

const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
let folder = '';
let guarded: GuardedWeb;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-proxy-'));
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256' };
  await writeFile(join(folder, 'jwks.json'), JSON.stringify({ keys: [jwk] }));
  guarded = await guardedWeb(`proxy:
  issuer: https://proxy.example.org
  audience: [plumbline, other]
  algorithms: [ES256]
  jwks: ${join(folder, 'jwks.json')}
  header: X-Proof
  groups: { '1234': payments }
access:
  - { groups: [payments], clusters: [eu-1] }
  - { groups: [platform], roles: [link-maker], everything: true }
`);
});
afterAll(async () => {
  await guarded.stop();
  await rm(folder, { recursive: true });
});

const proof = (groups: readonly string[], seconds = 300, aud = 'plumbline', subject = 'ada'): Promise<string> =>
  new SignJWT({ groups, name: 'Ada' })
    .setProtectedHeader({ alg: 'ES256', kid: 'k' })
    .setIssuer('https://proxy.example.org')
    .setAudience(aud)
    .setSubject(subject)
    .setExpirationTime(Math.floor(guarded.web.clock.now() / 1000) + seconds)
    .sign(privateKey);

const get = (path: string, headers: Readonly<Record<string, string>>) =>
  guarded.web.get(path, { headers, redirect: 'manual' });

it('whom the proxy vouches for is in, with what his groups open', async () => {
  const answer = await get('/objects', { 'x-proof': await proof(['1234', 'x']) });
  expect(await answer.json()).toMatchObject({
    viewer: {
      by: 'proxy',
      name: 'Ada',
      subject: 'https://proxy.example.org#ada',
      sees: ['Cluster eu-1: all namespaces'],
      logout: null,
    },
  });
});

it('nothing but its token is believed', async () => {
  const plain = { 'x-forwarded-user': 'ada', 'x-forwarded-groups': 'platform', 'remote-user': 'ada' };
  expect((await get('/api/v1/clusters', plain)).status).toBe(401);
  const other = await get('/api/v1/clusters', { 'x-proof': await proof(['platform'], 300, 'grafana') });
  expect([other.status, await other.json()]).toMatchObject([
    401,
    { type: '/problems/proof-refused', detail: expect.stringContaining('for another program') },
  ]);
  const late = await get('/', {
    'x-proof': await proof(['platform'], -120),
    accept: 'text/html',
    'sec-fetch-dest': 'document',
  });
  expect([late.status, (await late.text()).includes('its time is over')]).toEqual([401, true]);
});

it('whom no line is about hears his groups; nobody is sent to a login that there is not', async () => {
  const answer = await get('/', { 'x-proof': await proof(['<gardeners>']), accept: 'text/html' });
  expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('&lt;gardeners&gt;')]);
  const page = await get('/', { accept: 'text/html' });
  expect([page.status, await page.text()]).toEqual([401, expect.stringContaining('through the proxy in front')]);
  expect((await get('/access/login', { 'x-proof': await proof(['platform']) })).status).toBe(200);
});

it('links are made by those alone who may', async () => {
  const sign = async (groups: readonly string[]) =>
    (await get('/api/v1/link?scope=fleet', { 'x-proof': await proof(groups), 'plumbline-link': 'sign' })).json();
  expect(await sign(['1234'])).toEqual({ type: 'not-signed', why: 'not-link-maker' });
  expect(await sign(['platform'])).toEqual({ type: 'not-signed', why: 'not-configured' });
});

/** A token of a machine that opens everything for an hour. */
function keptToken(): { readonly id: string; readonly authorization: string } {
  const token = newToken();
  const now = guarded.web.clock.now();
  guarded.book.keepToken({
    id: token.id,
    name: 'ci',
    hash: hashOf(token),
    roles: [],
    everything: false,
    grants: [everyGrant],
    teams: [],
    madeAt: now,
    endsAt: now + 60 * minute,
    revokedAt: null,
  });
  return { id: token.id, authorization: `Bearer ${tokenText(token)}` };
}

it('an answer that waits ends with a token that is revoked, and not with the proof by which it was asked for', async () => {
  let ended: readonly string[] = [];
  const waiting = `/api/v1/commits/${'a'.repeat(40)}?wait=5m`;
  const ask = (who: string, headers: Readonly<Record<string, string>>) =>
    void get(waiting, headers).then(
      ({ status }) => (ended = [...ended, `${who} ${status}`]),
      () => (ended = [...ended, `${who} cut`]),
    );
  const { id, authorization } = keptToken();
  ask('token', { authorization });
  ask('proof', { 'x-proof': await proof(['platform'], 90) });
  // Both are under way by the time that another one is answered.
  expect((await get('/api/v1/clusters', { authorization })).status).toBe(200);
  for (let at = 0; at < 60; at += 10) await guarded.web.advance(10 * second);
  expect(ended).toEqual([]);
  guarded.book.revokeToken(id, guarded.web.clock.now());
  for (let at = 0; at < 120; at += 10) await guarded.web.advance(10 * second);
  await expect.poll(() => ended).toEqual(['token cut']);
  for (let at = 0; at < 200; at += 10) await guarded.web.advance(10 * second);
  await expect.poll(() => ended).toEqual(['token cut', 'proof 503']);
});

it('a stream ends with the proof by which it was opened, and with a token that is revoked', async () => {
  const heard = async (headers: Readonly<Record<string, string>>): Promise<() => boolean> => {
    const stream = await get('/api/v1/stream?topic=summary', headers);
    expect(stream.status).toBe(200);
    let isOver = false;
    const end = (): void => void (isOver = true);
    void stream.text().then(end, end);
    return () => isOver;
  };
  const byProof = await heard({ 'x-proof': await proof(['platform'], 90) });
  const { id, authorization } = keptToken();
  const byToken = await heard({ authorization });
  await guarded.web.advance(80 * second);
  expect([byProof(), byToken()]).toEqual([false, false]);
  await guarded.web.advance(11 * second);
  await expect.poll(byProof).toBe(true);
  guarded.book.revokeToken(id, guarded.web.clock.now());
  await guarded.web.advance(30 * second);
  await expect.poll(byToken).toBe(true);
});

it('streams of one person are theirs from whatever addresses, and leave room for another', async () => {
  const { hostname, port } = new URL(guarded.web.origin);
  const open = async (groups: readonly string[], subject: string, addresses: readonly string[]) => {
    const token = await proof(groups, 300, 'plumbline', subject);
    return Promise.all(addresses.map((address) => statusOf(`X-Forwarded-For: ${address}`, `X-Proof: ${token}`)));
  };
  const sockets: Socket[] = [];
  async function statusOf(...headers: readonly string[]): Promise<number> {
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    const head = ['GET /api/v1/stream?topic=summary HTTP/1.1', 'Host: localhost', ...headers, '', ''].join('\r\n');
    socket.write(head);
    const [chunk]: unknown[] = await once(socket, 'data');
    return Number(/^HTTP\/1\.1 (\d{3})/.exec(String(chunk))?.[1]);
  }
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  const addresses = Array.from({ length: 260 }, (_, n) => `10.1.${Math.floor(n / 200)}.${n % 200}`);
  const statuses = await open(['1234'], 'ada', addresses);
  expect(statuses.filter((status) => status === 200)).toHaveLength(250);
  expect(statuses.filter((status) => status === 503)).toHaveLength(10);
  expect(await open(['1234'], 'bob', ['10.1.0.1'])).toEqual([200]);
});
