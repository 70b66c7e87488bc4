import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentLog } from '#server/runtime/log.ts';
import { storedIncidents, writeAll } from '#test/contract/kept-incidents.ts';
import { randomHistory } from '#test/contract/random-history.ts';
import { noon } from '#test/contract/store-records.ts';
import { makeStoreOfVersion } from '#test/contract/store-of-version.ts';
import { firstVersion, migrations, storeVersion } from '../migrations/index.ts';
import { openSqliteReader } from './reading/reader.ts';
import { openSqliteWriter } from './writing/writer.ts';

let folder: string;
let today: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-released-'));
  today = join(folder, 'today.db');
  const writer = opened(today);
  await writeAll(writer, randomHistory(20, noon, 200).writes);
  await keptUp(writer);
});
afterAll(() => rmSync(folder, { recursive: true }));

function opened(path: string) {
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  return writer;
}

/** Has everything done that waits, and closes. */
async function keptUp(writer: ReturnType<typeof opened>): Promise<void> {
  for (let step = 0; step < 10_000; step += 1) if (!(await writer.keep(null, noon)).pressing) break;
  await writer.close();
}

function rowsOf(path: string, table: string, columns: readonly string[]): readonly unknown[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const found = database.prepare(`SELECT ${columns.join(', ')} FROM ${table} ORDER BY ${columns.join(', ')}`).all();
  database.close();
  return found;
}

/** Why a store cannot be read; null where it can. */
async function refusalOf(path: string) {
  const reader = await openSqliteReader({ path });
  if ('type' in reader) return reader;
  await reader.close();
  return null;
}

/** Tables that say how far the writer has come with itself, and not what was. */
const ofTheWriter = new Set(['store', 'lease', 'housekeeping', 'incident_hour_open', 'figure_version']);

it.each(migrations.map(({ version, name }) => [version, name] as const))(
  'a store of version %i (%s) is brought to that of today with every row that it has, and goes on',
  async (version) => {
    const path = join(folder, `of-${version}.db`);
    const tables = makeStoreOfVersion(version, today, path);
    const refused = version === storeVersion ? null : { type: 'older', path, version, known: storeVersion };
    expect(await refusalOf(path)).toEqual(refused);
    await keptUp(opened(path));
    const database = new DatabaseSync(path, { readOnly: true });
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: storeVersion });
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    database.close();
    const compared = tables.filter(({ table }) => !ofTheWriter.has(table));
    const rows = compared.map(({ table, columns }) => rowsOf(today, table, columns));
    expect(rows.filter(({ length }) => length > 0).length).toBeGreaterThan(8);
    for (const [index, { table, columns }] of compared.entries()) {
      const known = rows[index] ?? [];
      // Words of what is worked out afterwards come behind those that were there.
      const kept = rowsOf(path, table, columns).slice(0, table === 'text' ? known.length : Infinity);
      expect([table, kept]).toEqual([table, known]);
    }
    const told = storedIncidents(path);
    expect(told.incidents.length).toBeGreaterThan(3);
    // Those of the first version, which knew none, are worked out of its absences: carry-over.test.ts.
    expect(told).toEqual(version === firstVersion ? told : storedIncidents(today));
    const writer = opened(path);
    await writeAll(writer, randomHistory(21, noon + 86_400_000, 20).writes);
    await writer.close();
    expect(await refusalOf(path)).toBe(null);
  },
);
