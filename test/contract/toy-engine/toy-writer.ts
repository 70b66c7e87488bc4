import type { AlarmBatch } from '#server/store/port/alarm-batch.ts';
import {
  alarmSource,
  clusterSource,
  forgottenAtOnce,
  sourceKey,
  type StepResult,
  type Lease,
  type StoreWriter,
  type WriteBatch,
} from '#server/store/port/port.ts';
import { forgetAlarms, storedAlarms, writeAlarms } from './alarm-table.ts';
import { forgetCluster, stateOf, tableOf, writeBatch, type SourceTable, type Tables } from './tables.ts';

/** The writing side over tables in memory. */
export function openToyWriter(tables: Tables): StoreWriter {
  /** Sources of which a call failed that others wait behind: those fail too. */
  const failed = new Set<string>();

  /** `task` gives true where there is more to do. */
  async function underLease(lease: Lease, task: (table: SourceTable) => boolean | void): Promise<StepResult> {
    const table = tableOf(tables, lease.source);
    const key = sourceKey(lease.source);
    if (failed.has(key)) return { type: 'failed', message: 'a write before it failed' };
    if (!holds(table, lease)) return { type: 'fenced' };
    try {
      return task(table) === true ? { type: 'written', more: true } : { type: 'written' };
    } catch (error) {
      failed.add(key);
      queueMicrotask(() => failed.delete(key));
      return { type: 'failed', message: String(error), permanent: true };
    }
  }

  return {
    async acquire(source, holder, now, ttl) {
      const table = tableOf(tables, source);
      const before = table.lease;
      if (before !== null && before.holder !== holder && before.expiresAt > now) return null;
      const epoch = before?.holder === holder ? before.epoch : (before?.epoch ?? 0) + 1;
      table.lease = { source, holder, epoch, expiresAt: now + ttl };
      return { source, holder, epoch };
    },
    async release(lease) {
      const table = tableOf(tables, lease.source);
      if (holds(table, lease)) table.lease = { ...lease, holder: '', expiresAt: 0 };
    },
    load: async (cluster) => stateOf(tables.sources.get(sourceKey(clusterSource(cluster)))),
    write: (lease, batch) => underLease(lease, (table) => writeBatch(tables, table, storable(batch))),
    forget: (lease, at, most = forgottenAtOnce) => underLease(lease, (table) => forgetCluster(tables, table, at, most)),
    loadAlarms: async (source) => storedAlarms(tables, source, tables.sources.get(sourceKey(alarmSource(source)))),
    writeAlarms: (lease, batch) => underLease(lease, (table) => writeAlarms(tables, table, storable(batch))),
    forgetAlarms: (lease, at) => underLease(lease, (table) => forgetAlarms(tables, table, at)),
    // It keeps everything.
    keep: async () => ({ more: false, pressing: false }),
    close: async () => undefined,
  };
}

function holds({ lease }: SourceTable, { holder, epoch }: Lease): boolean {
  return lease !== null && lease.holder === holder && lease.epoch === epoch;
}

/** The batch, if each of its numbers can be stored; throws where one cannot. */
function storable<T extends WriteBatch | AlarmBatch>(batch: T): T {
  JSON.stringify(batch, (key, value: unknown) => {
    if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`${key} is ${value}`);
    return value;
  });
  return batch;
}
