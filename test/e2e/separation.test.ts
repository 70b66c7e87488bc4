// What the processes of a started Plumbline are really given, read from the system.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { until } from '#server/collector/clusters/testing/until.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { startQuietSimulator, workDirectory } from '#test/integration/running/running-fleet.ts';
import { untilGone } from '#test/integration/supervised/scene.ts';

const program = join(import.meta.dirname, '..', '..', 'server', 'cli', 'plumbline.ts');

/** One process as the system tells of it. */
interface Told {
  readonly pid: number;
  readonly command: string;
  readonly environment: string;
}

/** The children of a process. One that ends meanwhile is none. */
function childrenOf(parent: number): readonly Told[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      const read = (file: string): string => readFileSync(`/proc/${name}/${file}`, 'utf8');
      const found = /^PPid:\t(\d+)$/m.exec(read('status'))?.[1];
      if (!/^\d+$/.test(name) || Number(found) !== parent) return [];
      const [command, environment] = [read('cmdline'), read('environ')].map((text) => text.replaceAll('\0', ' '));
      return [{ pid: Number(name), command: command ?? '', environment: environment ?? '' }];
    } catch {
      return [];
    }
  });
}

it.runIf(process.platform === 'linux')(
  'the pages of a started Plumbline get no variable of ours, and start no program',
  async () => {
    const directory = workDirectory();
    onTestFinished(directory.remove);
    const simulator = await startQuietSimulator({ clock: systemClock, log: silentLog, directory: directory.path });
    onTestFinished(simulator.stop);
    const args = [
      program,
      'start',
      '--config',
      simulator.configPath,
      '--data',
      join(directory.path, 'data'),
      '--port',
      '0',
    ];
    const running = spawn(process.execPath, args, {
      env: {
        ...process.env,
        PLUMBLINE_LOG_LEVEL: 'error',
        CANARY: 'tweet',
        AWS_SECRET_ACCESS_KEY: 'tweet',
        KUBECONFIG: '/nowhere/tweet',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    running.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const pid = running.pid ?? 0;
    onTestFinished(async () => {
      running.kill('SIGTERM');
      await untilGone([pid], 10_000);
    });
    await until('the address', () => said.includes('Plumbline is at '), 60_000);
    const children = childrenOf(pid);
    const named = (main: string): Told | undefined => children.find(({ command }) => command.includes(main));
    const [web, collector] = [named('server/web/main.ts'), named('server/collector/main.ts')];
    expect(web?.command).toContain('--permission');
    expect(web?.command).not.toContain('--allow-child-process');
    expect(web?.environment).toContain('PLUMBLINE_SETTINGS=');
    expect(web?.environment).not.toContain('tweet');
    // It reads clusters, and its configuration comes from a file: nothing but where kubeconfigs are.
    expect(collector?.environment.match(/\S*tweet/g)).toEqual(['KUBECONFIG=/nowhere/tweet']);
  },
);
