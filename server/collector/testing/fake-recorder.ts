import { createPacker } from '#server/store/codec/pack/packer.ts';
import type { AlarmBatch, StoredAlarms } from '#server/store/port/alarm-batch.ts';
import type { FactSource, FactSourceType, Lease, StoredClusterState, WriteBatch } from '#server/store/port/port.ts';
import type { Recorder } from '../recorder/recorder.ts';

const nothingStored: StoredClusterState = { cluster: null, objects: [], resume: [] };

/** A recorder without a store: gives every lease, holds nothing of any cluster, and keeps what it is asked. */
export function fakeRecorder() {
  const asked: string[] = [];
  const batches: { readonly cluster: string; readonly batch: WriteBatch }[] = [];
  const alarmBatches: { readonly source: string; readonly batch: AlarmBatch }[] = [];
  const forgotten: (readonly [cluster: string, at: number])[] = [];
  let giving: (cluster: string) => boolean | Promise<boolean> = () => true;
  let forgetting: Promise<void> | undefined;
  let stored: StoredClusterState | null = nothingStored;
  const storedAlarms: StoredAlarms | null = { source: null, facts: [], openCalls: [] };

  const recorder: Recorder = {
    packer: createPacker(),
    async acquire<T extends FactSourceType>(source: FactSource<T>): Promise<Lease<T> | null> {
      asked.push(source.name);
      return (await giving(source.name)) ? { source, holder: 'test', epoch: 1 } : null;
    },
    load: async () => stored,
    async write(cluster, batch) {
      batches.push({ cluster, batch });
      return { type: 'written' };
    },
    async forget(cluster, at) {
      forgotten.push([cluster, at]);
      await forgetting;
      return { type: 'written' };
    },
    alarms: (source) => ({
      async write(batch) {
        alarmBatches.push({ source, batch });
        return { type: 'written' };
      },
      load: async () => storedAlarms,
      async forget(at) {
        forgotten.push([source, at]);
        return { type: 'written' };
      },
    }),
    pending: () => ({ batches: 0, rows: 0, since: null }),
    room: () => null,
    state: () => ({ type: 'writing' }),
    stop: async () => undefined,
  };
  return {
    recorder,
    /** Clusters of which the lease was asked for, in order. */
    asked,
    batches,
    alarmBatches,
    forgotten,
    /** The row of each cluster as it was written last: its state, why, and its labels. */
    rows: () =>
      Object.fromEntries(
        batches.flatMap(({ cluster, batch: { cluster: row } }) =>
          row === null ? [] : [[cluster, [row.state, row.reason, row.labels]]],
        ),
      ),
    /** Cautions of a cluster, by its row as it was written last. */
    cautions: (name: string) =>
      batches.findLast((each) => each.cluster === name && each.batch.cluster)?.batch.cluster?.cautions ?? [],
    gives: (next: typeof giving) => void (giving = next),
    /** Clusters are forgotten only then. */
    forgetsOnce: (next: Promise<void>) => void (forgetting = next),
    stores: (next: StoredClusterState | null) => void (stored = next),
  };
}
