import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { alarmsApi, WireAlarms } from '#lib/api/alarm/alarms.ts';
import { objectsApi } from '#lib/api/object-filter.ts';
import { objectApi, WireObjectList, WireObjectPage } from '#lib/api/object.ts';
import { objectPath, refParams } from '#lib/api/paths.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { freePorts, portAt } from '../../harness/ports.ts';
import { type Processes, startProcesses } from '../../harness/processes.ts';
import { ask, runCli, type Serving, startServing } from '../../harness/serving.ts';
import { mustCome } from '../../harness/until.ts';
import { broken, brokenExport, mended, type WrittenFiles } from './faults.ts';
import {
  applyUntil,
  type ChainFleet,
  type FleetPrograms,
  startChainFleet,
  startFleetMetrics,
  type StateMetrics,
} from './fleet.ts';
import { type Monitoring, type MonitoringHosts, type MonitoringPrograms, startMonitoring } from './monitoring.ts';
import { controlFiles, controlSource, desynced, failing, failingSources, paused, platform, teams } from './objects.ts';
import { type Pager, startPager } from './pager.ts';

/** One line of programs that is played: a cluster that is called so, watched by these. */
export interface Side {
  readonly cluster: string;
  readonly programs: MonitoringPrograms;
}

/** Programs of the whole. */
export interface ChainPrograms extends FleetPrograms {
  readonly stateMetrics: string;
}

/** A fleet with everything from kube-state-metrics to whom an Alertmanager calls, and Plumbline over it. */
export interface ChainBed {
  readonly pager: Pager;
  /** By cluster. */
  side(cluster: string): Monitoring;
  /** Everything known of an object; null where it is not there. */
  object(ref: ObjectRef): Promise<WireObjectPage | null>;
  /** The page of an object, as HTML. */
  page(ref: ObjectRef): Promise<string>;
  /** Coverage of alarms. */
  alarms(): Promise<WireAlarms>;
  /** Has all programs load what `plumbline rules` has written, and ends the silences. */
  mend(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts it with every chain broken. All sides watch one API server, as a cluster each. */
export async function startChainBed(programs: ChainPrograms, sides: readonly Side[]): Promise<ChainBed> {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-chain-'));
  const logs = join(folder, 'logs');
  await mkdir(logs);
  const processes = startProcesses(logs);
  if (process.env['PLUMBLINE_REAL_KEEP'] === undefined) processes.removeAtEnd(folder);
  const pager = await startPager();
  let fleet: ChainFleet | null = null;
  const stop = async (): Promise<void> => {
    await processes.stop();
    await fleet?.stop();
    await pager.stop();
  };
  try {
    fleet = await startChainFleet(processes, programs, folder, {
      namespaces: [platform, ...teams],
      files: controlFiles,
    });
    await deploy(fleet);
    const hosts = await hostsOf(sides);
    const config = await writeConfiguration(folder, fleet, hosts);
    const data = join(folder, 'data');
    await mkdir(data);
    const clusters = sides.length;
    const serving = await startServing(processes, {
      name: 'plumbline',
      env: {},
      config: config.running,
      data,
      clusters,
    });
    await mustCome('the objects of every cluster', () => areSeen(serving, sides), 60_000);
    const written = new Map<string, WrittenFiles>();
    for (const { cluster } of sides) {
      const output = join(folder, `written-${cluster}`);
      written.set(
        cluster,
        await write(['--config', config.writing, '--data', data, '--cluster', cluster, '--output', output], output),
      );
    }
    const links = await startLinks(processes, programs, { folder, fleet, pager, sides, hosts, written });
    return { ...questions(serving), ...links, pager, stop };
  } catch (failure) {
    await stop();
    throw failure;
  }
}

async function deploy(fleet: ChainFleet): Promise<void> {
  const [ready, isFalse] = [
    { type: 'Ready', status: 'True' },
    { type: 'Ready', status: 'False' },
  ];
  await applyUntil(fleet, controlSource(fleet.gitUrl('control')), ready);
  await fleet.cluster.admin.apply(paused);
  const sources = failingSources(fleet.gitUrl('gone'));
  await Promise.all([
    ...[...failing, ...sources].map((manifest) => applyUntil(fleet, manifest, isFalse)),
    applyUntil(fleet, desynced, { type: 'Synced', status: 'False' }),
  ]);
}

async function hostsOf(sides: readonly Side[]): Promise<ReadonlyMap<string, MonitoringHosts>> {
  const ports = await freePorts(2 * sides.length);
  const host = (index: number): string => `127.0.0.1:${portAt(ports, index)}`;
  return new Map(
    sides.map(({ cluster }, at) => [cluster, { prometheus: host(2 * at), alertmanager: host(2 * at + 1) }]),
  );
}

/** Configurations: by which it runs, where an alarm is due within seconds, and by which rules are written, with the `for` of 15 min. */
async function writeConfiguration(
  folder: string,
  { cluster: { plumblineKubeconfig: kubeconfig, name: context } }: ChainFleet,
  hosts: ReadonlyMap<string, MonitoringHosts>,
): Promise<{ readonly running: string; readonly writing: string }> {
  const clusters = Array.from(hosts.keys(), (name) => ({ name, kubeconfig, context }));
  const alarms = Array.from(hosts, ([cluster, { prometheus, alertmanager }]) => ({
    name: `monitoring-${cluster}`,
    prometheus: `http://${prometheus}`,
    alertmanager: `http://${alertmanager}`,
    clusters: [cluster],
  }));
  const [running, writing] = [join(folder, 'plumbline.yaml'), join(folder, 'policy.yaml')];
  await writeFile(running, stringify({ clusters, alarms, policy: { alarmWithin: '10s' } }));
  await writeFile(writing, stringify({ clusters, alarms, policy: { alarmWithin: '15m' } }));
  return { running, writing };
}

async function areSeen({ origin }: Serving, sides: readonly Side[]): Promise<true | null> {
  const { objects } = WireObjectList.parse(await (await ask(origin, objectsApi.path, { limit: '500' })).json());
  const away = objects.filter(({ name }) => name === 'bucket' || name === 'gone');
  return away.length === 3 * sides.length || null;
}

/** Has `plumbline rules` write, and reads what it has written. */
async function write(args: readonly string[], folder: string): Promise<WrittenFiles> {
  const { code, stderr } = await runCli(['rules', '--format', 'prometheus', ...args]);
  if (code !== 0) throw new Error(`plumbline rules ends with ${code}: ${stderr}`);
  const file = (name: string): Promise<string> => readFile(join(folder, `${name}.yaml`), 'utf8');
  const [role, stateMetrics] = [await file('kube-state-metrics-role'), await file('kube-state-metrics')];
  return { role, stateMetrics, rules: await file('rules'), alertmanager: await file('alertmanager') };
}

interface Linked {
  readonly folder: string;
  readonly fleet: ChainFleet;
  readonly pager: Pager;
  readonly sides: readonly Side[];
  readonly hosts: ReadonlyMap<string, MonitoringHosts>;
  readonly written: ReadonlyMap<string, WrittenFiles>;
}

/** Starts kube-state-metrics, and of each side Prometheus and Alertmanager, with every chain broken. */
async function startLinks(
  processes: Processes,
  { stateMetrics }: ChainPrograms,
  { folder, fleet, pager, sides, hosts, written }: Linked,
): Promise<Pick<ChainBed, 'side' | 'mend'>> {
  const [first] = written.values();
  if (first === undefined) throw new Error('no side is played');
  const given = {
    folder: join(folder, 'state-metrics'),
    role: z.unknown().parse(parse(first.role)),
    config: brokenExport(first),
  };
  const exported: StateMetrics = await startFleetMetrics(processes, stateMetrics, fleet, given);
  const started = new Map<
    string,
    { readonly monitoring: Monitoring; readonly files: WrittenFiles; readonly silence: string }
  >();
  for (const { cluster, programs } of sides) {
    const [at, files] = [hosts.get(cluster), written.get(cluster)];
    if (at === undefined || files === undefined) continue;
    const monitoring = await startMonitoring(processes, {
      programs,
      hosts: at,
      cluster,
      folder: join(folder, `monitoring-${cluster}`),
      scraped: exported.scraped,
      files: broken(files, { url: pager.url(cluster) }),
    });
    // Before anything can fire.
    const silence = await monitoring.silence('exported_namespace', 'silenced');
    await monitoring.watch();
    started.set(cluster, { monitoring, files, silence });
  }
  return {
    side(cluster) {
      const found = started.get(cluster);
      if (found === undefined) throw new Error(`no side ${cluster} runs`);
      return found.monitoring;
    },
    async mend() {
      await exported.restart(first.stateMetrics);
      for (const [cluster, { monitoring, files, silence }] of started) {
        await monitoring.expire(silence);
        pager.forget(cluster);
        await monitoring.load(mended(files, { url: pager.url(cluster) }));
      }
    },
  };
}

function questions({ origin }: Serving): Pick<ChainBed, 'object' | 'page' | 'alarms'> {
  return {
    async object(ref) {
      const answer = await ask(origin, objectApi.path, refParams(ref));
      return answer.status === 404 ? null : WireObjectPage.parse(await answer.json());
    },
    page: async (ref) => (await ask(origin, objectPath(ref))).text(),
    alarms: async () => WireAlarms.parse(await (await ask(origin, alarmsApi.path)).json()),
  };
}
