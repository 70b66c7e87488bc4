import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { silentLog } from '#server/runtime/log.ts';
import { configuredAddress } from '../addresses/address.ts';
import { configuredPlan } from './fetch-plan.ts';
import { type Keeper, type KeeperDeps, openKeeper } from './keeper.ts';

let folder: string;
let remote: string;
let ended: AbortController;
let now = Date.UTC(2026, 10, 21);
const keepers: Keeper[] = [];
const minute = 60_000;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-mirror-'));
  remote = join(folder, 'remote.git');
  ended = new AbortController();
  now = Date.UTC(2026, 10, 21);
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', remote]);
});

afterEach(() => {
  ended.abort();
  for (const keeper of keepers.splice(0)) keeper.close();
  rmSync(folder, { recursive: true, force: true });
});

function git(...args: readonly string[]): string {
  return execFileSync('git', ['--git-dir', remote, ...args], { encoding: 'utf8' }).trim();
}

/** Commits a file on a branch; gives the hash. `parent`: '' for a history of its own. */
function commit(
  subject: string,
  files: Readonly<Record<string, string>>,
  branch = 'main',
  parent = `refs/heads/${branch}^0`,
): string {
  const lines = [
    `commit refs/heads/${branch}`,
    'committer A <a@e.x> 1795000000 +0000',
    `data ${Buffer.byteLength(subject)}`,
    subject,
  ];
  if (parent !== '') lines.push(`from ${parent}`);
  for (const [path, text] of Object.entries(files))
    lines.push(`M 100644 inline "${path}"`, `data ${Buffer.byteLength(text)}`, text);
  execFileSync('git', ['--git-dir', remote, 'fast-import', '--quiet', '--force'], { input: `${lines.join('\n')}\n` });
  return git('rev-parse', `refs/heads/${branch}`);
}

async function keeper(change: Partial<KeeperDeps> = {}, url = remote): Promise<Keeper> {
  const address = configuredAddress(url);
  if (address.type === 'refused') throw new Error(address.reason);
  const access = { user: null, token: null, key: null, knownHosts: null };
  const opened = await openKeeper(
    { key: url, url, origin: 'configured', host: null, plan: () => configuredPlan(address, access, {}) },
    {
      folder: join(folder),
      mostBytes: 64 * 1024 ** 2,
      every: minute,
      now: () => now,
      log: silentLog,
      ended: ended.signal,
      ...change,
    },
  );
  keepers.push(opened);
  return opened;
}

async function subjects(of: Keeper): Promise<readonly string[]> {
  const told = await of.reader()?.log({ branch: null, after: null, limit: 10 });
  return told?.type === 'told' ? told.answer.commits.map(({ subject }) => subject) : [];
}

describe('a mirror', () => {
  it('has what the last fetch brought, and says when that was', async () => {
    commit('First', { a: '1' }, 'main', '');
    const one = await keeper();
    expect(one.state()).toMatchObject({ state: 'first-fetch', fetchedAt: null, defaultBranch: null });
    expect(await one.fetch()).toBe(now + minute);
    expect(one.state()).toMatchObject({ state: 'current', fetchedAt: now, defaultBranch: 'main', reason: null });
    const second = commit('Second', { a: '2' });
    expect(await subjects(one)).toEqual(['First']);
    now += minute;
    await one.fetch();
    expect(await subjects(one)).toEqual(['Second', 'First']);
    expect(one.state().branches).toEqual([{ name: 'main', sha: second, movedAt: now }]);
  });

  it('outlives a restart, and tells of the time in which nobody fetched', async () => {
    commit('First', { a: '1' }, 'main', '');
    await (await keeper()).fetch();
    const fetchedAt = now;
    now += 10 * minute;
    const again = await keeper();
    expect(await subjects(again)).toEqual(['First']);
    expect(again.state().gaps).toEqual([{ from: fetchedAt, to: null, reason: 'Plumbline did not run.' }]);
    await again.fetch();
    expect(again.state().gaps).toEqual([{ from: fetchedAt, to: now, reason: 'Plumbline did not run.' }]);
  });

  it('names a branch whose history was rewritten, and holds what was there before', async () => {
    commit('First', { a: '1' }, 'main', '');
    const lost = commit('Lost', { a: '2' });
    const one = await keeper();
    await one.fetch();
    const other = commit('Other', { a: '3' }, 'main', `${git('rev-parse', 'main^1')}`);
    now += minute;
    await one.fetch();
    expect(one.state().rewritten).toEqual([{ branch: 'main', from: lost, to: other, at: now }]);
    const held = await one.reader()?.commits([lost]);
    expect(held?.type === 'told' && held.answer[0]?.subject).toBe('Lost');
    // An ordinary push is none.
    commit('Next', { a: '4' });
    now += minute;
    await one.fetch();
    expect(one.state().rewritten).toHaveLength(1);
  });

  it('of a repository that goes away says so with its age, pauses longer and longer, and goes on when it is back', async () => {
    commit('First', { a: '1' }, 'main', '');
    const one = await keeper();
    await one.fetch();
    const fetchedAt = now;
    execFileSync('mv', [remote, `${remote}.moved`]);
    now += minute;
    const failedAt = now;
    expect(await one.fetch()).toBe(now + minute);
    expect(one.state()).toMatchObject({
      state: 'failing',
      fetchedAt,
      failingSince: failedAt,
      reason: expect.stringMatching(/^It cannot be fetched: there is no such repository/),
    });
    now += minute;
    expect(await one.fetch()).toBe(now + 2 * minute);
    expect(await subjects(one)).toEqual(['First']);
    execFileSync('mv', [`${remote}.moved`, remote]);
    now += minute;
    await one.fetch();
    expect(one.state()).toMatchObject({ state: 'current', failingSince: null, fetchedAt: now });
    expect(one.state().gaps[0]).toMatchObject({ from: fetchedAt, to: now });
  });

  it.each([
    ['a pack that is cut short', (path: string) => writeFileSync(path, 'PACK')],
    ['a pack that is gone', (path: string) => rmSync(path)],
  ])('with %s is made anew by itself', async (_what, spoil) => {
    for (let n = 0; n < 30; n += 1) commit(`Commit ${n}`, { a: String(n) }, 'main', n === 0 ? '' : undefined);
    const first = await keeper();
    await first.fetch();
    first.close();
    const mirror = readdirSync(folder).find((name) => /^[0-9a-f]{16}\.git$/.test(name)) ?? '';
    const packs = join(folder, mirror, 'objects', 'pack');
    for (const name of readdirSync(packs)) {
      execFileSync('chmod', ['u+w', join(packs, name)]);
      if (name.endsWith('.pack')) spoil(join(packs, name));
    }
    const again = await keeper();
    expect(again.state()).toMatchObject({ state: 'failing', reason: 'Its mirror cannot be read.' });
    for (let n = 0; n < 3 && again.state().state !== 'current'; n += 1) {
      now += minute;
      await again.fetch();
    }
    expect(await subjects(again)).toHaveLength(10);
    expect(again.state().state).toBe('current');
  });

  it('keeps nothing of fetches that were ended, and is not taken for broken by what a host says', async () => {
    commit('First', { a: '1' }, 'main', '');
    const one = await keeper();
    await one.fetch();
    const mirror = readdirSync(folder).find((name) => /^[0-9a-f]{16}\.git$/.test(name)) ?? '';
    const packs = join(folder, mirror, 'objects', 'pack');
    writeFileSync(join(packs, 'tmp_pack_left'), 'x'.repeat(1_000));
    // The host's own repository is broken now, and says so in git's words.
    writeFileSync(join(remote, 'refs', 'heads', 'main'), `${'1'.repeat(40)}\n`);
    now += minute;
    await one.fetch();
    expect(one.state().state).toBe('failing');
    expect(await subjects(one)).toEqual(['First']);
    expect(readdirSync(folder).some((name) => name.endsWith('.broken'))).toBe(false);
    expect(readdirSync(packs)).not.toContain('tmp_pack_left');
  });

  it('that would grow beyond its bound is stopped, and says so', async () => {
    commit(
      'Large',
      {
        a: Array.from({ length: 200_000 }, (_, n) => `${n * 7919} ${(n * 104_729) % 65_536}`)
          .join('\n')
          .slice(0, 900_000),
        b: Array.from({ length: 80_000 }, (_, n) => String((n * 2_654_435_761) % 4_294_967_296)).join(''),
      },
      'main',
      '',
    );
    const one = await keeper({ mostBytes: 1_000 });
    await one.fetch();
    expect(one.state()).toMatchObject({
      state: 'failing',
      reason: 'It cannot be fetched: it is larger than 1000 bytes.',
    });
  });

  it('whose host names more branches than are kept is stopped, keeps what it had, and leaves none of the names', async () => {
    commit('First', { a: '1' }, 'main', '');
    const one = await keeper({ mostRefs: 50 });
    await one.fetch();
    const sha = commit('Second', { a: '2' });
    const names = Array.from({ length: 60 }, (_, n) => `create refs/heads/many/${n}/x ${sha}\n`).join('');
    execFileSync('git', ['--git-dir', remote, 'update-ref', '--stdin'], { input: names });
    await one.fetch();
    expect(one.state()).toMatchObject({
      state: 'failing',
      reason: 'It cannot be fetched: it has more than 50 branches and tags.',
    });
    expect(await subjects(one)).toEqual(['First']);
    const mirror = readdirSync(folder).find((name) => name !== 'remote.git') ?? '';
    const refs = readdirSync(join(folder, mirror, 'refs'), { recursive: true, encoding: 'utf8' });
    expect(new Set(refs)).toEqual(new Set(['heads', 'tags']));
    execFileSync('git', ['--git-dir', remote, 'update-ref', '--stdin'], {
      input: names.replace(/^create (\S+) .*$/gm, 'delete $1'),
    });
    now += minute;
    await one.fetch();
    expect([one.state().state, await subjects(one)]).toEqual(['current', ['Second', 'First']]);
  });
});

describe('a hostile repository', () => {
  it('runs nothing of its own: no hooks, no settings, no submodules', async () => {
    commit(
      'First',
      { '.gitmodules': '[submodule "x"]\n\tpath = x\n\turl = http://127.0.0.1:1/x\n\tupdate = !touch pwned\n' },
      'main',
      '',
    );
    for (const hook of ['post-checkout', 'reference-transaction', 'post-update', 'pre-auto-gc'])
      writeFileSync(join(remote, 'hooks', hook), `#!/bin/sh\ntouch ${join(folder, 'pwned')}\n`, { mode: 0o755 });
    const one = await keeper();
    await one.fetch();
    expect(await subjects(one)).toEqual(['First']);
    expect(readdirSync(folder)).not.toContain('pwned');
  });

  it('with names of odd letters breaks nothing, and shows none of them as they are', async () => {
    commit('Sub\u202Eject\u0007', { 'a\u202Eb.yaml': '1' }, 'main', '');
    commit('x', { a: '1' }, 'fea\u202Eture', '');
    const one = await keeper();
    await one.fetch();
    const [subject = ''] = await subjects(one);
    const told = JSON.stringify([subject, one.state()]);
    expect([told.includes('\u202E'), told.includes('\u0007')]).toEqual([false, false]);
    expect(one.state().branches).toHaveLength(2);
  });

  it('on a host that never answers is given up, and holds up nobody for ever', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const one = await keeper({}, `http://127.0.0.1:${port}/a.git`);
    const fetching = one.fetch();
    setTimeout(() => ended.abort(), 300);
    await fetching;
    expect(one.state().fetchedAt).toBeNull();
  });
});

it('of more branches than are kept the default one and those that are followed are kept first', async () => {
  const sha = commit('First', { a: '1' }, 'main', '');
  const names = [...Array.from({ length: 5_000 }, (_, n) => `dev/${n}`), 'zone/live'];
  const created = names.map((name) => `create refs/heads/${name} ${sha}\n`).join('');
  execFileSync('git', ['--git-dir', remote, 'update-ref', '--stdin'], { input: created });
  const one = await keeper();
  one.follow(['zone/live', 'not-there', '*']);
  await one.fetch();
  const { defaultBranch, branches } = one.state();
  expect([defaultBranch, branches.length, branches.slice(0, 2).map(({ name }) => name)]).toEqual([
    'main',
    100,
    ['main', 'zone/live'],
  ]);
  for (const branch of [null, 'zone/live']) {
    const told = await one.reader()?.log({ branch, after: null, limit: 1 });
    expect(told).toMatchObject({ type: 'told', answer: { commits: [{ subject: 'First' }] } });
  }
});
