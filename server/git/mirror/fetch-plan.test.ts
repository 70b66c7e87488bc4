import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configuredAddress } from '../addresses/address.ts';
import { configuredPlan, type FetchPlan } from './fetch-plan.ts';

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'plumbline-ssh-')));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The plan for a repository by ssh whose two files are called so. */
async function planOf(key: string, knownHosts: string): Promise<FetchPlan> {
  const address = configuredAddress('ssh://git@git.example.org/acme/control.git');
  if (address.type !== 'address') throw new Error('no address');
  return configuredPlan(address, { user: null, token: null, key, knownHosts }, {});
}

const hasSsh = spawnSync('ssh', ['-V']).status === 0;

describe('a repository by ssh', () => {
  it.skipIf(!hasSsh).each(['known_hosts', "with blanks, 'quotes', # and $HOME", 'a;b&c'])(
    'has the files that are named: %s',
    async (name) => {
      const [key, knownHosts] = [join(folder, `${name}.key`), join(folder, name)];
      mkdirSync(dirname(key), { recursive: true });
      writeFileSync(key, '');
      const plan = await planOf(key, knownHosts);
      const command = plan.type === 'plan' ? plan.ways[0]['GIT_SSH_COMMAND'] : '';
      const { stdout } = spawnSync('sh', ['-c', `${command} -G git.example.org`], { encoding: 'utf8' });
      const lines = stdout.split('\n');
      expect(lines).toContain(`userknownhostsfile ${knownHosts}`);
      expect(lines).toContain('globalknownhostsfile /dev/null');
      expect(lines).toContain(`identityfile ${key}`);
    },
  );

  it.each(['a"b', String.raw`a\b`, 'a%h', 'a${HOME}', 'a\nb'])(
    'is not fetched where ssh reads a name otherwise: %j',
    async (name) => {
      for (const [key, knownHosts] of [
        [join('/keys', name), '/keys/known_hosts'],
        ['/keys/key', join('/keys', name)],
      ] as const)
        expect(await planOf(key, knownHosts)).toMatchObject({ type: 'refused' });
    },
  );
});
