import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '#server/runtime/clock.ts';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { hostileFileNames, kubeconfigOf } from '#test/hostile/kubeconfigs.ts';
import { createScan, type DirectoryChange } from './directory-scan.ts';
import { readKubeconfigDirectory, startKubeconfigDirectory } from './kubeconfig-directory.ts';
import { until } from '../testing/until.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubeconfigs-'));
});
afterEach(() => rm(folder, { recursive: true }));

function config(token: string): string {
  return JSON.stringify({
    clusters: [{ name: 'c', cluster: { server: 'https://api.example.org' } }],
    users: [{ name: 'u', user: { token } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
  });
}

describe('a directory of kubeconfigs', () => {
  it('tells what is added, changed, removed and invalid; one bad file harms no other', async () => {
    await writeFile(join(folder, 'eu-west-3.yaml'), config('one'));
    await writeFile(join(folder, 'broken.yaml'), 'a: [');
    await writeFile(join(folder, '.hidden'), 'a: [');
    const changes: DirectoryChange[] = [];
    const directory = startKubeconfigDirectory({
      directory: folder,
      trusted: false,
      options: { clock: systemClock },
      clock: systemClock,
      log: silentLog,
      on: (change) => void changes.push(change),
      pollEvery: 50,
    });
    const words = (): string[] =>
      changes.map((change) => `${change.type} ${change.type === 'left-out' ? change.file : change.name}`);
    await until('the first look', () => changes.length === 2);
    expect(words()).toEqual(['invalid broken', 'added eu-west-3']);
    await writeFile(join(folder, 'broken.yaml'), config('two'));
    await until('mended', () => words().includes('added broken'));
    await writeFile(join(folder, 'eu-west-3.yaml'), config('three'));
    await until('changed', () => words().includes('changed eu-west-3'));
    const changed = changes.at(-1);
    expect(changed?.type === 'changed' && (await changed.access.headers())).toEqual({
      type: 'ok',
      headers: { authorization: 'Bearer three' },
    });
    await rm(join(folder, 'eu-west-3.yaml'));
    await until('removed', () => words().includes('removed eu-west-3'));
    const count = changes.length;
    await directory.stop();
    expect(changes).toHaveLength(count);
  });

  it('files that are put beside a cluster push it out at no number', async () => {
    const told: string[] = [];
    const deps = { options: { clock: systemClock }, trusted: false, log: silentLog, most: 3 };
    const scan = createScan(deps, folder, ({ type, file }) => void told.push(`${type} ${file}`));
    await writeFile(join(folder, 'z.yaml'), config('one'));
    await scan();
    for (const name of ['a.yaml', 'b', 'c.yaml', 'd.yaml']) await writeFile(join(folder, name), config('two'));
    await scan();
    await scan();
    expect(told).toEqual(['added z.yaml', 'added a.yaml', 'added b']);
    await rm(join(folder, 'z.yaml'));
    await scan();
    expect(told.slice(3)).toEqual(['removed z.yaml', 'added c.yaml']);
  });

  it('a directory that does not exist yet is waited for', async () => {
    const later = join(folder, 'later');
    const changes: DirectoryChange[] = [];
    const directory = startKubeconfigDirectory({
      directory: later,
      trusted: false,
      options: { clock: systemClock },
      clock: systemClock,
      log: silentLog,
      pollEvery: 20,
      on: (change) => void changes.push(change),
    });
    const { mkdir } = await import('node:fs/promises');
    await mkdir(later);
    await writeFile(join(later, 'a.yaml'), config('one'));
    await until('added', () => changes[0]?.type === 'added');
    await directory.stop();
  });
});

it('what changes while it is looked at is found at once, and not by the next poll', async () => {
  for (let index = 0; index < 40; index += 1) await writeFile(join(folder, `c${index}.yaml`), config('one'));
  const names: string[] = [];
  const directory = startKubeconfigDirectory({
    directory: folder,
    trusted: false,
    options: { clock: systemClock },
    clock: systemClock,
    log: silentLog,
    on(change) {
      if (names.length === 0) writeFileSync(join(folder, 'late.yaml'), config('two'));
      if (change.type === 'added') names.push(change.name);
    },
  });
  await until('it to be found', () => names.includes('late'), 10_000);
  await directory.stop();
});

it('files that are touched again and again are looked at all the same', async () => {
  const clock = fakeClock();
  const names: string[] = [];
  const directory = startKubeconfigDirectory({
    ...{ directory: folder, trusted: false, options: { clock }, clock, log: silentLog },
    on: (change) => void (change.type === 'added' && names.push(change.name)),
  });
  clock.advance(0);
  await directory.scanned;
  await until('the poll to be set', () => clock.pending() === 1);
  await writeFile(join(folder, 'eu.yaml'), config('one'));
  // 10 ms of the fake clock for each notice: twenty of them are the time after which it is looked at.
  await until('it to be found', () => {
    writeFileSync(join(folder, '.touched'), String(clock.now()));
    clock.advance(10);
    return names.includes('eu');
  });
  expect(clock.now()).toBeLessThan(fakeClock().now() + 30_000);
  await directory.stop();
});

describe('what lies in a directory of kubeconfigs', () => {
  /** One line for each file that is no cluster, or whose cluster cannot be used; the names of the others. */
  async function found(trusted = false): Promise<readonly string[]> {
    const changes = await readKubeconfigDirectory({
      directory: folder,
      trusted,
      options: { clock: systemClock },
      log: silentLog,
    });
    return changes.map((change) =>
      change.type === 'left-out' || change.type === 'invalid'
        ? `${change.type} ${JSON.stringify(change.file)}: ${change.message.replaceAll(folder, '')}`
        : `${change.type} ${change.name}`,
    );
  }

  it.each(hostileFileNames)('%j is no name of a cluster', async (file) => {
    await writeFile(join(folder, file), kubeconfigOf({}));
    expect(await found()).toEqual([
      expect.stringMatching(/^left-out ".*": a cluster's name (?:must be letters|.*200 characters)/),
    ]);
  });

  it('is a cluster by its ending, or because it reads like a kubeconfig', async () => {
    await writeFile(join(folder, 'README.txt'), 'Put your kubeconfigs here.\n');
    await writeFile(join(folder, 'README'), 'contexts: none\n');
    await writeFile(join(folder, 'notes.md'), '# Clusters\n');
    await writeFile(join(folder, 'eu-west-3'), kubeconfigOf({}));
    await writeFile(join(folder, 'eu.west.4'), kubeconfigOf({}));
    await writeFile(join(folder, 'prose.yaml'), 'Put your kubeconfigs here.\n');
    expect(await found()).toEqual([
      'left-out "README": it is no kubeconfig',
      'left-out "README.txt": it is no kubeconfig',
      'added eu-west-3',
      'added eu.west.4',
      'left-out "notes.md": it is no kubeconfig',
      'invalid "prose.yaml": prose.yaml: it is empty or no kubeconfig',
    ]);
  });

  it('does not wait for a pipe, does not follow a link out, and reads no file without end', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe.yaml'), join(folder, 'pipe')]);
    await symlink('/dev/zero', join(folder, 'zero.yaml'));
    await symlink('/etc/hostname', join(folder, 'link.yaml'));
    await writeFile(join(folder, 'large.yaml'), ' '.repeat(1_000_001));
    await writeFile(join(folder, 'ok.yaml'), kubeconfigOf({}));
    expect(await found()).toEqual([
      'invalid "large.yaml": /large.yaml is larger than 1 MB',
      'invalid "link.yaml": /link.yaml lies outside of , which it may not',
      'added ok',
      'left-out "pipe": it is no kubeconfig',
      'invalid "pipe.yaml": /pipe.yaml is no regular file',
      'invalid "zero.yaml": /zero.yaml lies outside of , which it may not',
    ]);
  });

  it('may be links to anywhere where it is trusted', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'outside-'));
    await writeFile(join(outside, 'config'), kubeconfigOf({}));
    await symlink(join(outside, 'config'), join(folder, 'one.yaml'));
    expect(await found()).toEqual(['invalid "one.yaml": /one.yaml lies outside of , which it may not']);
    expect(await found(true)).toEqual(['added one']);
    await rm(outside, { recursive: true });
  });
});

it('reads no file that would take the thread of all clusters for long, and ends where nobody waits for it', async () => {
  await writeFile(join(folder, 'eu.yaml'), `a: [${'1,'.repeat(20_001)}1]`);
  await writeFile(join(folder, 'us.yaml'), `a: [${'1,'.repeat(19_000)}1]`);
  const found: DirectoryChange[] = [];
  let ended = false;
  const on = (change: DirectoryChange): void => {
    found.push(change);
    ended = change.file === 'ap.yaml';
  };
  const deps = { options: { clock: systemClock }, trusted: false, log: silentLog, isEnded: () => ended };
  const scan = createScan(deps, folder, on);
  await scan();
  expect(found).toMatchObject([
    { type: 'invalid', name: 'eu', message: expect.stringContaining('more than 20,000 lines') },
    { type: 'invalid', name: 'us' },
  ]);
  for (const name of ['ap', 'eu']) await writeFile(join(folder, `${name}.yaml`), config('one'));
  await scan();
  expect(found.slice(2)).toMatchObject([{ type: 'added', name: 'ap' }]);
});
