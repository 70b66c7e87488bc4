import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { parseInventory, type Inventory } from '../../simulator/past/inventory.ts';
import { tellAlarms } from '../../simulator/past/tell-alarms.ts';
import { tellPast } from '../../simulator/past/tell-past.ts';
import { isMeantToCall } from '../../simulator/monitoring/demo-intention.ts';
import { writeScript } from '../../simulator/past/write-script.ts';
import type { Script } from '../../simulator/past/script.ts';
import type { Log } from '../../runtime/log.ts';
import { alarmSource, clusterSource, type Lease, type StoreWriter } from '../../store/port/port.ts';
import { describeOpenRefusal } from '../../store/port/open-refusal.ts';
import { openSqliteReader } from '../../store/sqlite/reading/reader.ts';
import { takeWriterLock } from '../../store/sqlite/writing/writer-lock.ts';
import { openSqliteWriter } from '../../store/sqlite/writing/writer.ts';

/** So many batches go into one transaction. */
const together = 50;
const leaseTtl = 60_000;

/** Where a past is written to, and when it is not wanted any more. */
export interface PastTarget {
  /** Of the store. */
  readonly path: string;
  readonly log: Log;
  readonly ending: AbortSignal;
}

/** Outcome of a past. `kept`: the store holds a record already, which is not added to. `stopped`: it is not wanted any more. */
export type PastWritten =
  | { readonly type: 'written'; readonly script: Script }
  | { readonly type: 'kept' }
  | { readonly type: 'stopped' }
  | { readonly type: 'failed'; readonly message: string };

async function isNew(path: string): Promise<boolean> {
  const reader = await openSqliteReader({ path });
  if ('type' in reader) return true;
  const clusters = await reader.clusters();
  await reader.close();
  return clusters.length === 0;
}

async function leasesOf(
  writer: StoreWriter,
  { clusters }: Script,
  at: number,
): Promise<ReadonlyMap<string, Lease<'cluster'>>> {
  const leases = new Map<string, Lease<'cluster'>>();
  for (const cluster of clusters) {
    const lease = await writer.acquire(clusterSource(cluster), 'the simulated past', at, leaseTtl);
    if (lease === null) throw new Error(`${cluster} is being written by another process`);
    leases.set(cluster, lease);
  }
  return leases;
}

/** Writes a script batch by batch, as far as it is wanted. */
async function writeAll(
  writer: StoreWriter,
  { script, inventory, ending }: { script: Script; inventory: Inventory; ending: AbortSignal },
): Promise<void> {
  const leases = await leasesOf(writer, script, inventory.at);
  const batches = tellPast(script, inventory);
  for (let done = false; !done && !ending.aborted;) {
    const results: ReturnType<StoreWriter['write']>[] = [];
    while (results.length < together && !done) {
      const next = batches.next();
      const lease = next.done ? undefined : leases.get(next.value.cluster);
      if (next.done) done = true;
      else if (lease) results.push(writer.write(lease, next.value.batch));
    }
    for (const result of await Promise.all(results))
      if (result.type !== 'written') throw new Error('message' in result ? result.message : result.type);
  }
  for (const lease of leases.values()) await writer.release(lease);
  if (!ending.aborted) await writeAlarms(writer, script, inventory.at);
}

/** Writes who was called, batch by batch. */
async function writeAlarms(writer: StoreWriter, script: Script, at: number): Promise<void> {
  for (const [source, batches] of Map.groupBy(tellAlarms(script), (told) => told.source)) {
    const lease = await writer.acquire(alarmSource(source), 'the simulated past', at, leaseTtl);
    if (lease === null) throw new Error(`${source} is being written by another process`);
    for (const { batch } of batches) {
      const result = await writer.writeAlarms(lease, batch);
      if (result.type !== 'written') throw new Error('message' in result ? result.message : result.type);
    }
    await writer.release(lease);
  }
}

/** Writes ninety days of a simulated past into a store that holds no record yet. */
export async function writePast(inventory: Inventory, { path, log, ending }: PastTarget): Promise<PastWritten> {
  const lock = takeWriterLock(path, { host: hostname(), pid: process.pid, since: inventory.at });
  if (lock.type === 'held') return { type: 'failed', message: 'another process writes this data directory' };
  if (lock.type !== 'taken') return { type: 'failed', message: describeOpenRefusal(lock) };
  try {
    return await writeUnderLock(inventory, { path, log, ending });
  } finally {
    lock.release();
  }
}

async function writeUnderLock(inventory: Inventory, { path, log, ending }: PastTarget): Promise<PastWritten> {
  if (!(await isNew(path))) return { type: 'kept' };
  const script = writeScript(inventory, 1, 90, (ref, verdict) => !isMeantToCall(ref, verdict));
  const writer = openSqliteWriter({ path, log });
  if ('type' in writer) return { type: 'failed', message: describeOpenRefusal(writer) };
  try {
    await writeAll(writer, { script, inventory, ending });
    return ending.aborted ? { type: 'stopped' } : { type: 'written', script };
  } finally {
    await writer.close();
  }
}

/** The same of a fleet that a simulator has described in a file. What goes wrong on the way is told, not thrown. */
export async function writePastOf(inventoryPath: string, target: PastTarget): Promise<PastWritten> {
  try {
    return await writePast(parseInventory(await readFile(inventoryPath, 'utf8')), target);
  } catch (error) {
    return { type: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}
