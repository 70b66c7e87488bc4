// Plumbline is started on a disk that may only be read: the pages say so, and it goes on by itself once it can write.
import type { ChildProcess } from 'node:child_process';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { WireFleet } from '#lib/api/fleet.ts';
import { WireObjectList } from '#lib/api/object.ts';
import { until } from '#server/collector/clusters/testing/until.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { readOnlyDisk } from '#test/integration/running/read-only-disk.ts';
import { startQuietSimulator, workDirectory } from '#test/integration/running/running-fleet.ts';
import { untilGone } from '#test/integration/supervised/scene.ts';

const program = join(import.meta.dirname, '..', '..', 'server', 'cli', 'plumbline.ts');

/** Output of the program on its way, and the address that it serves. */
function listen(running: ChildProcess): { said(): string; url(): Promise<string> } {
  let said = '';
  running.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return {
    said: () => said,
    url: () => until('the address', () => /Plumbline is at (\S+)/.exec(said)?.[1], 60_000),
  };
}

function childrenOf(pid: number): readonly number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number));
  return pairs.flatMap(([child, parent]) => (parent === pid && child !== undefined ? [child] : []));
}

/** Ends a program and its children as a power cut does. */
async function cutPower(running: ChildProcess): Promise<void> {
  const pid = running.pid ?? 0;
  running.kill('SIGSTOP');
  const family = [...childrenOf(pid), pid];
  for (const one of family) process.kill(one, 'SIGKILL');
  await untilGone(family, 5_000);
}

it('a disk that may only be read at the start is said on every page, and is recorded on as soon as it can be written', async () => {
  const directory = workDirectory();
  onTestFinished(directory.remove);
  const data = join(directory.path, 'data');
  mkdirSync(data);
  const disk = await readOnlyDisk(data);
  onTestFinished(disk.remove);
  const simulator = await startQuietSimulator({
    clock: systemClock,
    log: silentLog,
    directory: join(directory.path, 'fleet'),
  });
  onTestFinished(simulator.stop);
  const catalogue = simulator.demo?.clusters.get('eu-west-3')?.kustomizations.get('catalogue');
  if (!catalogue) throw new Error('no catalogue');
  const start = (): ChildProcess => {
    const args = [program, 'start', '--config', simulator.configPath, '--data', data, '--port', '0'];
    const running = disk.run(args, { PLUMBLINE_LOG_LEVEL: 'error' });
    onTestFinished(() => cutPower(running).catch(() => undefined));
    return running;
  };

  const first = start();
  const before = await listen(first).url();
  const fleetAt = async (url: string) => WireFleet.parse(await (await fetch(`${url}/api/v1/fleet`)).json());
  const verdictAt = async (url: string): Promise<string | undefined> => {
    const answer = await fetch(`${url}/api/v1/objects?kind=Kustomization&name=catalogue`);
    // Before anything is known, there is no such kind.
    if (answer.status === 404) return undefined;
    return WireObjectList.parse(await answer.json()).objects[0]?.verdict;
  };
  await until('the record', async () => (await verdictAt(before)) === 'converged', 60_000);
  await cutPower(first);

  await disk.readOnly(true);
  const second = start();
  const words = listen(second);
  const url = await words.url();
  await until('the collector to have tried thrice', () => words.said().split('cannot be opened').length > 3, 30_000);
  expect(second.exitCode).toBeNull();
  const said = await until('the page to know', async () => (await fleetAt(url)).summary.trouble, 30_000);
  expect(said).toMatch(/^Nothing is recorded since [\d :-]+ UTC: the record may only be read\. /);
  const quiet: string[] = [];
  for (const path of ['/', '/objects', '/clusters/eu-west-3', '/history', '/incidents', '/absences', '/reports']) {
    const page = await (await fetch(`${url}${path}`)).text();
    if (!page.includes('the record may only be read')) quiet.push(path);
  }
  expect(quiet).toEqual([]);

  catalogue.outcome = { is: 'build-failed', message: 'kustomize build failed: no such file' };
  catalogue.reconcile();
  await disk.readOnly(false);
  await until('what happened meanwhile to be recorded', async () => (await verdictAt(url)) === 'diverged', 60_000);
  expect((await fleetAt(url)).summary.trouble).toBeNull();
  second.kill('SIGTERM');
  await until('the end', () => second.exitCode !== null);
  expect(second.exitCode).toBe(0);
});
