import { setTimeout as wait } from 'node:timers/promises';
import { alarmsApi, WireAlarms } from '#lib/api/alarm/alarms.ts';
import type { BenchFleet, MonitoredFleet } from '../fleet.ts';
import { httpGet } from '../http-get.ts';
import type { ProcessUsage } from '../process-usage.ts';
import { sickSources } from '../sick-sources.ts';
import { startBenchWeb, type BenchWeb } from '../web.ts';
import type { BenchCollector } from './measure-sync.ts';
import { quantile } from './quantile.ts';

/** One process over a while: CPU seconds a second, and the most that was resident (bytes). */
interface Cost {
  readonly cores: number;
  readonly mostResident: number;
}

/** Both processes over a while. Times in ms. */
export interface AlarmSpell {
  /** The longest between two readings of the source that is well. */
  readonly betweenReadings: number;
  readonly page: { readonly p50: number; readonly p99: number };
  /** A probe of web, which tells how long others wait. */
  readonly probe: { readonly p99: number; readonly most: number };
  readonly collector: Cost;
  readonly web: Cost;
}

/** Alarms of a whole fleet in the running product. Times in ms. */
export interface AlarmsResult {
  readonly away: number;
  readonly silent: number;
  readonly alerts: number;
  /** From the start of a web process until it shows all objects. */
  readonly objectsAfter: number;
  /** From its first page on until the chain of each of them is told, and the CPU (s) that this takes. */
  readonly chainTook: number;
  readonly chainCpu: number;
  readonly well: AlarmSpell;
  readonly sick: AlarmSpell & { readonly reasons: readonly string[] };
}

interface Parts {
  readonly fleet: BenchFleet;
  readonly monitored: MonitoredFleet;
  readonly collector: BenchCollector;
  readonly directory: string;
  readonly seconds: number;
  /** Of the Node of the web process that is looked at. */
  readonly nodeArgs: readonly string[];
  say(line: string): void;
}

/** Looks at the alarms of a fleet that is stored, with all its sources well and then with two of them sick. */
export async function measureAlarms({
  fleet,
  monitored,
  collector,
  directory,
  seconds,
  nodeArgs,
  say,
}: Parts): Promise<AlarmsResult> {
  const begin = { configPath: fleet.configPath, data: collector.data, objects: fleet.objects, directory };
  const away = monitored.away * fleet.clusters.length;
  say('Waiting until the alarm source was read ...');
  const first = await startBenchWeb(begin);
  const unknown = (sickSources.length * fleet.objects) / fleet.clusters.length;
  const told = await whole(first, away, unknown, 120_000);
  await first.stop();
  // Everything is in the store now: what a web process needs for it is its own work alone.
  const web = await startBenchWeb({ ...begin, nodeArgs });
  const [since, shown] = [performance.now(), web.child.usage()];
  const silent = silentOf(await whole(web, away, unknown, 60_000));
  if (silent !== silentOf(told)) throw new Error(`${silent} objects are silent, and were ${silentOf(told)}`);
  const chainTook = performance.now() - since;
  const chainCpu = web.child.usage().cpu - shown.cpu;
  say('Reading all of it each 15 s ...');
  const well = await spell(web, collector, seconds);
  say('Two sources turn sick ...');
  fleet.sicken();
  const sick = await spell(web, collector, seconds);
  const after = await alarmsOf(web);
  if (silentOf(after) !== silent)
    throw new Error(`${silentOf(after)} objects are silent beside sick sources, and were ${silent}`);
  const reasons = sickSources.map((name) => reasonOf(after, name));
  await web.stop();
  return {
    away,
    silent,
    alerts: monitored.alerts,
    objectsAfter: web.correctAfter,
    chainTook,
    chainCpu,
    well,
    sick: { ...sick, reasons },
  };
}

async function alarmsOf({ url }: BenchWeb): Promise<WireAlarms> {
  const answer = await httpGet(`${url}${alarmsApi.path}`);
  if (answer.status !== 200) throw new Error(`${alarmsApi.path} answered HTTP ${answer.status}`);
  return WireAlarms.parse(JSON.parse(answer.text()));
}

function readAtOf(answer: WireAlarms): string | null {
  const times = answer.sources.find(({ name }) => name === 'monitoring')?.programs.map(({ readAt }) => readAt) ?? [];
  return times.includes(null) ? null : times.join(' ');
}

/** The first answer in which all is known but of the clusters for which a sick source speaks, too. */
async function whole(web: BenchWeb, away: number, unknown: number, within: number): Promise<WireAlarms> {
  const deadline = performance.now() + within;
  for (;;) {
    const answer = await alarmsOf(web);
    const { totals } = answer;
    if (totals.away === away && totals.ruled.unknown <= unknown && readAtOf(answer) !== null) return answer;
    if (performance.now() > deadline) throw new Error(`the alarms are not known: ${JSON.stringify(answer.totals)}`);
    await wait(20);
  }
}

function silentOf({ silentTotal }: WireAlarms): number {
  return silentTotal;
}

function reasonOf({ sources }: WireAlarms, source: string): string {
  const reason = sources.find(({ name }) => name === source)?.programs[0]?.reason ?? null;
  if (reason === null) throw new Error(`the source ${source} is sick, and does not say so`);
  return reason;
}

/** Asks for the page once a second and for a probe all the time. */
async function spell(web: BenchWeb, collector: BenchCollector, seconds: number): Promise<AlarmSpell> {
  const before = [collector.child.usage(), web.child.usage()] as const;
  const since = performance.now();
  const until = since + seconds * 1_000;
  const pages: number[] = [];
  const readings: number[] = [];
  let read: string | null = null;
  const probes = probeUntil(web, until);
  while (performance.now() < until) {
    const began = performance.now();
    const readAt = readAtOf(await alarmsOf(web));
    pages.push(performance.now() - began);
    if (readAt !== read) readings.push(performance.now());
    read = readAt;
    await wait(1_000);
  }
  const took = (performance.now() - since) / 1_000;
  const between = readings.map((at, index) => (readings[index + 1] ?? performance.now()) - at);
  const times = await probes;
  return {
    betweenReadings: Math.max(...between),
    page: { p50: quantile(pages, 0.5), p99: quantile(pages, 0.99) },
    probe: { p99: quantile(times, 0.99), most: Math.max(...times) },
    collector: costOf(before[0], collector.child.usage(), took),
    web: costOf(before[1], web.child.usage(), took),
  };
}

async function probeUntil({ url }: BenchWeb, until: number): Promise<readonly number[]> {
  const times: number[] = [];
  while (performance.now() < until) {
    times.push((await httpGet(`${url}/healthz`)).took);
    await wait(10);
  }
  return times;
}

function costOf(before: ProcessUsage, after: ProcessUsage, seconds: number): Cost {
  return { cores: (after.cpu - before.cpu) / seconds, mostResident: after.mostResident };
}
