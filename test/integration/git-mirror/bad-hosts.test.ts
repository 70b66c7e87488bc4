import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { Keeper } from '#server/git/mirror/keeper.ts';
import { createCertificates } from '#server/simulator/tls/certificates.ts';
import { commitTo, type GitHost, type Manner, startGitHost } from './git-host.ts';
import { type Bed, makeBed, minute, subjects } from './kept.ts';

let bed: Bed;
let root: string;
let repository: string;
beforeEach(() => {
  bed = makeBed();
  root = join(bed.folder, 'host');
  mkdirSync(root);
  repository = join(root, 'acme.git');
  commitTo(repository, 'First', { a: '1' });
});
afterEach(() => bed.remove());

async function hosted(options: Parameters<typeof startGitHost>[1] = {}): Promise<GitHost> {
  const host = await startGitHost(root, options);
  onTestFinished(() => host.stop());
  return host;
}

/** A repository that is fetched, then spoilt for two fetches while it grows, then mended: everything that is told of it meanwhile. */
async function live(one: Keeper, spoil: () => void, mend: () => void) {
  const began = bed.now;
  const minutes = (at: number | null): number | null => (at === null ? null : (at - began) / minute);
  const told = async () => {
    const { state, reason, fetchedAt, failingSince, gaps } = one.state();
    const times = { fetchedAt: minutes(fetchedAt), failingSince: minutes(failingSince) };
    const open = gaps.map(({ from, to }) => [minutes(from), minutes(to)]);
    return { state, reason, ...times, gaps: open, subjects: await subjects(one) };
  };
  await one.fetch();
  const before = await told();
  commitTo(repository, 'Second', { a: '2'.repeat(1_000) });
  spoil();
  const pauses: number[] = [];
  for (let time = 0; time < 2; time += 1) {
    bed.now += minute;
    pauses.push(((await one.fetch()) - bed.now) / minute);
  }
  const during = await told();
  mend();
  bed.now += minute;
  await one.fetch();
  const aside = readdirSync(bed.folder).filter((name) => name.endsWith('.broken'));
  return { before, during, pauses, after: await told(), aside };
}

/** Nothing that was known is lost, all of it has its age, the pauses grow, and it is mended by itself. */
function honest(says: RegExp) {
  const fine = { state: 'current', reason: null, failingSince: null };
  return {
    before: { ...fine, fetchedAt: 0, gaps: [], subjects: ['First'] },
    during: {
      ...{ state: 'failing', reason: expect.stringMatching(says), fetchedAt: 0, failingSince: 1 },
      ...{ gaps: [[0, null]], subjects: ['First'] },
    },
    pauses: [1, 2],
    after: { ...fine, fetchedAt: 3, gaps: [[0, 3]], subjects: ['Second', 'First'] },
    aside: [],
  };
}

it.each<[string, Manner, RegExp]>([
  ['hangs in the middle of a pack', { type: 'stalls' }, /it takes too long/],
  ['says nothing at all', { type: 'is silent' }, /it takes too long/],
  ['fails', { type: 'says', status: 503 }, /503/],
  ['has renamed the repository', { type: 'says', status: 404 }, /no such repository.*may have moved/],
  [
    'sends elsewhere',
    { type: 'says', status: 301, location: 'http://127.0.0.1:1/acme.git/info/refs?service=git-upload-pack' },
    /its host sends elsewhere, which is not followed/,
  ],
])('a host that %s is said with its age, and costs nothing that is known', async (_what, manner, says) => {
  const host = await hosted();
  const one = await bed.keeper(`http://127.0.0.1:${host.port}/acme.git`, { deps: { longestFetch: 3_000 } });
  expect(
    await live(
      one,
      () => void (host.manner = manner),
      () => void (host.manner = { type: 'serves' }),
    ),
  ).toEqual(honest(says));
});

it('credentials that expire are said; the file with the new ones works without a restart, and no word of either is told', async () => {
  const tls = await createCertificates(Date.now());
  const host = await hosted({ tls: { cert: tls.certificate, key: tls.key } });
  const [ca, token] = [join(bed.folder, 'ca.pem'), join(bed.folder, 'token')];
  writeFileSync(ca, tls.ca);
  writeFileSync(token, 'first-secret\n');
  host.token = 'first-secret';
  const one = await bed.keeper(`https://127.0.0.1:${host.port}/acme.git`, {
    token,
    environment: { SSL_CERT_FILE: ca },
  });
  expect(
    await live(
      one,
      () => void (host.token = 'second-secret'),
      () => writeFileSync(token, 'second-secret\n'),
    ),
  ).toEqual(honest(/credentials are not accepted/));
  const [mirror = ''] = readdirSync(bed.folder).filter((name) => name.endsWith('.git'));
  const found = spawnSync('grep', ['-rlaE', 'secret|Authorization', '.'], { cwd: join(bed.folder, mirror) });
  expect([String(found.stdout), JSON.stringify(one.state()).includes('secret')]).toEqual(['', false]);
});

const path = process.env['PATH'] ?? '';
const git = execFileSync('which', ['git']).toString().trim();

/** Puts a program in place of git, which is `$GIT` to it; null: none. */
function inPlaceOfGit(script: string | null): void {
  onTestFinished(() => void vi.unstubAllEnvs());
  const folder = join(bed.folder, 'bin');
  mkdirSync(folder, { recursive: true });
  if (script !== null) writeFileSync(join(folder, 'git'), `#!/bin/sh\nGIT=${git}\n${script}\n`, { mode: 0o755 });
  vi.stubEnv('PATH', script === null ? folder : `${folder}${delimiter}${path}`);
}

/** Does something in place of a fetch. */
function atFetch(script: string): string {
  return `for word; do [ "$word" = fetch ] && { ${script}; }; done\nexec $GIT "$@"`;
}

it.each<[string, string, RegExp]>([
  ['a disk that is full', `trap '' XFSZ\nulimit -f 0\nexec $GIT "$@"`, /the disk is full/],
  [
    'a disk that may only be read',
    atFetch('echo "fatal: unable to create temporary file: Read-only file system" >&2; exit 128'),
    /its disk may only be read/,
  ],
  ['git that the system ends', atFetch('kill -9 $$'), /the system ended git/],
])('%s is said with its age, and tried again', async (_what, script, says) => {
  const one = await bed.keeper(repository);
  expect(
    await live(
      one,
      () => inPlaceOfGit(script),
      () => vi.stubEnv('PATH', path),
    ),
  ).toEqual(honest(says));
});

it('git that is not installed is said, and tried again with growing pauses', async () => {
  inPlaceOfGit(null);
  const one = await bed.keeper(repository);
  const pauses: number[] = [];
  for (let time = 0; time < 3; time += 1) {
    const due = await one.fetch();
    pauses.push((due - bed.now) / minute);
    bed.now = due;
  }
  expect(pauses).toEqual([1, 2, 4]);
  expect(one.state()).toMatchObject({
    state: 'failing',
    fetchedAt: null,
    reason: expect.stringMatching(/not installed/),
  });
  vi.stubEnv('PATH', path);
  await one.fetch();
  expect([one.state().state, await subjects(one)]).toEqual(['current', ['First']]);
});

it('a repository that is renamed and comes back, on disk, is fetched again', async () => {
  const one = await bed.keeper(repository);
  expect(
    await live(
      one,
      () => renameSync(repository, `${repository}.renamed`),
      () => renameSync(`${repository}.renamed`, repository),
    ),
  ).toEqual(honest(/no such repository/));
});

/** The way to a name at one address. */
function pinned(port: number, address: string) {
  return {
    ...{ GIT_ALLOW_PROTOCOL: 'http', GIT_CONFIG_COUNT: '1' },
    ...{ GIT_CONFIG_KEY_0: 'http.curloptResolve', GIT_CONFIG_VALUE_0: `git.example.org:${port}:${address}` },
  };
}

it.each<[string, string]>([
  ['does not take the connection', '127.0.0.9'],
  ['says nothing', '127.0.0.8'],
])('where the first address of a host %s the next one is tried', async (_what, first) => {
  const host = await hosted();
  const silent = await startGitHost(root, { address: '127.0.0.8', port: host.port });
  onTestFinished(() => silent.stop());
  silent.manner = { type: 'is silent' };
  const url = `http://git.example.org:${host.port}/acme.git`;
  const ways = [pinned(host.port, first), pinned(host.port, '127.0.0.1')] as const;
  const one = await bed.keeper(url, {
    plan: () => Promise.resolve({ type: 'plan', url, ways }),
    deps: { longestFetch: 6_000 },
  });
  await one.fetch();
  expect(one.state()).toMatchObject({ state: 'current', reason: null });
  expect(await subjects(one)).toEqual(['First']);
});
