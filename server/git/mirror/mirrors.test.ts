import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type FakeClock, fakeClock } from '#server/runtime/fake-clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { madeRepository, type MadeRepository } from '../reader/testing/made-repository.ts';
import type { Resolve } from './fetch-plan.ts';
import { type Mirrors, startMirrors } from './mirrors.ts';

const minute = 60_000;
const hour = 60 * minute;
let folder: string;
let clock: FakeClock;
let made: MadeRepository;
let mirrors: Mirrors | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-mirrors-'));
  clock = fakeClock();
  made = madeRepository();
  made.commits({ on: 'main', files: { a: '1' } });
});
afterEach(async () => {
  await mirrors?.stop();
  mirrors = null;
  made.remove();
  rmSync(folder, { recursive: true, force: true });
});

async function start(names: readonly string[], resolve: Resolve = () => Promise.resolve([])): Promise<Mirrors> {
  const access = { user: null, token: null, key: null, knownHosts: null };
  const repositories = names.map((url) => ({ url, from: made.directory, host: null, mirror: true, access }));
  mirrors = await startMirrors({
    ...{ repositories, found: true, every: minute, mostBytes: 2 ** 26, folder },
    ...{ environment: {}, resolve, clock, log: silentLog },
  });
  return mirrors;
}

/** Lets time pass until something is so. */
async function until(is: () => boolean, step = minute): Promise<void> {
  await vi.waitFor(
    () => {
      if (is()) return;
      clock.advance(step);
      throw new Error('not yet');
    },
    { timeout: 20_000, interval: 5 },
  );
}

const found = 'https://git.example.org/acme/found.git';

it('a found repository is mirrored no more once nobody has wanted it for a day, and nothing of it stays', async () => {
  const all = await start([]);
  await all.want([{ url: found, branches: [] }]);
  await until(() => readdirSync(folder).length > 0);
  expect(all.states()).toMatchObject([{ origin: 'found', state: 'refused' }]);
  clock.advance(24 * hour);
  await all.want([]);
  expect(all.states()).toEqual([]);
  await until(() => readdirSync(folder).length === 0);
});

it('mirrors of a process before this one go once nobody has wanted them for a day', async () => {
  const before = await start(['https://git.example.org/acme/a.git']);
  await until(() => before.states()[0]?.state === 'current');
  await before.stop();
  expect(readdirSync(folder)).toHaveLength(2);
  await start(['https://git.example.org/acme/b.git']);
  await until(() => readdirSync(folder).length === 4);
  clock.advance(23 * hour);
  await until(() => readdirSync(folder).length === 2, hour);
});

it('a name that leads into a private network is refused, whatever it led to before, and asked again', async () => {
  let addresses = ['127.0.0.1'];
  const asked: string[] = [];
  const all = await start([], (host) => {
    asked.push(host);
    return Promise.resolve(addresses);
  });
  await all.want([{ url: found, branches: [] }]);
  for (const each of [['127.0.0.1'], ['93.184.216.34', '10.0.0.7'], ['::1'], ['169.254.169.254']]) {
    addresses = each;
    const times = asked.length;
    await until(() => asked.length > times, 30 * minute);
    await until(() => all.states()[0]?.state === 'refused', 0);
    expect(all.states()[0]?.reason).toMatch(/leads into a private network/);
    expect(all.states()[0]?.fetchedAt).toBeNull();
  }
  expect(new Set(asked)).toEqual(new Set(['git.example.org']));
});

it.each([
  '--upload-pack=touch pwned',
  '-u/tmp/x',
  'ext::sh -c touch% pwned',
  'file:///etc',
  '/etc',
  'git@10.0.0.1:acme/x.git',
  'https://-oProxyCommand=x/y.git',
  'https://127.0.0.1/x.git',
  'https://git.example.org/a\n--upload-pack=x',
  'https://git.example.org/[redacted].git',
])('a cluster that names %j has us fetch nothing', async (url) => {
  const all = await start([], () => Promise.reject(new Error('nobody is to be asked')));
  await all.want([{ url, branches: ['--all', 'a\nb'] }]);
  await until(() => all.states()[0]?.state === 'refused');
  expect(readdirSync(folder).every((name) => /[.]json(?:[.]part)?$/.test(name))).toBe(true);
});

it('a repository that is refused by the address that one cluster names is fetched by that of all others, once they are heard', async () => {
  const asked: string[] = [];
  const all = await start([], (host) => {
    asked.push(host);
    return Promise.resolve([]);
  });
  await all.want([{ url: 'http://git.example.org/acme/found', branches: [] }]);
  await until(() => all.states()[0]?.state === 'refused');
  expect([all.states()[0]?.reason, asked]).toEqual([expect.stringContaining('not fetched by https'), []]);
  await all.want([{ url: found, branches: [] }]);
  await until(() => asked.length > 0, 0);
  expect(all.states()).toMatchObject([{ key: 'git.example.org/acme/found', url: found }]);
});

it('what plumbline.yaml names is fetched however long a host takes that a cluster names', async () => {
  const answer = Promise.withResolvers<readonly string[]>();
  const all = await start(['https://git.example.org/acme/a.git'], () => answer.promise);
  await all.want([{ url: found, branches: [] }]);
  const own = () => all.states().find(({ origin }) => origin === 'configured')?.fetchedAt ?? 0;
  await until(() => own() > 0);
  const first = own();
  await until(() => own() > first);
  expect(all.states().find(({ origin }) => origin === 'found')?.state).toBe('first-fetch');
  answer.resolve([]);
});

it('of those that clusters name one that is quick waits for no more than one that is slow, however many there are', async () => {
  const asked: string[] = [];
  const all = await start([], async (host) => {
    asked.push(host);
    // A clock that is moved by what it calls goes back afterwards.
    await Promise.resolve();
    if (host.startsWith('slow')) clock.advance(10 * minute);
    return [];
  });
  const slow = Array.from({ length: 12 }, (_, n) => `https://slow${n}.example.org/a.git`);
  const quick = 'https://quick.example.org/a.git';
  await all.want([quick, ...slow].map((url) => ({ url, branches: [] })));
  await until(() => asked.length > 100, 1_000);
  const times = asked.flatMap((host, at) => (host.startsWith('quick') ? at : [])).slice(1);
  const between = times.slice(1).map((at, index) => at - (times[index] ?? 0) - 1);
  expect(between.length).toBeGreaterThan(5);
  // It is asked every half hour: none of its addresses is found.
  expect(Math.max(...between)).toBeLessThanOrEqual(4);
  // And nobody is left out.
  expect(new Set(asked).size).toBe(13);
});
