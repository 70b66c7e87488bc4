// The whole program with auth, and a browser of a phone's size: somebody logs in at a real OpenID provider, sees what is his, and logs out.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '#server/collector/clusters/testing/until.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { launchBrowser } from '#test/browser.ts';
import { listening } from '#test/integration/access/listening.ts';
import { clientId, clientSecret, type OpenId, startOpenId } from '#test/integration/access/openid.ts';
import { startQuietSimulator, workDirectory } from '#test/integration/running/running-fleet.ts';

const program = join(import.meta.dirname, '..', '..', '..', 'server', 'cli', 'plumbline.ts');
const pictures = join(import.meta.dirname, '..', '..', '..', '.plumbline', 'pictures');
const people = {
  alice: { name: 'Alice of the platform team', groups: ['platform'] },
  bob: { name: 'Bob', groups: ['payments'] },
};

const directory = workDirectory();
const stops: (() => Promise<void> | void)[] = [];
let origin = '';
let data = '';
let openId: OpenId;
let browser: Browser;
let running: ChildProcess;

beforeAll(async () => {
  const probe = createServer();
  const port = await listening(probe);
  await new Promise((resolve) => void probe.close(resolve));
  origin = `http://localhost:${port}`;
  data = join(directory.path, 'data');
  await mkdir(data, { mode: 0o700 });
  openId = await startOpenId(origin, people);
  stops.push(openId.stop);
  const simulator = await startQuietSimulator({
    clock: systemClock,
    log: silentLog,
    directory: join(directory.path, 'fleet'),
  });
  stops.push(simulator.stop);
  const config = join(dirname(simulator.configPath), 'with-auth.yaml');
  const auth = `
publicUrl: ${origin}
auth:
  oidc: { issuer: '${openId.issuer}', clientId: ${clientId}, clientSecretFile: ./client-secret }
  access:
    - { groups: [platform], roles: [auditor], everything: true }
    - { groups: [payments], clusters: [eu-west-3], namespaces: [payments] }
`;
  await writeFile(join(dirname(config), 'client-secret'), clientSecret);
  await writeFile(config, (await readFile(simulator.configPath, 'utf8')) + auth);
  const args = [program, 'start', '--config', config, '--data', data, '--host', '0.0.0.0', '--port', String(port)];
  running = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, PLUMBLINE_LOG_LEVEL: 'warn' },
  });
  let said = '';
  running.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  stops.push(async () => {
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGTERM');
    await ended;
  });
  await until('the address', () => (/Plumbline is at \S+/.test(said) ? true : undefined), 120_000);
  browser = await launchBrowser();
  stops.push(() => browser.close());
  await mkdir(pictures, { recursive: true });
});
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
  directory.remove();
});

/** A phone on which somebody logs in, from the page that he wanted. */
async function loggedIn(who: string, path = '/'): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await page.goto(origin + path);
  await page.fill('input[name=login]', who);
  await page.fill('input[name=password]', 'any');
  await page.click('button[type=submit]');
  await page.click('button[type=submit]');
  await page.waitForURL(origin + path);
  return page;
}

it('who logs in comes back, sees what is his on a page that fits a phone, and logs out for good', async () => {
  const page = await loggedIn('bob', '/objects');
  const button = page.getByRole('button', { name: 'Logged in as Bob' });
  await button.click();
  await page.getByRole('dialog').waitFor();
  expect(await page.getByRole('dialog').textContent()).toContain('Cluster eu-west-3: namespace payments');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.screenshot({ path: join(pictures, 'logged-in-phone.png') });
  const cookies = await page.context().cookies(origin);
  expect(cookies.filter(({ name }) => name.startsWith('__Host-'))).toMatchObject([
    { name: '__Host-plumbline', httpOnly: true, secure: true, sameSite: 'Lax', path: '/' },
  ]);
  await page.getByRole('link', { name: 'Log out' }).click();
  // The provider asks, too.
  await page.waitForURL(`${openId.issuer}/**`);
  await page.getByRole('button', { name: /yes/i }).click();
  await page.waitForURL(`${origin}/access/ended`);
  await page.goto(`${origin}/objects`);
  expect(new URL(page.url()).origin).toBe(openId.issuer);
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  expect((await fetch(`${origin}/api/v1/clusters`, { headers: { cookie } })).status).toBe(401);
  await page.context().close();
});

it('an auditor sees who looked, and nobody else does', async () => {
  const page = await loggedIn('alice', '/access');
  await page.getByRole('heading', { name: 'Who looked' }).waitFor();
  expect(await page.textContent('main')).toContain('GET /objects');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.screenshot({ path: join(pictures, 'access-phone.png') });
  const other = await loggedIn('bob');
  expect((await other.goto(`${origin}/access`))?.status()).toBe(403);
  expect(await other.textContent('main')).toContain('This page is for auditors');
  for (const each of [page, other]) await each.context().close();
});

it('a machine asks by its token, until that is revoked; nobody asks without one', async () => {
  const asked = async (token: string): Promise<number> => {
    const headers = token === '' ? {} : { authorization: `Bearer ${token}` };
    return (await fetch(`${origin}/api/v1/clusters`, { headers })).status;
  };
  const plumbline = async (...args: readonly string[]): Promise<string> =>
    (await promisify(execFile)(process.execPath, [program, 'token', '--data', data, ...args])).stdout.trim();
  const token = await plumbline('--new', 'ci', '--grant', 'clusters=eu-west-3', '--expires', '1d');
  expect([await asked(''), await asked(token), await asked(`${token.slice(0, -1)}x`)]).toEqual([401, 200, 401]);
  await plumbline('--revoke', token.slice('plumbline_'.length).slice(0, 12));
  expect(await asked(token)).toBe(401);
  for (const name of ['access.db', 'session-keys.yaml'])
    expect([name, (await stat(join(data, name))).mode & 0o777]).toEqual([name, 0o600]);
});
