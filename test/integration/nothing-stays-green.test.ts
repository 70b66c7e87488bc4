// Three ways to lose the truth. In each the web's own answers hold nothing converged of what nobody sees any more.
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { WireClusterList } from '#lib/api/cluster.ts';
import { cellCodes, WireFleet } from '#lib/api/fleet.ts';
import { WireObjectList } from '#lib/api/object.ts';
import { until } from '#server/collector/clusters/testing/until.ts';
import { vouchFor } from '#server/collector/model/feeds/cluster-visibility.ts';
import { systemClock, type Clock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { complaints } from './running/complaints.ts';
import { fastClock, skewedClock } from './running/fast-clock.ts';
import { startCollectorProcess } from './running/processes.ts';
import { startApi, type Query } from './running/running-api.ts';
import { configOf, startCollector, startQuietSimulator, workDirectory } from './running/running-fleet.ts';

type Web = Awaited<ReturnType<typeof webOver>>;

let directory: ReturnType<typeof workDirectory>;
let endings: (() => Promise<unknown>)[] = [];

beforeEach(() => {
  directory = workDirectory();
  endings = [];
});

afterEach(async () => {
  for (const end of endings.toReversed()) await end();
  directory.remove();
});

async function webOver(clock: Clock) {
  const api = await startApi(join(directory.path, 'plumbline.db'), clock);
  endings.push(api.stop);
  const ask = async <T>(place: string, schema: z.ZodType<T>, query: Query = {}): Promise<T> =>
    schema.parse(await api.ask(place, query));

  const greenOf = async (cluster?: string): Promise<z.infer<typeof WireObjectList>['objects']> => {
    const query = { verdict: 'converged', limit: '500', ...(cluster === undefined ? {} : { cluster }) };
    return (await ask('objects', WireObjectList, query)).objects;
  };

  return {
    follower: api.follower,
    /** Names of the objects that are shown as converged, of one cluster or all. */
    converged: async (cluster?: string): Promise<readonly string[]> =>
      (await greenOf(cluster)).map((object) => `${object.cluster} ${object.kind} ${object.name}`),
    /** Of how many of these the guarantee holds: it is off for what is exempted. */
    holding: async (cluster: string): Promise<number> =>
      (await greenOf(cluster)).filter(({ guarantee }) => guarantee === 'holds').length,
    /** Number of objects that the fleet's own sentence counts in all and as holding, and number of green cells of the matrix. */
    async fleet(): Promise<{ readonly holds: number; readonly objects: number; readonly green: number }> {
      const { summary, rows } = await ask('fleet', WireFleet);
      const green = rows.reduce((sum, row) => sum + row.cells.split(cellCodes.converged).length - 1, 0);
      return { holds: summary.guarantee.holds, objects: summary.objects, green };
    },
    total: async (): Promise<number> => (await ask('objects', WireObjectList, { limit: '1' })).total,
    /** True if every kind of a cluster has been read. */
    async read(cluster: string): Promise<boolean> {
      const { clusters } = await ask('clusters', WireClusterList);
      const feeds = clusters.find(({ name }) => name === cluster)?.feeds ?? [];
      return feeds.length > 0 && feeds.every(({ state }) => state !== 'syncing');
    },
    stop: api.stop,
  };
}

async function untilGreen(web: Web): Promise<void> {
  await until('something converged', async () => (await web.converged()).length > 20, 40_000);
}

/** Objects converged on a cluster once all of it was read, and two looks find the same. */
async function converged(web: Web, cluster: string): Promise<readonly string[]> {
  let found: readonly string[] = [];
  await until(
    `${cluster} to settle`,
    async () => {
      // Before anything is known of a cluster, nobody can be asked about it: its name is unknown.
      if (!(await web.read(cluster))) return false;
      const before = found;
      found = await web.converged(cluster);
      return found.length > 20 && found.join() === before.join();
    },
    40_000,
  );
  return found;
}

describe('nothing stays green', () => {
  it('when the collector is killed', async () => {
    const clock = skewedClock();
    const simulator = await startQuietSimulator({
      clock: systemClock,
      log: silentLog,
      directory: directory.path,
      clusters: 2,
    });
    endings.push(simulator.stop);
    const collector = await startCollectorProcess(simulator.configPath, directory.path);
    endings.push(collector.kill);
    const web = await webOver(clock);
    for (const cluster of ['eu-west-3', 'us-east-2']) await converged(web, cluster);
    const known = await web.total();
    await collector.kill();
    expect((await web.fleet()).green).toBeGreaterThan(10);
    clock.forward(vouchFor);
    expect(await web.converged()).toEqual([]);
    expect(await web.fleet()).toEqual({ holds: 0, objects: known, green: 0 });
    expect(collector.complaints()).toEqual([]);
  });

  it('of a cluster that hangs, while the others stay as they are', async () => {
    const clock = fastClock(8);
    const log = complaints();
    const simulator = await startQuietSimulator({ clock, log, directory: directory.path, clusters: 2 });
    endings.push(simulator.stop);
    // The collector's own numbers: it must be known within the time that a cluster is vouched for, and no later.
    const config = await configOf(simulator);
    const collector = await startCollector({ clock, log, directory: directory.path, config, tuning: {} });
    endings.push(collector.stop);
    const web = await webOver(clock);
    await converged(web, 'eu-west-3');
    const others = await converged(web, 'us-east-2');
    await simulator.fleet.get('eu-west-3')?.server.gate.setReach('blackholed');
    const hungAt = clock.now();
    await until('the clock to pass the bound', () => clock.now() >= hungAt + vouchFor + 1_000, 20_000);
    expect(await web.converged('eu-west-3')).toEqual([]);
    expect(await web.converged('us-east-2')).toEqual(others);
    expect((await web.fleet()).holds).toBe(await web.holding('us-east-2'));
    expect(log.said).toEqual([]);
  });

  it('when the web follows the store no longer', async () => {
    const clock = fastClock(8);
    const log = complaints();
    const simulator = await startQuietSimulator({ clock, log, directory: directory.path });
    endings.push(simulator.stop);
    const config = await configOf(simulator);
    const collector = await startCollector({ clock, log, directory: directory.path, config, tuning: {} });
    endings.push(collector.stop);
    const web = await webOver(clock);
    await untilGreen(web);
    const fresh = await webOver(clock);
    await web.follower.stop();
    const stoppedAt = clock.now();
    expect((await web.converged()).length).toBeGreaterThan(20);
    await until('the clock to pass the bound', () => clock.now() >= stoppedAt + vouchFor, 20_000);
    expect(await web.converged()).toEqual([]);
    expect(await web.fleet()).toMatchObject({ holds: 0, green: 0 });
    await untilGreen(fresh);
    expect(log.said).toEqual([]);
  });
});
