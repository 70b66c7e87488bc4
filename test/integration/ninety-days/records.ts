import { expect } from 'vitest';
import { day } from '#lib/domain/time/length.ts';
import { silentLog } from '#server/runtime/log.ts';
import type { Inventory } from '#server/simulator/past/inventory.ts';
import type { Script } from '#server/simulator/past/script.ts';
import { tellAlarms } from '#server/simulator/past/tell-alarms.ts';
import { tellPast } from '#server/simulator/past/tell-past.ts';
import { openSqliteWriter } from '#server/store/sqlite/writing/writer.ts';
import { alarmSource, clusterSource, type Lease, type WriteResult } from '#server/store/port/port.ts';

/**
 * Writes a whole past into a new store at `path`, batch by batch as the store's port takes them; `kept` where its keeping is to
 * do all that it has to do by then, which rolls up closed days.
 */
export async function writeRecord(script: Script, inventory: Inventory, path: string, kept: boolean): Promise<void> {
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  const leases = new Map<string, Lease<'cluster'>>();
  const alarms = new Map<string, Lease<'alarm-source'>>();
  for (const cluster of script.clusters) {
    const lease = await writer.acquire(clusterSource(cluster), 'the past', script.to, 60_000);
    if (lease === null) throw new Error(`${cluster} is taken`);
    leases.set(cluster, lease);
  }
  const results: Promise<WriteResult>[] = [];
  for (const { cluster, batch } of tellPast(script, inventory)) {
    const lease = leases.get(cluster);
    if (lease) results.push(writer.write(lease, batch));
  }
  for (const { name } of script.alarms) {
    const lease = await writer.acquire(alarmSource(name), 'the past', script.to, 60_000);
    if (lease === null) throw new Error(`${name} is taken`);
    alarms.set(name, lease);
  }
  for (const { source, batch } of tellAlarms(script)) {
    const lease = alarms.get(source);
    if (lease) results.push(writer.writeAlarms(lease, batch));
  }
  expect((await Promise.all(results)).filter(({ type }) => type !== 'written')).toEqual([]);
  for (const lease of [...leases.values(), ...alarms.values()]) await writer.release(lease);
  const retention = { spans: 400 * day, messages: 30 * day };
  while (kept && (await writer.keep(retention, inventory.at)).more);
  await writer.close();
}
