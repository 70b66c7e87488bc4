// node test/bench/store.ts [clusters] [objects per cluster]: writes a fleet, follows it, follows nothing, confirms all, reports.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '#server/runtime/log.ts';
import { createBatchEncoder } from '#server/store/codec/encoded.ts';
import { clusterSource, type Lease } from '#server/store/port/port.ts';
import { openSqliteReader } from '#server/store/sqlite/reading/reader.ts';
import { openSqliteEncodedWriter } from '#server/store/sqlite/writing/writer.ts';
import { batchOf, clusterOf, noon, objectOf, refOf, transitionOf, withDetails } from '#test/contract/store-records.ts';

const clusters = Number(process.argv[2] ?? 1000);
const perCluster = Number(process.argv[3] ?? 1000);
const total = clusters * perCluster;
const directory = mkdtempSync(join(tmpdir(), 'plumbline-bench-store-'));
const path = join(directory, 'plumbline.db');

function say(what: string, since: number, note = ''): void {
  const seconds = (performance.now() - since) / 1000;
  const memory = Math.round(process.memoryUsage().rss / 1_048_576);
  process.stdout.write(`${what.padEnd(44)} ${seconds.toFixed(2).padStart(7)} s  rss ${memory} MB  ${note}\n`);
}

const writer = openSqliteEncodedWriter({ path, log: silentLog });
if ('type' in writer) throw new Error(writer.type);

const encode = createBatchEncoder();
const leases: Lease<'cluster'>[] = [];
let since = performance.now();
const acquired = await Promise.all(
  Array.from({ length: clusters }, (_, index) =>
    writer.acquire(clusterSource(`cluster-${index}`), 'bench', noon, 15_000),
  ),
);
for (const lease of acquired) if (lease !== null) leases.push(lease);
say(`${leases.length} leases`, since);

let encoding = 0;
let longest = 0;
since = performance.now();
for (const [index, lease] of leases.entries()) {
  const before = performance.now();
  const objects = Array.from({ length: perCluster }, (_, number) => objectOf(refOf(lease.source.name, number)));
  const transitions = process.argv.includes('--no-transitions')
    ? []
    : objects.map((object) => transitionOf(object.ref, noon + index, { from: null, to: 'converged' }));
  const encoded = encode(
    batchOf({ cluster: clusterOf(lease.source.name), objects: withDetails(objects), transitions }),
  );
  encoding += performance.now() - before;
  const started = performance.now();
  const result = await writer.write(
    lease,
    process.argv.includes('--no-details') ? { ...encoded, details: objects.map(() => '\0\0') } : encoded,
  );
  longest = Math.max(longest, performance.now() - started);
  if (result.type !== 'written') throw new Error(JSON.stringify(result));
}
say(
  `${total} objects, details, transitions written`,
  since,
  `of it making them ${(encoding / 1000).toFixed(2)} s, longest commit ${longest.toFixed(0)} ms`,
);

const reader = await openSqliteReader({ path });
if ('type' in reader) throw new Error(reader.type);
since = performance.now();
let cursor: string | null = null;
let followed = 0;
let chunk = 0;
for (let more = true; more;) {
  const started = performance.now();
  const answer = await reader.follow(cursor, 5000);
  chunk = Math.max(chunk, performance.now() - started);
  followed += answer.changes.length;
  ({ cursor, more } = answer);
}
say(
  `${followed} changes followed in chunks of 5,000`,
  since,
  `longest ${chunk.toFixed(0)} ms, cursor ${cursor?.length} characters`,
);

since = performance.now();
for (let step = 0; step < 1000; step++) ({ cursor } = await reader.follow(cursor, 5000));
say('1,000 times nothing new, nothing written', since);

const [first] = leases;
if (first === undefined) throw new Error('no lease');
since = performance.now();
for (let step = 0; step < 500; step++) {
  const object = objectOf(refOf(first.source.name, step), { verdict: 'diverged', message: `failed ${step}` });
  await writer.write(first, encode(batchOf({ objects: withDetails([object]) })));
  ({ cursor } = await reader.follow(cursor, 5000));
}
say('500 times one write and one follow', since);

since = performance.now();
for (const lease of leases) {
  const confirmations = Array.from({ length: perCluster }, (_, number) => ({
    ref: refOf(lease.source.name, number),
    confirmedAt: noon,
    observedAt: noon,
    validUntil: null,
  }));
  await writer.write(lease, encode(batchOf({ confirmations })));
}
say(`${total} confirmations`, since);
since = performance.now();
followed = 0;
for (let more = true; more;) {
  const answer = await reader.follow(cursor, 5000);
  followed += answer.changes.length;
  ({ cursor, more } = answer);
}
say(`${followed} confirmations followed`, since);
since = performance.now();
const state = await writer.load(first.source.name);
say(`one cluster of ${state.objects.length} loaded`, since);
since = performance.now();
const stats = await reader.stats();
say('stats', since, JSON.stringify(stats));
await reader.close();
await writer.close();
process.stdout.write(`file ${(statSync(path).size / 1_048_576).toFixed(0)} MB\n`);
rmSync(directory, { recursive: true });
