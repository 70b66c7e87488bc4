// What the list of incidents promises of many clusters and wide views, only as ratios of one run: a machine may be slow, and busy with other things.
import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Within } from '#lib/domain/access/within.ts';
import type { Incident } from '#lib/domain/incident/incident.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { day } from '#lib/domain/time/length.ts';
import { silentLog } from '#server/runtime/log.ts';
import { clusterSource, type StoreReader } from '#server/store/port/port.ts';
import type { RecordScope } from '#server/store/port/record-port.ts';
import { openSqliteReader } from '#server/store/sqlite/reading/reader.ts';
import { openSqliteWriter } from '#server/store/sqlite/writing/writer.ts';
import { writeBulkIncidents } from '#test/bench/record/incident-store.ts';
import { quantile } from '#test/bench/measure/quantile.ts';
import { allPages } from '#test/contract/written-record.ts';
import { batchOf, clusterOf, noon, objectOf, refOf, withDetails } from '#test/contract/store-records.ts';

const clusters = 122;
const onEach = 180;
const incidents = 30_000;
const ends = noon + 60 * day;
/** Of more objects than are remembered of a view. */
const many = Array.from({ length: 118 }, (_, number) => `cluster-${number}`);
const within: Within = [
  { clusters: many, namespaces: null },
  { clusters: null, namespaces: ['nowhere'] },
];
const everything: RecordScope = { clusters: null };
const partly: RecordScope = { clusters: null, within };
/** Measured 1.0 to 1.1 in both; where a row is looked up for each cluster of each incident 3 to 6. */
const factor = 2;

const directory = mkdtempSync(join(tmpdir(), 'plumbline-incident-ratios-'));
let reader: StoreReader;

beforeAll(async () => {
  const path = join(directory, 'plumbline.db');
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  for (let number = 0; number < clusters; number++) {
    const cluster = `cluster-${number}`;
    const lease = await writer.acquire(clusterSource(cluster), 'one', noon, 15_000);
    if (lease === null) throw new Error('no lease');
    const objects = Array.from({ length: onEach }, (_, index) => objectOf(refOf(cluster, index)));
    await writer.write(lease, batchOf({ cluster: clusterOf(cluster), objects: withDetails(objects) }));
  }
  await writer.close();
  const database = new DatabaseSync(path);
  const rows = database.prepare('SELECT id, cluster FROM object ORDER BY id').all();
  const objects = rows.map((row) => ({ object: Number(row['id']), cluster: Number(row['cluster']) }));
  database.exec('BEGIN');
  writeBulkIncidents(database, { incidents, from: noon, to: ends, objects, onEach });
  database.exec('COMMIT');
  database.close();
  const opened = await openSqliteReader({ path });
  if ('type' in opened) throw new Error(opened.type);
  reader = opened;
}, 120_000);
afterAll(async () => {
  await reader.close();
  rmSync(directory, { recursive: true });
});

const moments = [ends, noon + 30 * day] as const;

function asked(scope: RecordScope, at: number) {
  return { scope, period: { from: noon, to: at }, at, order: 'newest' } as const;
}

function listed(scope: RecordScope, at: number): Promise<readonly Incident[]> {
  return allPages((cursor) => reader.record.incidents(asked(scope, at), { cursor, limit: 1_000 }));
}

/** The least CPU (µs) of this thread in which a list is looked for that has no row. */
async function cpuOf(scope: RecordScope, at: number): Promise<number> {
  const none: readonly Verdict[] = ['suspended'];
  const found: number[] = [];
  for (let turn = 0; turn < 5; turn++) {
    const before = process.threadCpuUsage();
    await reader.record.incidents({ ...asked(scope, at), verdicts: none }, { cursor: null, limit: 1 });
    const { user, system } = process.threadCpuUsage(before);
    found.push(user + system);
  }
  return quantile(found, 0);
}

describe.each(moments)('incidents as known at %d', (at) => {
  it.each([
    ['many clusters', { clusters: many }],
    ['a view of most objects', partly],
  ])('of %s are those with a member there, and take no longer than those of the fleet', async (_, scope) => {
    const names: ReadonlySet<string> = new Set(many);
    const all = await listed(everything, at);
    const there = all.filter((incident) => incident.clusters.some((cluster) => names.has(cluster)));
    expect(there.length).toBeGreaterThan(all.length / 2);
    expect(there.length).toBeLessThan(all.length);
    expect((await listed(scope, at)).map(({ id }) => id)).toEqual(there.map(({ id }) => id));
    const figures = await reader.record.causeFigures(scope, { from: noon, to: at }, at);
    expect(figures.opened + figures.openAtStart).toBe(there.length);
    expect((await cpuOf(scope, at)) / (await cpuOf(everything, at))).toBeLessThan(factor);
  });
});
