import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { type DirectoryChange, startKubeconfigDirectory } from './kubeconfig-directory.ts';
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
      options: { clock: systemClock },
      clock: systemClock,
      log: silentLog,
      on: (change) => void changes.push(change),
      pollEvery: 50,
    });
    const words = (): string[] => changes.map(({ type, name }) => `${type} ${name}`);
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

  it('a directory that does not exist yet is waited for', async () => {
    const later = join(folder, 'later');
    const changes: DirectoryChange[] = [];
    const directory = startKubeconfigDirectory({
      directory: later,
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
