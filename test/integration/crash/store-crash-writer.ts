// Started by store-crash.test.ts: writes batches for ever, from the given one on, and says each that is acknowledged, until it is killed.
import { hour } from '#lib/domain/time/length.ts';
import { silentLog } from '#server/runtime/log.ts';
import { openSqliteWriter } from '#server/store/sqlite/writing/writer.ts';
import { noon } from '#test/contract/store-records.ts';
import { crashAlarms } from './store-crash-alarms.ts';
import { crashBatch } from './store-crash-batches.ts';
import { alarmSource, clusterSource } from '#server/store/port/port.ts';

const path = process.argv[2] ?? '';
const round = Number(process.argv[3]);
const writer = openSqliteWriter({ path, log: silentLog });
if ('type' in writer) throw new Error(writer.type);
// Each round is a holder of its own, an hour later: it takes over what the killed one still held.
const [lease, alarms] = await Promise.all([
  writer.acquire(clusterSource('a'), `round-${round}`, noon + round * hour, 15_000),
  writer.acquire(alarmSource('prom'), `round-${round}`, noon + round * hour, 15_000),
]);
if (lease === null || alarms === null) throw new Error('no lease');
for (let number = Number(process.argv[4]); ; number++) {
  const results = await Promise.all([
    writer.write(lease, crashBatch(number)),
    writer.writeAlarms(alarms, crashAlarms(number)),
  ]);
  if (results.some(({ type }) => type !== 'written')) throw new Error(JSON.stringify(results));
  process.stdout.write(`${number}\n`);
}
