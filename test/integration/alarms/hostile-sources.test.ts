// One hostile alarm source after the other beside twenty healthy clusters and an alarm source that is well, in a collector with a heap of 1 GB.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stringify } from 'yaml';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AlarmSource } from '#lib/domain/alarm/source.ts';
import { second } from '#lib/domain/time/length.ts';
import { until } from '#server/collector/clusters/testing/until.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { startSimulator, type Simulator } from '#server/simulator/main.ts';
import { sqliteStore } from '#server/web/cache/store-source.ts';
import { createFleetCache } from '#server/web/cache/fleet-cache.ts';
import { startFollower, type Follower } from '#server/web/cache/follower.ts';
import { type BenchChild, startChild, stopAllChildren } from '#test/bench/child.ts';
import { placeProbe, type Probe } from '#test/hostile/servers/probe.ts';
import { nothingSaid, sourceSicknesses } from '#test/hostile/sources/sickness.ts';
import { workDirectory } from '../running/running-fleet.ts';

/** A healthy cluster may be late by so much (ms). */
const late = 5 * second;
/** The source that is well is read every 15 s, a tenth more at most, and its answer is stored after. */
const oldest = 17 * second + 2 * late;
/** So long they are watched after the sick one was read (ms): the one that is well is read once more meanwhile. */
const watched = 20 * second;

const work = workDirectory();
const sources = new Map<string, AlarmSource>();
const wellServer = createServer(({ url = '' }, response) => {
  response.end(nothingSaid(new URL(url, 'http://h').pathname.slice(2)));
});
let simulator: Simulator;
let hostile: BenchChild;
let follower: Follower;
let fleetCache: ReturnType<typeof createFleetCache>;
let probes: readonly Probe[];

const names = Object.keys(sourceSicknesses);

beforeAll(async () => {
  simulator = await startSimulator({
    ...{ clock: systemClock, log: silentLog, directory: work.path, clusters: 20, freezable: false },
    ...{ kindsPerCluster: 6, objectsPerCluster: 60 },
  });
  probes = [...simulator.fleet.values()].map((cluster) => placeProbe(cluster, Date.now()));
  hostile = startChild({
    ...{ program: 'test/hostile/sources/hostile-source.ts', args: [], directory: work.path },
  });
  const { port } = await hostile.receive('ready', 10 * second);
  await new Promise<void>((resolve) => {
    wellServer.listen(0, '127.0.0.1', resolve);
  });
  const bound = wellServer.address();
  const well = `http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}`;
  const alarms = [
    { name: 'well', prometheus: `${well}/p`, alertmanager: `${well}/a` },
    ...names.map((_, at) => {
      const address = `http://127.0.0.1:${String(port)}/${at}`;
      return { name: `sick-${at}`, prometheus: `${address}/p`, alertmanager: `${address}/a` };
    }),
  ];
  const configPath = join(work.path, 'beside.yaml');
  const clusters = simulator.kubeconfigs.map(({ name, path }) => ({ name, kubeconfig: path, context: name }));
  writeFileSync(configPath, stringify({ clusters, alarms }));
  const data = join(work.path, 'data');
  const collector = startChild({
    program: 'server/collector/main.ts',
    environment: { PLUMBLINE_CONFIG: configPath, PLUMBLINE_DATA: data },
    nodeArgs: ['--max-old-space-size=1024'],
    directory: work.path,
  });
  await collector.receive('ready', 30 * second);
  fleetCache = createFleetCache();
  follower = startFollower({
    ...{
      source: sqliteStore(join(data, 'plumbline.db'), silentLog).source,
      fleetCache,
      clock: systemClock,
      log: silentLog,
    },
    alarmCache: {
      apply(changes) {
        for (const change of changes)
          if (change.type === 'alarm-source') sources.set(change.source.name, change.source);
      },
      clear: () => sources.clear(),
      settle: () => false,
    },
  });
  await until('the healthy clusters', () => probes.every(isTrue), 30 * second);
  await until('the source that is well', () => ageOfWell() < oldest, 30 * second);
});

afterAll(async () => {
  await follower.stop();
  await stopAllChildren();
  await simulator.stop();
  wellServer.closeAllConnections();
  wellServer.close();
  work.remove();
});

/** The screen shows a probe as it is. */
function isTrue({ ref, isBroken }: Probe): boolean {
  return fleetCache.object(ref)?.verdict === (isBroken ? 'diverged' : 'converged');
}

/** Time since the oldest reading of the source that is well began (ms). */
function ageOfWell(): number {
  const read = sources.get('well')?.programs.map(({ readAt }) => readAt ?? 0) ?? [0];
  return Date.now() - Math.min(...read);
}

/** Turns the probes of all clusters until `end` (ms); gives by how much the latest was late, and how old the source that is well became. */
async function watch(end: number): Promise<{ readonly latest: number; readonly age: number }> {
  let [latest, age] = [0, 0];
  const turn = async (probe: Probe): Promise<void> => {
    const from = Date.now();
    probe.turn(from);
    await until(`${probe.ref.cluster} to show its change`, () => isTrue(probe), 30 * second);
    latest = Math.max(latest, Date.now() - from);
  };
  while (Date.now() < end) {
    await Promise.all(probes.map(turn));
    age = Math.max(age, ageOfWell());
    await pause(20);
  }
  return { latest, age };
}

it.each(names)('%s', async (name) => {
  hostile.tell({ sick: name });
  await hostile.receive('told', 90 * second);
  const { latest, age } = await watch(Date.now() + watched);
  hostile.tell({ sick: '' });
  expect(latest, 'a healthy cluster is late').toBeLessThan(late);
  expect(age, 'the source that is well is read late').toBeLessThan(oldest);
});
