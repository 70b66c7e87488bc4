import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Incident } from '#lib/domain/incident/incident.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { day, hour, minute } from '#lib/domain/time/length.ts';
import { silentLog } from '#server/runtime/log.ts';
import { writeBulkIncidents } from '#test/bench/record/incident-store.ts';
import { allPages } from '#test/contract/written-record.ts';
import { batchOf, clusterOf, noon, objectOf, refOf, withDetails } from '#test/contract/store-records.ts';
import { incidentOrders, type IncidentOrder } from '../port/incident-port.ts';
import { clusterSource, type StoreReader } from '../port/port.ts';
import { incidentHours } from './housekeeping/incident-hours.ts';
import { openSqliteReader } from './reading/reader.ts';
import { openSqliteWriter } from './writing/writer.ts';

/** More than are looked at first for the worst. */
const count = 12_000;
const ends = noon + 24 * day;
const everywhere = { clusters: null };

let directory: string;
let path: string;
let reader: StoreReader;
let all: readonly Incident[];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-many-incidents-'));
  path = join(directory, 'plumbline.db');
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  for (const cluster of ['a', 'b']) {
    const lease = await writer.acquire(clusterSource(cluster), 'one', noon, 15_000);
    if (lease === null) throw new Error('no lease');
    const objects = Array.from({ length: 60 }, (_, number) => objectOf(refOf(cluster, number)));
    await writer.write(lease, batchOf({ cluster: clusterOf(cluster), objects: withDetails(objects) }));
  }
  await writer.close();
  const database = new DatabaseSync(path);
  const rows = database.prepare('SELECT id, cluster FROM object ORDER BY id').all();
  const objects = rows.map((row) => ({ object: Number(row['id']), cluster: Number(row['cluster']) }));
  database.exec('BEGIN');
  writeBulkIncidents(database, { incidents: count, from: noon, to: ends, objects, onEach: 60 });
  database.exec('COMMIT');
  database.close();
  const opened = await openSqliteReader({ path });
  if ('type' in opened) throw new Error(opened.type);
  reader = opened;
  const question = { scope: everywhere, period: { from: noon, to: ends }, at: ends, order: 'newest' } as const;
  all = await allPages((cursor) => reader.record.incidents(question, { cursor, limit: 1_000 }));
});
afterAll(async () => {
  await reader.close();
  rmSync(directory, { recursive: true });
});

/** By when it was written. */
function rowOf({ id }: Incident): number {
  return id === 'largest' ? count : Number(id.slice('bulk'.length));
}

function rankOf(order: IncidentOrder, incident: Incident, { from, to }: Period): number {
  const { noticedAt, openedAt, closedAt, most, members } = incident;
  const end = Math.min(closedAt ?? to, to);
  switch (order) {
    case 'newest':
      return noticedAt;
    case 'longest':
      return end - Math.max(openedAt, from);
    case 'largest':
      return most.objects;
    case 'worst':
      return members * (end - Math.max(noticedAt, from));
  }
}

const periods: readonly Period[] = [
  { from: noon, to: ends },
  { from: noon + 3 * day, to: noon + 3 * day + 40 * minute },
  { from: ends - 2 * hour, to: ends },
  { from: noon + 20 * day + 1, to: noon + 22 * day },
  { from: ends + 60 * day, to: ends + 61 * day },
];

it.each(incidentOrders)(
  '%s first: those of a period are found, whether they are first of all or not',
  async (order) => {
    expect(all).toHaveLength(count + 1);
    for (const period of periods) {
      const expected = all
        .filter(({ noticedAt, closedAt }) => noticedAt < period.to && (closedAt ?? Infinity) > period.from)
        .map((one) => ({ row: rowOf(one), rank: rankOf(order, one, period) }))
        .toSorted((a, b) => b.rank - a.rank || b.row - a.row)
        .map(({ row }) => row);
      const question = { scope: everywhere, period, at: ends + 90 * day, order };
      const found: number[] = [];
      let cursor: string | null = null;
      for (let page = 0; page < 3; page++) {
        const { items, next } = await reader.record.incidents(question, { cursor, limit: 12 });
        found.push(...items.map(rowOf));
        cursor = next;
        if (cursor === null) break;
      }
      expect(found).toEqual(expected.slice(0, 36));
      expect(await reader.record.incidentCount(question, 50)).toBe(Math.min(50, expected.length));
    }
  },
);

async function expectCountedAsTheyAre(): Promise<void> {
  for (const { from, to } of periods) {
    const { opened, openAtStart, closed, gone, open, large, members, toConverge } = await reader.record.causeFigures(
      everywhere,
      { from, to },
      ends + 90 * day,
    );
    const within = (time: number | null): boolean => time !== null && time >= from && time < to;
    const known = all.filter(({ noticedAt }) => within(noticedAt));
    const lasted = all.filter(({ noticedAt, closedAt }) => noticedAt < from && (closedAt ?? Infinity) >= from);
    const over = all.filter(({ closedAt }) => within(closedAt));
    expect({ opened, openAtStart, closed, gone, open, large, members, converged: [...toConverge] }).toEqual({
      opened: known.length,
      openAtStart: lasted.length,
      closed: over.length,
      gone: 0,
      open: known.length + lasted.length - over.length,
      large: [...known, ...lasted].filter(({ most }) => most.objects >= 5).length,
      members: known.reduce((sum, one) => sum + one.members, 0),
      converged: over.map(({ openedAt, closedAt }) => (closedAt ?? 0) - openedAt).toSorted((a, b) => a - b),
    });
  }
}

it('counts them all, in a period of any length, before hours are added up and after', async () => {
  await expectCountedAsTheyAre();
  const database = new DatabaseSync(path);
  const work = incidentHours(database);
  const retention = { spans: 100 * day, messages: 100 * day };
  let hours = 0;
  database.exec('BEGIN');
  while (work(retention, ends + 90 * day)) hours++;
  database.exec('COMMIT');
  database.close();
  expect(hours).toBeGreaterThan(24 * 24 - 2);
  await expectCountedAsTheyAre();
});
