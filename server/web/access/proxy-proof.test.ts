import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ProxySettings } from '#server/config/access/auth-settings.ts';
import { proofReader } from './proxy-proof.ts';

const now = 1_800_000_000;
const right = await generateKeyPair('ES256', { extractable: true });
const other = await generateKeyPair('ES256', { extractable: true });
const jwk = { ...(await exportJWK(right.publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' };

let folder = '';
let settings: ProxySettings;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'proof-'));
  await writeFile(join(folder, 'jwks.json'), JSON.stringify({ keys: [jwk] }));
  settings = {
    issuer: 'https://proxy.example',
    audience: ['plumbline'],
    algorithms: ['ES256'],
    jwks: { type: 'file', at: join(folder, 'jwks.json') },
    header: 'x-proof',
    groups: { claim: ['groups'], names: new Map() },
  };
});
afterAll(() => rm(folder, { recursive: true }));

function asking(...values: readonly string[]): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.headersDistinct['x-proof'] = [...values];
  if (values.length === 0) delete request.headersDistinct['x-proof'];
  return request;
}

function signed(claims: Readonly<Record<string, unknown>> = {}, by = right.privateKey, kid = 'k1'): Promise<string> {
  const whole = { iss: 'https://proxy.example', aud: 'plumbline', sub: 'ada', exp: now + 60, ...claims };
  return new SignJWT(whole).setProtectedHeader({ alg: 'ES256', kid }).sign(by);
}

const read = (token: string, more: Partial<ProxySettings> = {}) =>
  proofReader({ ...settings, ...more }, () => now * 1000)(asking(token));

describe('what a proxy says', () => {
  it('is believed by its signature, alone or behind Bearer', async () => {
    const token = await signed();
    for (const value of [token, `Bearer ${token}`])
      expect(await read(value)).toMatchObject({ type: 'proof', claims: { sub: 'ada', exp: now + 60 } });
    expect(await proofReader(settings, () => now * 1000)(asking())).toEqual({ type: 'none' });
  });

  it.each<[string, Readonly<Record<string, unknown>>, object]>([
    ['another issuer', { iss: 'https://proxy.example/' }, { type: 'issuer' }],
    ['another audience', { aud: 'grafana' }, { type: 'audience' }],
    ['no audience', { aud: undefined }, { type: 'audience' }],
    ['a time that is over', { exp: now - 61 }, { type: 'expired' }],
    ['no end', { exp: undefined }, { type: 'claim', name: 'exp' }],
    ['no subject', { sub: undefined }, { type: 'claim', name: 'sub' }],
    ['an empty subject', { sub: '' }, { type: 'claim', name: 'sub' }],
    ['a subject without bounds', { sub: 'x'.repeat(256) }, { type: 'claim', name: 'sub' }],
    ['a time that has not begun', { nbf: now + 61 }, { type: 'not-yet' }],
  ])('with %s is refused', async (_what, claims, fault) =>
    expect(await read(await signed(claims))).toEqual({ type: 'refused', fault }),
  );

  it('may be a minute off', async () => {
    expect((await read(await signed({ exp: now - 59, nbf: now - 70 }))).type).toBe('proof');
    expect((await read(await signed({ nbf: now + 59 }))).type).toBe('proof');
  });

  it.each<[string, () => Promise<string> | string, object]>([
    ['by another key', () => signed({}, other.privateKey), { type: 'signature' }],
    ['by a key that nobody published', () => signed({}, other.privateKey, 'k2'), { type: 'key' }],
    ['by nobody', () => new UnsecuredJWT({ sub: 'ada', exp: now + 60 }).encode(), { type: 'algorithm' }],
    ['as words', () => 'ada', { type: 'malformed' }],
    ['empty', () => '', { type: 'malformed' }],
  ])('signed %s is refused', async (_what, make, fault) =>
    expect(await read(await make())).toEqual({ type: 'refused', fault }),
  );

  it('signed by the public key, as a shared secret, is refused', async () => {
    const secret = new TextEncoder().encode(await exportSPKI(right.publicKey));
    const token = await new SignJWT({ iss: 'https://proxy.example', aud: 'plumbline', sub: 'ada', exp: now + 60 })
      .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
      .sign(secret);
    expect(await read(token)).toEqual({ type: 'refused', fault: { type: 'algorithm' } });
  });

  it('twice is refused: nobody could say which the proxy wrote', async () => {
    const token = await signed();
    expect(await proofReader(settings, () => now * 1000)(asking(token, token))).toEqual({
      type: 'refused',
      fault: { type: 'malformed' },
    });
  });
});

describe('the keys', () => {
  it('of a file are read anew when it changes: one that was rotated away is refused', async () => {
    const at = join(folder, 'rotated.json');
    await writeFile(at, JSON.stringify({ keys: [jwk] }));
    const ask = proofReader({ ...settings, jwks: { type: 'file', at } }, () => now * 1000);
    const token = await signed();
    expect((await ask(asking(token))).type).toBe('proof');
    await writeFile(at, JSON.stringify({ keys: [{ ...(await exportJWK(other.publicKey)), kid: 'k2', alg: 'ES256' }] }));
    expect(await ask(asking(token))).toEqual({ type: 'refused', fault: { type: 'key' } });
    expect((await ask(asking(await signed({}, other.privateKey, 'k2')))).type).toBe('proof');
    await writeFile(at, 'no keys');
    expect(await ask(asking(token))).toMatchObject({ type: 'refused', fault: { type: 'keys' } });
    await rm(at);
    expect(await ask(asking(token))).toMatchObject({ type: 'refused', fault: { type: 'keys' } });
  });

  it.each([
    ['more than 1 MB', 200, JSON.stringify({ keys: [jwk], pad: 'x'.repeat(1_100_000) }), 'larger than 1 MB'],
    ['a redirection', 302, '', ''],
    ['a failure', 500, '{}', ''],
    ['words', 200, 'maintenance', ''],
  ])('of an address that answers with %s cannot be had', async (_what, status, body, words) => {
    const server = createServer((_request, response) => void response.writeHead(status, { location: '/x' }).end(body));
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const said = await read(await signed(), { jwks: { type: 'address', at: `http://127.0.0.1:${port}/` } });
    expect(said).toEqual({ type: 'refused', fault: { type: 'keys', why: expect.stringContaining(words) } });
  });

  it('of an address are fetched once for many', async () => {
    let asked = 0;
    const server = createServer((_request, response) => {
      asked += 1;
      response.end(JSON.stringify({ keys: [jwk] }));
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const ask = proofReader(
      { ...settings, jwks: { type: 'address', at: `http://127.0.0.1:${port}/` } },
      () => now * 1000,
    );
    for (let n = 0; n < 5; n += 1) expect((await ask(asking(await signed()))).type).toBe('proof');
    // A key that is not there makes it ask again at most every 30 s.
    for (let n = 0; n < 5; n += 1)
      expect((await ask(asking(await signed({}, other.privateKey, 'k9')))).type).toBe('refused');
    expect(asked).toBe(1);
  });
  it('of an address that were rotated away are refused once five minutes are over', async () => {
    let keys = [jwk];
    const server = createServer((_request, response) => void response.end(JSON.stringify({ keys })));
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const jwks = { type: 'address', at: `http://127.0.0.1:${port}/` } as const;
    const ask = proofReader({ ...settings, jwks }, () => now * 1000);
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    expect((await ask(asking(await signed()))).type).toBe('proof');
    keys = [{ ...(await exportJWK(other.publicKey)), kid: 'k2', alg: 'ES256', use: 'sig' }];
    // One that is new is believed as soon as it may be asked for.
    vi.setSystemTime(Date.now() + 31_000);
    expect((await ask(asking(await signed({}, other.privateKey, 'k2')))).type).toBe('proof');
    expect(await ask(asking(await signed()))).toEqual({ type: 'refused', fault: { type: 'key' } });
    keys = [jwk];
    vi.setSystemTime(Date.now() + 5 * 60_000 + 1_000);
    expect(await ask(asking(await signed({}, other.privateKey, 'k2')))).toEqual({
      type: 'refused',
      fault: { type: 'key' },
    });
  });
});
