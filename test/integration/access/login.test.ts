// People log in at a real OpenID provider, on loopback, through a browser without a screen.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { minute, second } from '#lib/domain/time/length.ts';
import { newKey, readKeyFile, writeKeyFile } from '#server/web/embeds/key-file.ts';
import { browser, type Browser, type Seen } from './browser.ts';
import { type GuardedWeb, guardedWeb, oidcOf, publicUrl } from './guarded-web.ts';
import { type OpenId, startOpenId } from './openid.ts';

const people = {
  alice: { name: 'Alice Ångström', groups: ['platform', 'everybody'] },
  bob: { name: 'Bob', groups: ['payments'] },
  carol: { name: 'Carol', groups: ['gardeners', '<b>bold</b>'] },
  dave: { name: 'Dave', _claim_names: { groups: 'src1' } },
};

const access = `
access:
  - { groups: [platform], roles: [link-maker, auditor], everything: true }
  - { groups: [payments], clusters: [eu-1], namespaces: [payments] }
`;

let openId: OpenId;
let guarded: GuardedWeb;
beforeAll(async () => {
  openId = await startOpenId(publicUrl, people);
  guarded = await guardedWeb(`${oidcOf(openId.issuer, '  sessionHours: 0.25\n')}${access}`);
});
afterAll(async () => {
  await guarded.stop();
  await openId.stop();
});

function fresh(): Browser {
  return browser(publicUrl, guarded.web.origin);
}

async function loggedIn(who: string, path = '/'): Promise<{ readonly browser: Browser; readonly page: Seen }> {
  const own = fresh();
  const page = await own.fill(await own.open(`${publicUrl}${path}`), { login: who, password: 'any' });
  return { browser: own, page };
}

function ask(path: string, own: Browser, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return guarded.web.get(path, {
    headers: { cookie: own.cookie(`${publicUrl}${path}`), ...headers },
    redirect: 'manual',
  });
}

it('who opens a page comes back to it, logged in, with what is his', async () => {
  const { browser: own, page } = await loggedIn('alice', '/objects?q=a%2Fb&x=1');
  expect([page.status, page.url]).toEqual([200, `${publicUrl}/objects?q=a%2Fb&x=1`]);
  const { viewer } = JSON.parse(page.body);
  expect(viewer).toMatchObject({
    name: 'Alice Ångström',
    subject: `${openId.issuer}#alice`,
    by: 'session',
    roles: ['viewer', 'link-maker', 'auditor'],
    sees: ['Everything: all clusters, all namespaces'],
  });
  // The cookie of the login is gone; that of the session tells nothing.
  expect(own.cookie(`${publicUrl}/`)).toMatch(/^__Host-plumbline=Fe26\.2\*[^;]+$/);
  expect(own.cookie(`${publicUrl}/`)).not.toMatch(/alice|platform/);
});

it('the cookie is for this host, https, no script and no form of another site, and small', async () => {
  const own = fresh();
  const form = await own.open(`${publicUrl}/`);
  expect(own.cookie(`${publicUrl}/`)).toMatch(/^__Host-plumbline-login-[^;]+$/);
  const back = await own.fill(form, { login: 'bob', password: 'any' });
  expect(JSON.parse(back.body).viewer).toMatchObject({ name: 'Bob', sees: ['Cluster eu-1: namespace payments'] });
  const begun = await guarded.web.get('/access/login', { redirect: 'manual' });
  const line = begun.headers.getSetCookie().join();
  expect(line).toMatch(/^__Host-[^;]+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=600$/);
  expect(line.length).toBeLessThan(1_500);
  const to = new URL(begun.headers.get('location') ?? '');
  expect(Object.fromEntries(to.searchParams)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    scope: 'openid profile',
    redirect_uri: `${publicUrl}/access/callback`,
  });
  for (const name of ['state', 'nonce', 'code_challenge'])
    expect(to.searchParams.get(name)?.length).toBeGreaterThan(30);
});

it.each([
  ['//evil.example/x'],
  ['https://evil.example/'],
  ['/\\evil.example'],
  ['/%5Cevil.example'],
  ['/x\u0000y'],
  ['/x\ny'],
  ['/../x'],
  ['javascript:alert(1)'],
  ['/api/v1/clusters'],
  ['/access/logout'],
  [`/${'x'.repeat(601)}`],
])('a login that shall lead to %j leads to the first page', async (to: string) => {
  const own = fresh();
  const form = await own.open(`${publicUrl}/access/login?returnTo=${encodeURIComponent(to)}`);
  const page = await own.fill(form, { login: 'bob', password: 'any' });
  expect([page.status, page.url]).toEqual([200, `${publicUrl}/`]);
});

it('nobody is answered without a login: pages lead to it, everything else is refused', async () => {
  for (const path of [
    '/api/v1/clusters',
    '/api/v1/stream?topic=summary',
    '/api/v1/openapi.json',
    '/_next/static/x.js',
  ]) {
    const answer = await guarded.web.get(path, { redirect: 'manual' });
    expect([path, answer.status]).toEqual([path, 401]);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="plumbline"');
    expect(await answer.json()).toMatchObject({ type: '/problems/not-signed-in' });
  }
  const page = await fresh().step(`${publicUrl}/objects?q=x`);
  expect([page.status, page.location]).toEqual([303, '/access/login?returnTo=%2Fobjects%3Fq%3Dx']);
  // What a page of Next fetches is no page that somebody opens.
  expect((await guarded.web.get('/objects', { headers: { rsc: '1' }, redirect: 'manual' })).status).toBe(401);
  for (const path of ['/healthz', '/readyz']) expect((await guarded.web.get(path)).status).toBe(200);
});

it('whom no line of the file is about hears which groups the provider told, and gets no session', async () => {
  const { browser: own, page } = await loggedIn('carol');
  expect(page.status).toBe(403);
  expect(page.body).toContain('gardeners, &lt;b&gt;bold&lt;/b&gt;');
  expect(page.body).toContain(`${openId.issuer}#carol`);
  expect(own.cookie(`${publicUrl}/`)).toBe('');
});

it('more groups than a token holds are said plainly', async () => {
  const { page } = await loggedIn('dave');
  expect([page.status, page.body.includes('You are in more groups than the provider puts into a token')]).toEqual([
    403,
    true,
  ]);
});

it('several tabs may log in at once, and each comes back to its own page', async () => {
  const own = fresh();
  const forms = [await own.open(`${publicUrl}/objects`), await own.open(`${publicUrl}/commits`)];
  const pages = [];
  for (const form of forms) pages.push((await own.fill(form, { login: 'bob', password: 'any' })).url);
  expect(pages).toEqual([`${publicUrl}/objects`, `${publicUrl}/commits`]);
});

it('a login is tied to the browser that began it, and comes back once', async () => {
  const own = fresh();
  const begun = await own.step(`${publicUrl}/access/login`);
  const copied = browser(publicUrl, guarded.web.origin, structuredClone(own.jar));
  const form = await own.open(begun.location ?? '');
  const stranger = fresh();
  const page = await own.fill(form, { login: 'bob', password: 'any' });
  expect(page.status).toBe(200);
  const back = `${publicUrl}/access/callback?code=x&state=${new URL(begun.location ?? '').searchParams.get('state')}`;
  for (const other of [stranger, copied]) {
    const refused = await other.open(back);
    expect([refused.status, refused.body.includes('was not begun in this browser')]).toEqual([403, true]);
  }
  // Who is in already is not bothered by a tab that comes late.
  expect((await own.open(back)).url).toBe(`${publicUrl}/`);
});

it('a login that took longer than ten minutes is begun anew', async () => {
  const own = fresh();
  const form = await own.open(`${publicUrl}/`);
  await guarded.web.advance(10 * minute);
  const page = await own.fill(form, { login: 'bob', password: 'any' });
  expect([page.status, page.body.includes('Log in again')]).toEqual([403, true]);
});

it('what ended stays ended: a copied cookie opens nothing after the logout, and its streams end at once', async () => {
  const { browser: own, page } = await loggedIn('alice');
  const stolen = browser(publicUrl, guarded.web.origin, structuredClone(own.jar));
  const stream = await ask('/api/v1/stream?topic=summary', stolen);
  expect(stream.status).toBe(200);
  const heard = stream.text().then(
    () => 'ended',
    () => 'ended',
  );
  const { logout } = JSON.parse(page.body).viewer;
  const out = await own.step(`${publicUrl}${logout}`, { 'sec-fetch-site': 'same-origin' });
  expect(out.status).toBe(303);
  expect(out.location?.startsWith(`${openId.issuer}/session/end?`)).toBe(true);
  expect(own.cookie(`${publicUrl}/`)).toBe('');
  expect(await heard).toBe('ended');
  const refused = await ask('/api/v1/clusters', stolen);
  expect([refused.status, await refused.json()]).toMatchObject([
    401,
    { detail: expect.stringContaining('The session is over') },
  ]);
  expect((await own.open(`${publicUrl}/access/ended`)).body).toContain('Logged out');
});

it.each([
  ['another site', { 'sec-fetch-site': 'cross-site' }, true],
  ['a sibling host', { 'sec-fetch-site': 'same-site' }, true],
  ['a browser that fetches ahead', { 'sec-fetch-site': 'same-origin', 'sec-purpose': 'prefetch' }, true],
  ['a link without its word', { 'sec-fetch-site': 'same-origin' }, false],
])('%s logs nobody out', async (_who, headers, isRight) => {
  const { browser: own, page } = await loggedIn('alice');
  const { logout } = JSON.parse(page.body).viewer;
  const other = JSON.parse((await loggedIn('alice')).page.body).viewer.logout;
  const asked = await own.step(`${publicUrl}${isRight ? logout : other}`, headers);
  expect([asked.status, asked.body.includes('Nothing has ended')]).toEqual([200, true]);
  expect((await ask('/api/v1/clusters', own)).status).toBe(200);
});

it('a session that is over ends its open stream, and is asked for anew', async () => {
  const { browser: own } = await loggedIn('bob');
  const stream = await ask('/api/v1/stream?topic=summary', own);
  const heard = stream.text().then(
    () => 'ended',
    () => 'ended',
  );
  await guarded.web.advance(15 * minute - 10 * second);
  expect((await ask('/api/v1/clusters', own)).status).toBe(200);
  await guarded.web.advance(11 * second);
  expect(await heard).toBe('ended');
  expect((await ask('/api/v1/clusters', own)).status).toBe(401);
});

it('keys rotate: older ones still open, until they are revoked', async () => {
  const { browser: own } = await loggedIn('bob');
  const before = await readKeyFile(guarded.keys);
  if (before.type !== 'keys') throw new Error('no keys');
  await writeKeyFile(guarded.keys, [newKey(1), ...before.keys]);
  expect((await ask('/api/v1/clusters', own)).status).toBe(200);
  const { browser: later } = await loggedIn('bob');
  await writeKeyFile(guarded.keys, [newKey(2), ...before.keys.map((key) => ({ ...key, revoked: true }))]);
  for (const each of [own, later]) expect((await ask('/api/v1/clusters', each)).status).toBe(401);
  expect((await loggedIn('bob')).page.status).toBe(200);
  expect(await readFile(guarded.keys, 'utf8')).toContain('revoked: true');
});

it('a cookie that was changed, cut, given twice, or sealed for another purpose is none', async () => {
  const { browser: own } = await loggedIn('bob');
  const [name = '', value = ''] = own.cookie(`${publicUrl}/`).split('=', 2);
  const begun = await guarded.web.get('/access/login', { redirect: 'manual' });
  const login = /=([^;]+);/.exec(begun.headers.getSetCookie()[0] ?? '')?.[1] ?? '';
  const changed = value.replace(/.(?=[^*]*$)/, (letter) => (letter === 'A' ? 'B' : 'A'));
  for (const cookie of [
    `${name}=${changed}`,
    `${name}=${value.slice(0, -9)}`,
    `${name}=${value}; ${name}=${value}`,
    `${name}=${login}`,
  ])
    expect((await guarded.web.get('/api/v1/clusters', { headers: { cookie } })).status).toBe(401);
  expect((await guarded.web.get('/api/v1/clusters', { headers: { cookie: `${name}=${value}` } })).status).toBe(200);
});

it('access is noted by subject and path, without queries, for auditors alone', async () => {
  const { browser: own } = await loggedIn('bob', '/objects?q=canary');
  const { page } = await loggedIn('alice', '/access');
  const { accesses } = JSON.parse(page.body);
  expect(accesses).toContainEqual([`${openId.issuer}#bob`, '/objects', 200]);
  expect(JSON.stringify([accesses, guarded.logged])).not.toContain('canary');
  expect(JSON.parse((await own.open(`${publicUrl}/`)).body).accesses).toBeNull();
  expect(guarded.logged).toContainEqual(
    expect.objectContaining({
      message: 'access',
      subject: `${openId.issuer}#bob`,
      path: '/objects',
      status: 200,
      by: 'session',
    }),
  );
  const text = await guarded.web.scrape();
  expect(text).toMatch(/plumbline_web_logins_total\{end="in"\} \d+/);
  expect(text).toMatch(/plumbline_web_refusals_total\{why="not-signed-in"\} \d+/);
  expect(text).not.toContain('alice');
});
