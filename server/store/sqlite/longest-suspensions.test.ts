import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hour } from '#lib/domain/time/length.ts';
import { silentLog } from '#server/runtime/log.ts';
import { randomOf } from '#test/contract/random-history.ts';
import { batchOf, noon, objectOf, refOf, withDetails } from '#test/contract/store-records.ts';
import { openSqliteReader } from './reading/reader.ts';
import { openSqliteWriter } from './writing/writer.ts';
import { clusterSource } from '#server/store/port/port.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-longest-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

it('the longest suspensions of a period are found among more than are looked at first, whether they are the longest of all or not', async () => {
  const path = join(directory, 'plumbline.db');
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  const lease = await writer.acquire(clusterSource('a'), 'one', noon, 15_000);
  if (lease === null) throw new Error('no lease');
  await writer.write(lease, batchOf({ objects: withDetails([objectOf(refOf('a', 1))]) }));
  const database = new DatabaseSync(path);
  const insert = database.prepare(
    `INSERT INTO transition (object, cluster, at, noticed_at, bound, from_verdict, to_verdict, uid, reason, message, until)
     VALUES (1, 1, ?, ?, 'exact', 'converged', 'suspended', 'u', 1, 1, ?)`,
  );
  const random = randomOf(5);
  const made: { readonly id: number; readonly from: number; readonly to: number | null }[] = [];
  database.exec('BEGIN');
  for (let index = 0; index < 13_000; index++) {
    const from = noon + index * 10_000;
    // Those of the last part are all short.
    const length = index < 12_000 ? 60_000 + Math.floor(random() * 40) * hour : Math.floor(random() * 50_000) + 10;
    const to = index % 3_000 === 17 ? null : from + length;
    made.push({ id: Number(insert.run(from, from, to).lastInsertRowid), from, to });
  }
  database.exec('COMMIT');
  database.close();

  const reader = await openSqliteReader({ path });
  if ('type' in reader) throw new Error(reader.type);
  const last = noon + 13_000 * 10_000;
  for (const scope of [{ clusters: null }, { clusters: ['a'], name: refOf('a', 1).name }])
    for (const [from, to] of [
      [noon, last],
      [noon + 7 * hour, noon + 8 * hour],
      [last + 41 * hour - 60_000, last + 41 * hour],
      [last + 50 * hour, last + 51 * hour],
    ] as const) {
      const expected = made
        .filter((one) => one.from < to && (one.to ?? Infinity) > from)
        .map((one) => ({ ...one, rank: Math.min(one.to ?? to, to) - Math.max(one.from, from) }))
        .toSorted((a, b) => b.rank - a.rank || b.id - a.id)
        .slice(0, 30);
      const found = await reader.record.suspensions(scope, { from, to }, 30);
      expect(found.map(({ span }) => [span.from, span.to])).toEqual(expected.map((one) => [one.from, one.to]));
    }
  await reader.close();
  await writer.close();
});
