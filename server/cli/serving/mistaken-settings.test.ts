// Mistakes of a command line and its environment, one line each: what is written, what is said of it, the exit code.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { kubeconfigOf } from '#test/hostile/kubeconfigs.ts';
import { hostileDataDirectories } from '#test/hostile/settings.ts';
import { dataDirectoryOf, defaultData } from '../data-directory.ts';
import { runLine, writeAll } from '../testing/run-line.ts';

const levels = 'PLUMBLINE_LOG_LEVEL is "loud", and must be one of debug, info, warn, error.';
const noAddress = 'is no address to serve on: a name or an IP address, such as 127.0.0.1.';
const config = ['--config', 'FOLDER/plumbline.yaml'];
const dryRun = ['start', '--dry-run', '--port', '0', ...config];

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mistakes-'));
  await writeAll(folder, {
    'plumbline.yaml': 'clusters:\n  - name: eu\n    kubeconfig: ./eu.yaml\n',
    'eu.yaml': kubeconfigOf({ user: { token: 't' } }),
    file: '',
  });
});
afterEach(() => rm(folder, { recursive: true }));

type Environment = Readonly<Record<string, string>>;
type Mistake = readonly [what: string, args: readonly string[], environment: Environment, code: number, line: string];

it.each<Mistake>([
  ['a level of start', dryRun, { PLUMBLINE_LOG_LEVEL: 'loud' }, 64, levels],
  ['a level of demo', ['demo', '--dry-run', '--port', '0'], { PLUMBLINE_LOG_LEVEL: 'loud' }, 64, levels],
  ['a level of check', ['check', ...config], { PLUMBLINE_LOG_LEVEL: 'loud' }, 64, levels],
  ['a URL for a host', [...dryRun, '--host', 'http://localhost'], {}, 64, `"http://localhost" ${noAddress}`],
  ['no host', [...dryRun, '--host', ''], {}, 64, `"" ${noAddress}`],
  [
    'one port for both',
    ['start', '--dry-run', '--port', '9464', ...config],
    { PLUMBLINE_COLLECTOR_PORT: '9464' },
    64,
    'PLUMBLINE_COLLECTOR_PORT and the port of the pages are both 9464: each needs its own.',
  ],
  ['no data directory', [...dryRun, '--data', ''], {}, 64, emptyOption('--data <dir>')],
  ['no configuration', ['check', '--config', ''], {}, 64, emptyOption('--config <file>')],
  ['nowhere to report to', ['report', '--output', ''], {}, 64, emptyOption('--output <file>')],
  ['nowhere to back up to', ['backup', '--output', ''], {}, 64, emptyOption('--output <dir>')],
  ['a command that there is not', ['help', 'nosuch'], {}, 64, "error: unknown command 'nosuch'"],
  [
    'a kubeconfig that is not there',
    ['check', '--context', 'one'],
    { KUBECONFIG: '/nope/x' },
    78,
    'KUBECONFIG names /nope/x, which does not exist.',
  ],
  [
    'a data directory of another place',
    ['links', '--data', 'FOLDER/typo'],
    {},
    69,
    'The list of links cannot be used: there is no data directory FOLDER/typo.',
  ],
  ...hostileDataDirectories.flatMap(([what, path, said]): readonly Mistake[] => [
    [`${what} for data, by option`, [...dryRun, '--data', path], {}, 78, `The data directory ${path} ${said}.`],
    [`${what} for data, by variable`, dryRun, { PLUMBLINE_DATA: path }, 78, `The data directory ${path} ${said}.`],
    [
      `${what} for data, before the build`,
      ['start', '--before-build', '--port', '0', ...config, '--data', path],
      {},
      78,
      `The data directory ${path} ${said}.`,
    ],
  ]),
])('%s is one line', async (_what, args, environment, code, line) => {
  expect(await runLine(folder, args, environment)).toEqual({ code, out: [], said: [line] });
});

function emptyOption(flags: string): string {
  return `error: option '${flags}' argument '' is invalid. It names nothing.`;
}

it.each(['PLUMBLINE_CONFIG', 'PLUMBLINE_HOST', 'PLUMBLINE_COLLECTOR_PORT', 'PLUMBLINE_LOG_LEVEL'])(
  'an empty %s is none',
  async (name) => {
    const done = await runLine(folder, [...dryRun, '--data', 'FOLDER/data'], { [name]: '' });
    expect(done).toMatchObject({ code: 0, said: [] });
  },
);

it.each([
  [undefined, undefined, defaultData],
  [undefined, '', defaultData],
  [undefined, '/data', '/data'],
  ['/own', '/data', '/own'],
])('--data %j beside a PLUMBLINE_DATA of %j is %s', (option, variable, directory) => {
  expect(dataDirectoryOf(option, { PLUMBLINE_DATA: variable })).toBe(directory);
});

it('a backup of nothing leaves nothing', async () => {
  const done = await runLine(folder, ['backup', '--data', 'FOLDER/none', '--output', 'FOLDER/copy']);
  expect(done).toEqual({ code: 69, out: [], said: ['No backup: there is no record in FOLDER/none.'] });
  expect(existsSync(join(folder, 'copy'))).toBe(false);
});

/** Exit code and lines of standard error of a process of its own. */
function processOf(program: string, args: readonly string[], environment: Environment, flags: readonly string[] = []) {
  const { status, stderr } = spawnSync(
    process.execPath,
    [...flags, join(import.meta.dirname, '../..', program), ...args],
    {
      encoding: 'utf8',
      env: { ...process.env, ...environment },
      timeout: 60_000,
    },
  );
  return { status, lines: stderr.replaceAll(folder, 'FOLDER').trimEnd().split('\n') };
}

it.each(['collector/main.ts', 'web/main.ts'])(
  '%s that runs alone takes no level but those that there are',
  (program) => {
    const environment = {
      PLUMBLINE_CONFIG: join(folder, 'plumbline.yaml'),
      PLUMBLINE_DATA: join(folder, 'data'),
      PLUMBLINE_LOG_LEVEL: 'loud',
    };
    const { status, lines } = processOf(program, [], environment);
    expect([status, lines.length, lines[0]]).toEqual([64, 1, expect.stringContaining('debug, info, warn, error')]);
  },
);

it.each(hostileDataDirectories)('the collector ends for good where its data directory is %s', (_what, path, said) => {
  const { status, lines } = processOf('collector/main.ts', [], {
    PLUMBLINE_CONFIG: join(folder, 'plumbline.yaml'),
    PLUMBLINE_DATA: path.replace('FOLDER', folder),
  });
  expect([status, lines.length, lines[0]]).toEqual([78, 1, expect.stringContaining(said)]);
});

it.each([
  ['at once', 1],
  ['later, where nobody waits for it', 2],
])('a fault of our own is one line, and no verdict: %s', (_when, nth) => {
  const broken = `let n=0;const own=setTimeout;globalThis.setTimeout=(...a)=>{if(a[1]===100&&++n===${nth})throw new Error('lost');return own(...a)}`;
  const args = ['check', '--config', join(folder, 'plumbline.yaml')];
  const { status, lines } = processOf('cli/plumbline.ts', args, {}, [`--import=data:text/javascript,${broken}`]);
  expect([status, lines.at(-1)]).toEqual([70, 'plumbline: a fault of its own, not of your fleet: lost']);
});
