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

it('the longest absences of a period are found among more than are looked at first, whether they are the longest of all or not', async () => {
  const path = join(directory, 'plumbline.db');
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  const lease = await writer.acquire(clusterSource('a'), 'one', noon, 15_000);
  if (lease === null) throw new Error('no lease');
  await writer.write(lease, batchOf({ objects: withDetails([objectOf(refOf('a', 1))]) }));
  const database = new DatabaseSync(path);
  const insert = database.prepare(
    `INSERT INTO absence (object, cluster, uid, opened_at, bound, noticed_at, closed_at, ended, worst, reason)
     VALUES (1, 1, ?, ?, 'exact', ?, ?, ?, 'diverged', 1)`,
  );
  const random = randomOf(5);
  const made: { readonly id: number; readonly openedAt: number; readonly closedAt: number | null }[] = [];
  database.exec('BEGIN');
  for (let index = 0; index < 13_000; index++) {
    const openedAt = noon + index * 10_000;
    // Those of the last part are all short.
    const length = index < 12_000 ? 60_000 + Math.floor(random() * 40) * hour : Math.floor(random() * 50_000) + 10;
    const closedAt = index % 3_000 === 17 ? null : openedAt + length;
    const ended = closedAt === null ? null : 'converged';
    const { lastInsertRowid } = insert.run(`u-${index}`, openedAt, openedAt + 5, closedAt, ended);
    made.push({ id: Number(lastInsertRowid), openedAt, closedAt });
  }
  database.exec('COMMIT');
  database.close();

  const reader = await openSqliteReader({ path });
  if ('type' in reader) throw new Error(reader.type);
  const last = noon + 13_000 * 10_000;
  for (const [from, to] of [
    [noon, last],
    [noon + 7 * hour, noon + 8 * hour],
    [last + 41 * hour - 60_000, last + 41 * hour],
    [last + 50 * hour, last + 51 * hour],
  ] as const) {
    const expected = made
      .filter(({ openedAt, closedAt }) => openedAt + 5 < to && (closedAt ?? Infinity) > from)
      .map((one) => ({ ...one, rank: Math.min(one.closedAt ?? to, to) - Math.max(one.openedAt, from) }))
      .toSorted((a, b) => b.rank - a.rank || b.id - a.id)
      .slice(0, 30)
      .map(({ openedAt }) => openedAt);
    const found: number[] = [];
    let cursor: string | null = null;
    for (let page = 0; page < 3; page++) {
      const asked = { order: 'longest', cursor, limit: 10 } as const;
      const { items, next } = await reader.record.absences({ clusters: null }, { from, to }, asked);
      found.push(...items.map(({ openedAt }) => openedAt));
      cursor = next;
      if (cursor === null) break;
    }
    expect(found).toEqual(expected);
  }
  await reader.close();
  await writer.close();
});
