import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { callsLooked } from '#lib/domain/alarm/alarm-figures.ts';
import { day, minute } from '#lib/domain/time/length.ts';
import { silentLog } from '#server/runtime/log.ts';
import { alarmBatchOf, alarmLease, callOf, coverageOf } from '#test/contract/alarms/alarm-records.ts';
import { noon, refOf } from '#test/contract/store-records.ts';
import type { StoreWriter } from '../../../port/port.ts';
import { openForReading } from '../../database.ts';
import { purgeSqlite } from '../../purge/purge.ts';
import { openSqliteWriter } from '../../writing/writer.ts';
import { openScopes } from '../record/record-scope.ts';
import { openCallBooks, type CallBooks } from './call-books.ts';

const ref = refOf('eu', 1);
const lately = { from: noon, to: noon + 60 * minute };

let directory: string;
let path: string;
let writer: StoreWriter;
let database: DatabaseSync;
let reading: DatabaseSync;
let books: CallBooks;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-call-books-'));
  path = join(directory, 'plumbline.db');
  const opened = openSqliteWriter({ path, log: silentLog });
  if ('type' in opened) throw new Error(opened.type);
  writer = opened;
  await write([callOf('prom', 1, 0, { to: noon + minute }), callOf('prom', 1, 10 * minute)]);
  database = new DatabaseSync(path);
  const reader = openForReading(path, 1_000);
  if (reader.type !== 'open') throw new Error(reader.type);
  reading = reader.database;
  books = openCallBooks(openScopes(reading));
});

afterEach(async () => {
  reading.close();
  database.close();
  await writer.close();
  rmSync(directory, { recursive: true });
});

async function write(calls: readonly ReturnType<typeof callOf>[], at = 0): Promise<void> {
  const lease = await alarmLease(writer, 'prom');
  await writer.writeAlarms(lease, alarmBatchOf({ calls, coverage: [coverageOf('prom', at, true)] }));
  await writer.release(lease);
}

/** When calls that are kept in a book began and ended, in minutes after noon. */
function timesIn(asked = lately): readonly (readonly [number, number])[] {
  const calls = books(asked).naming(ref);
  return calls.map(({ began, ended }) => [(began - noon) / minute, (ended - noon) / minute]);
}

it('lays calls out once, also for a part of the time and a little later', () => {
  const book = books(lately);
  expect(book.naming(ref)).toHaveLength(2);
  expect(books(lately)).toBe(book);
  expect(books({ from: noon + minute, to: lately.to + minute })).toBe(book);
  const longer = books({ from: noon - 2 * day, to: noon });
  expect(longer).not.toBe(book);
  expect(books(lately)).toBe(longer);
});

it('lays them out anew once a call begins or ends, or a source says another word', async () => {
  expect(timesIn()).toEqual([
    [0, 1],
    [10, Infinity],
  ]);
  await write([callOf('prom', 1, 20 * minute)]);
  expect(timesIn()).toHaveLength(3);
  await write([callOf('prom', 1, 20 * minute, { to: noon + 25 * minute })]);
  expect(timesIn()[2]).toEqual([20, 25]);
  const before = books(lately).unknownOn('eu');
  const lease = await alarmLease(writer, 'prom');
  await writer.writeAlarms(lease, alarmBatchOf({ coverage: [coverageOf('prom', 30 * minute, false)] }));
  await writer.release(lease);
  expect(books(lately).unknownOn('eu')).not.toEqual(before);
});

it('lays them out anew where root causes are known up to another moment', () => {
  const before = books(lately).unknownOn('eu');
  database.exec(`INSERT INTO housekeeping (work, place) VALUES ('incidents-up-to', ${noon + minute})`);
  expect(books(lately).unknownOn('eu')).not.toEqual(before);
});

it('lays them out anew where one that is too old is removed, and its id given to another', async () => {
  expect(timesIn()).toHaveLength(2);
  database.exec('DELETE FROM alarm_call WHERE id = (SELECT MAX(id) FROM alarm_call)');
  await write([callOf('prom', 1, 40 * minute)]);
  expect(timesIn()).toEqual([
    [0, 1],
    [40, Infinity],
  ]);
});

it('lays them out anew after a purge', async () => {
  expect(timesIn()).toHaveLength(2);
  await writer.close();
  const now = noon + 10 * day;
  expect(purgeSqlite(path, { type: 'text', text: 'Kustomization' }, now).type).not.toBe('refused');
  expect(timesIn()).toEqual([]);
});

it('reads no call of a source with more of them than are looked at, in the time alone in which it has', () => {
  database.exec(
    `INSERT INTO alarm_call (fact_source, key, alert, labels, receivers, starts_at, from_at, to_at)
     WITH RECURSIVE n (at) AS (VALUES (1) UNION ALL SELECT at + 1 FROM n WHERE at < ${callsLooked})
     SELECT 1, 'x', 'x', '{}', '[]', at, ${noon - 10 * minute} + at, ${noon - 10 * minute} + at + 1 FROM n`,
  );
  const longer = { from: noon - day, to: lately.to };
  expect([timesIn(longer), [...books(longer).unknownOn('eu')]]).toEqual([[], [longer.from, longer.to]]);
  expect([timesIn().length, [...books(lately).unknownOn('eu')]]).toEqual([2, []]);
  expect(timesIn(longer)).toEqual([]);
});
