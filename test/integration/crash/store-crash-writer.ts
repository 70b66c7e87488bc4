// Started by store-crash.test.ts: writes batches for ever, from the given one on, and says each that is acknowledged, until it is killed.
import { hour } from '#lib/domain/time/length.ts';
import { silentLog } from '#server/runtime/log.ts';
import { openSqliteWriter } from '#server/store/sqlite/writing/writer.ts';
import { noon } from '#test/contract/store-records.ts';
import { crashBatch } from './store-crash-batches.ts';
import { clusterSource } from '#server/store/port/port.ts';

const path = process.argv[2] ?? '';
const round = Number(process.argv[3]);
const writer = openSqliteWriter({ path, log: silentLog });
if ('type' in writer) throw new Error(writer.type);
// Each round is a holder of its own, an hour later: it takes over what the killed one still held.
const lease = await writer.acquire(clusterSource('a'), `round-${round}`, noon + round * hour, 15_000);
if (lease === null) throw new Error('no lease');
for (let number = Number(process.argv[4]); ; number++) {
  const result = await writer.write(lease, crashBatch(number));
  if (result.type !== 'written') throw new Error(JSON.stringify(result));
  process.stdout.write(`${number}\n`);
}
