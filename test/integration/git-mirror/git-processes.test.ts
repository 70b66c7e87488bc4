import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { remoteGit } from '#server/git/port/remote-git.ts';
import { gitSocketPath } from '#server/git/port/socket-path.ts';
import { settingsEnvironment } from '#server/config/process-settings.ts';
import { commitTo } from './git-host.ts';
import { type Bed, makeBed } from './kept.ts';

const program = join(import.meta.dirname, '../../../server/git/main.ts');
let bed: Bed;
let data: string;
const children: ChildProcess[] = [];
const logs = new Map<ChildProcess, () => string>();

beforeEach(() => {
  bed = makeBed();
  data = join(bed.folder, 'data');
  mkdirSync(data);
  const repository = join(bed.folder, 'acme.git');
  commitTo(repository, 'First', { a: '1' });
  writeFileSync(join(bed.folder, 'kubeconfig'), 'apiVersion: v1\nkind: Config\nclusters: []\n');
  writeFileSync(
    join(bed.folder, 'plumbline.yaml'),
    `clusters: [{ name: c1, kubeconfig: ${join(bed.folder, 'kubeconfig')} }]\nrepositories: [{ url: ${repository} }]\n`,
  );
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  bed.remove();
});

function start(): ChildProcess {
  const settings = settingsEnvironment({
    ...{ selection: { type: 'file', path: join(bed.folder, 'plumbline.yaml') }, dataDirectory: data },
    ...{ host: '127.0.0.1', port: 0, collectorPort: null, metricsPort: null, mode: 'start' },
  });
  const child = spawn(process.execPath, [program], {
    env: { NODE_ENV: 'production', PATH: process.env['PATH'], ...settings },
  });
  const pieces: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => void pieces.push(String(piece)));
  children.push(child);
  logs.set(child, () => pieces.join(''));
  return child;
}

/** Waits until the repository is told to be current. */
function answers(): Promise<void> {
  const git = remoteGit(gitSocketPath(data));
  return vi.waitFor(
    async () => {
      const told = await git.repositories();
      expect(told.type === 'told' && told.answer).toMatchObject([{ state: 'current' }]);
    },
    { timeout: 30_000, interval: 100 },
  );
}

function says(child: ChildProcess, words: string): Promise<void> {
  return vi.waitFor(() => expect(logs.get(child)?.()).toContain(words), { timeout: 20_000, interval: 50 });
}

it('of two that begin in one moment one mirrors, and the other one takes over when it is killed', async () => {
  const both = [start(), start()];
  const waits = 'this one waits';
  await vi.waitFor(() => expect(both.filter((child) => logs.get(child)?.().includes(waits))).toHaveLength(1), {
    timeout: 20_000,
    interval: 50,
  });
  await answers();
  const first = both.find((child) => logs.get(child)?.().includes(waits) !== true);
  const second = both.find((child) => child !== first);
  first?.kill('SIGKILL');
  if (second === undefined) throw new Error('there is no other one');
  await says(second, 'repositories are mirrored again by this process');
  await answers();
  expect(second.exitCode).toBeNull();
}, 60_000);

it('begins as soon as its folder can be made, and says meanwhile why not', async () => {
  writeFileSync(join(data, 'git'), 'a file');
  const child = start();
  await says(child, 'is a file, not a folder; this is tried again');
  expect(readFileSync(join(data, 'git'), 'utf8')).toBe('a file');
  rmSync(join(data, 'git'));
  await answers();
  expect(child.exitCode).toBeNull();
}, 60_000);
