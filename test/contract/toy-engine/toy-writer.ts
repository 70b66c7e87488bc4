import type { Lease, StoreWriter, WriteBatch, WriteResult } from '#server/store/port/port.ts';
import { forgetCluster, stateOf, tableOf, writeBatch, type ClusterTable, type Tables } from './tables.ts';

/** The writing side over tables in memory. */
export function openToyWriter(tables: Tables): StoreWriter {
  /** Clusters of which a call failed that others wait behind: those fail too. */
  const failed = new Set<string>();

  async function underLease(lease: Lease, task: (table: ClusterTable) => void): Promise<WriteResult> {
    const table = tableOf(tables, lease.cluster);
    if (failed.has(lease.cluster)) return { type: 'failed', message: 'a write before it failed' };
    if (!holds(table, lease)) return { type: 'fenced' };
    try {
      task(table);
      return { type: 'written' };
    } catch (error) {
      failed.add(lease.cluster);
      queueMicrotask(() => failed.delete(lease.cluster));
      return { type: 'failed', message: String(error), permanent: true };
    }
  }

  return {
    async acquire(cluster, holder, now, ttl) {
      const table = tableOf(tables, cluster);
      const before = table.lease;
      if (before !== null && before.holder !== holder && before.expiresAt > now) return null;
      const epoch = before?.holder === holder ? before.epoch : (before?.epoch ?? 0) + 1;
      table.lease = { cluster, holder, epoch, expiresAt: now + ttl };
      return { cluster, holder, epoch };
    },
    async release(lease) {
      const table = tableOf(tables, lease.cluster);
      if (holds(table, lease)) table.lease = { ...lease, holder: '', expiresAt: 0 };
    },
    load: async (cluster) => stateOf(tables.clusters.get(cluster)),
    write: (lease, batch) => underLease(lease, (table) => writeBatch(tables, table, storable(batch))),
    forget: (lease, at) => underLease(lease, (table) => forgetCluster(tables, table, at)),
    // It keeps everything.
    keep: async () => ({ more: false }),
    close: async () => undefined,
  };
}

function holds({ lease }: ClusterTable, { holder, epoch }: Lease): boolean {
  return lease !== null && lease.holder === holder && lease.epoch === epoch;
}

/** The batch, if each of its numbers can be stored; throws where one cannot. */
function storable(batch: WriteBatch): WriteBatch {
  JSON.stringify(batch, (key, value: unknown) => {
    if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`${key} is ${value}`);
    return value;
  });
  return batch;
}
