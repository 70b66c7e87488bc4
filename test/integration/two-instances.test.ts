// Two collectors on one data directory whose configurations differ: the record of one is never merged with that of the other.
import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { WireFleet } from '#lib/api/fleet.ts';
import { until } from '#server/collector/clusters/testing/until.ts';
import { silentLog } from '#server/runtime/log.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { runCollector, startCollectorProcess } from './running/processes.ts';
import { startApi } from './running/running-api.ts';
import { startQuietSimulator, workDirectory } from './running/running-fleet.ts';

const endings: (() => Promise<unknown> | void)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end();
});

it('the second stands by, the log and the pages say so, and it takes over when the first is killed', async () => {
  const directory = workDirectory();
  endings.push(directory.remove);
  const simulator = await startQuietSimulator({ clock: systemClock, log: silentLog, directory: directory.path });
  endings.push(simulator.stop);
  const other = join(directory.path, 'other.yaml');
  writeFileSync(other, readFileSync(simulator.configPath, 'utf8').replace('name: eu-west-3', 'name: another-name'));

  const first = await startCollectorProcess(simulator.configPath, directory.path);
  endings.push(first.kill);
  const api = await startApi(join(directory.path, 'plumbline.db'), systemClock);
  endings.push(api.stop);
  const summary = async (): Promise<WireFleet['summary']> => WireFleet.parse(await api.ask('fleet')).summary;
  const names = async (): Promise<readonly string[]> => await (api.follower.reader()?.clusters() ?? []);
  await until('the first to record', async () => (await names()).includes('eu-west-3'), 30_000);
  expect((await summary()).trouble).toBeNull();

  const second = runCollector(other, directory.path);
  endings.push(second.kill);
  await until('the second to stand by', () => second.said().includes('this one stands by'));
  expect(second.said()).toContain(`on ${hostname()}`);
  const trouble = await until('the pages to know', async () => (await summary()).trouble);
  expect(trouble).toMatch(
    /^A second Plumbline \(process \d+ on .+\) was started on this data directory and stands by since /,
  );
  expect(await names()).not.toContain('another-name');

  await first.kill();
  await until('the second to take over', async () => (await names()).includes('another-name'), 30_000);
  await until('the pages to know', async () => (await summary()).trouble === null);
  expect(await second.end()).toBe(0);
}, 90_000);

it('one that stands by ends at once when it is asked to', async () => {
  const directory = workDirectory();
  endings.push(directory.remove);
  const simulator = await startQuietSimulator({ clock: systemClock, log: silentLog, directory: directory.path });
  endings.push(simulator.stop);
  const first = await startCollectorProcess(simulator.configPath, directory.path);
  endings.push(first.kill);
  const second = runCollector(simulator.configPath, directory.path);
  endings.push(second.kill);
  await until('the second to stand by', () => second.said().includes('this one stands by'));
  expect(await second.end()).toBe(0);
}, 60_000);
