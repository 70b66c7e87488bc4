import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import type { StoreReader } from '#server/store/port/port.ts';
import { openSqliteReader } from '#server/store/sqlite/reading/reader.ts';
import { startChild, type BenchChild } from '../child.ts';
import type { BenchFleet } from '../fleet.ts';

/** Progress of a first full sync. Seconds and bytes. */
export interface SyncProgress {
  /** In the store. */
  readonly objects: number;
  /** Since the start of the collector's process. */
  readonly seconds: number;
  /** CPU of all its threads. */
  readonly cpu: number;
  readonly mostResident: number;
  readonly storeBytes: number;
}

/** A first full sync as it was measured: until every object was in the store. */
export interface SyncResult extends SyncProgress {
  /** CPU of the collector's start alone: until it said that it is ready. */
  readonly startCpu: number;
  /** Clusters that are live with every kind followed, once everything is stored. */
  readonly followed: number;
  readonly verdicts: ReadonlyMap<Verdict, number>;
}

/** A collector that runs, and what it stores in. */
export interface BenchCollector {
  readonly child: BenchChild;
  readonly data: string;
  readonly result: SyncResult;
}

/** Starts a collector over an empty store and waits until everything is in it. Bounded: 120 s and 3 ms an object. */
export async function measureSync(
  fleet: BenchFleet,
  directory: string,
  options: {
    /** Of Node itself. */
    readonly nodeArgs?: readonly string[];
    /** Hears every 50 ms how far it is. */
    readonly onProgress?: (progress: SyncProgress) => void;
  } = {},
): Promise<BenchCollector> {
  const { nodeArgs = [], onProgress = () => undefined } = options;
  const data = join(directory, 'data');
  mkdirSync(data, { recursive: true });
  const since = performance.now();
  const deadline = since + 120_000 + 3 * fleet.objects;
  const environment = { PLUMBLINE_CONFIG: fleet.configPath, PLUMBLINE_DATA: data };
  const child = startChild({ program: 'server/collector/main.ts', environment, nodeArgs, directory });
  await child.receive('ready', 60_000);
  const startCpu = child.usage().cpu;
  const reader = await openReader(data);

  async function progress(): Promise<SyncProgress> {
    const { objects, bytes } = await reader.stats();
    const { cpu, mostResident } = child.usage();
    return { objects, seconds: (performance.now() - since) / 1_000, cpu, mostResident, storeBytes: bytes };
  }

  let reached = await progress();
  while (reached.objects < fleet.objects) {
    if (performance.now() > deadline)
      throw new Error(`only ${reached.objects} of ${fleet.objects} objects were stored`);
    onProgress(reached);
    await wait(50);
    reached = await progress();
  }
  const { followed, verdicts } = await followAll(reader);
  await reader.close();
  return { child, data, result: { ...reached, startCpu, followed, verdicts } };
}

/** Opens the store of a collector's data directory. */
export async function openReader(data: string): Promise<StoreReader> {
  const reader = await openSqliteReader({ path: join(data, 'plumbline.db') });
  if ('type' in reader) throw new Error(`the store cannot be read: ${reader.type}`);
  return reader;
}

async function followAll(reader: StoreReader): Promise<Pick<SyncResult, 'followed' | 'verdicts'>> {
  const verdicts = new Map<Verdict, number>();
  const live = new Map<string, boolean>();
  let cursor: string | null = null;
  for (let more = true; more;) {
    const answer = await reader.follow(cursor, 5_000);
    for (const change of answer.changes) {
      if (change.type === 'object') verdicts.set(change.object.verdict, (verdicts.get(change.object.verdict) ?? 0) + 1);
      if (change.type !== 'cluster') continue;
      const { name, state, feeds } = change.cluster;
      live.set(name, state === 'live' && feeds.every((feed) => feed.state !== 'syncing' && feed.state !== 'failed'));
    }
    ({ cursor, more } = answer);
  }
  return { followed: [...live.values()].filter(Boolean).length, verdicts };
}
