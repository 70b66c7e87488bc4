// Writes one object after the other into a store, as a collector under load does, and counts those that are acknowledged.
import { workerData } from 'node:worker_threads';
import { silentLog } from '#server/runtime/log.ts';
import { clusterSource } from '#server/store/port/port.ts';
import { openSqliteWriter } from '#server/store/sqlite/writing/writer.ts';
import { batchOf, clusterOf, noon, objectOf, refOf, withDetails } from '#test/contract/store-records.ts';

const { path, shared }: { readonly path: string; readonly shared: SharedArrayBuffer } = workerData;
const [acknowledged, stop] = [0, 1];
const state = new Int32Array(shared);
const writer = openSqliteWriter({ path, log: silentLog });
if ('type' in writer) throw new Error(writer.type);
const lease = await writer.acquire(clusterSource('a'), 'one', noon, 600_000);
if (lease === null) throw new Error('no lease');
await writer.write(lease, batchOf({ cluster: clusterOf('a') }));
while (Atomics.load(state, stop) === 0) {
  const number = Atomics.load(state, acknowledged);
  const outcome = await writer.write(lease, batchOf({ objects: withDetails([objectOf(refOf('a', number))]) }));
  if (outcome.type !== 'written') throw new Error(outcome.type);
  Atomics.store(state, acknowledged, number + 1);
}
await writer.close();
