import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { silentLog } from '#server/runtime/log.ts';
import { openSqliteReader } from '#server/store/sqlite/reading/reader.ts';
import { openSqliteWriter } from '#server/store/sqlite/writing/writer.ts';
import { noon } from '#test/contract/store-records.ts';
import { alarmLease } from '#test/contract/alarms/alarm-records.ts';
import { crashAlarms } from './store-crash-alarms.ts';
import { crashBatch } from './store-crash-batches.ts';
import { clusterSource } from '#server/store/port/port.ts';

const program = fileURLToPath(new URL('store-crash-writer.ts', import.meta.url));
const kills = 40;

/** When to kill: after so many acknowledged batches, or after so long (ms), which may be while the store is being opened. */
type Moment = { readonly type: 'batches'; readonly count: number } | { readonly type: 'time'; readonly after: number };

/** Lets a child write from batch `from` on, kills it outright, and gives the number of the last batch that was acknowledged. */
function writeUntilKilled(path: string, round: number, from: number, moment: Moment): Promise<number> {
  return new Promise((resolve, reject) => {
    const args = [program, path, String(round), String(from)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    if (moment.type === 'time') setTimeout(() => child.kill('SIGKILL'), moment.after);
    let said = '';
    let complaint = '';
    child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (moment.type === 'batches' && said.split('\n').length > moment.count) child.kill('SIGKILL');
    });
    child.on('close', (code) => {
      if (code !== null) return reject(new Error(`the writer ended by itself: ${complaint}`));
      resolve(Number(said.split('\n').at(-2) ?? from - 1));
    });
  });
}

/** Everything that a store knows: what is now, and the record, with the texts in place of their ids. */
async function knowledge(path: string): Promise<readonly unknown[]> {
  const reader = await openSqliteReader({ path });
  if ('type' in reader) throw new Error(reader.type);
  const { changes } = await reader.follow(null, 100_000);
  const coverage = await reader.coverage('a', { from: 0, to: noon * 2 });
  await reader.close();
  const database = new DatabaseSync(path, { readOnly: true });
  const text = (id: string): string => `(SELECT text FROM text WHERE id = ${id})`;
  const rows = [
    `SELECT object, uid, at, noticed_at, until, from_verdict, to_verdict, ${text('commit_id')}, ${text('traits')} FROM transition ORDER BY object, id`,
    `SELECT object, uid, opened_at, noticed_at, closed_at, ended, worst, ${text('commit_range')} FROM absence ORDER BY object, opened_at`,
    `SELECT object, at, certainty, ${text('said')}, count FROM correction ORDER BY object, at`,
    `SELECT public_id, ${text('cause')}, opened_at, noticed_at, closed_at, ended, returns, open, members, object_time FROM incident ORDER BY id`,
    `SELECT incident, type, at, objects, members, object_time FROM incident_step ORDER BY id`,
    `SELECT incident, object, from_at, joined_at, to_at, ended, ${text('fault')} FROM incident_member ORDER BY id`,
    `SELECT object, at, since, ended, ${text('fault')} FROM fault ORDER BY id`,
    'SELECT hash, incident, count FROM incident_key ORDER BY hash, incident',
    'SELECT commit_hash, offered_at, first_at, last_at, objects FROM arrival',
    'SELECT type, key, body FROM alarm_fact ORDER BY type, key',
    'SELECT key, labels, receivers, from_at, to_at, of_name FROM alarm_call ORDER BY from_at, key',
    'SELECT at, read, clusters, reason FROM alarm_coverage ORDER BY at',
  ].map((sql) => database.prepare(sql).all());
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  database.close();
  const facts = changes.map((change) => JSON.stringify(change)).toSorted();
  return [facts, coverage, ...rows];
}

function countOf(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true });
  const found = database.prepare('SELECT COUNT(*) AS count FROM transition').get();
  database.close();
  return Number(found?.['count']);
}

/** The same history written by one that nobody kills. */
async function unharmed(path: string, batches: number): Promise<readonly unknown[]> {
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  const lease = await writer.acquire(clusterSource('a'), 'one', noon, 15_000);
  if (lease === null) throw new Error('no lease');
  const alarms = await alarmLease(writer, 'prom');
  for (let number = 0; number < batches; number++) {
    expect(await writer.write(lease, crashBatch(number))).toEqual({ type: 'written' });
    expect(await writer.writeAlarms(alarms, crashAlarms(number))).toEqual({ type: 'written' });
  }
  await writer.close();
  return knowledge(path);
}

/** Where each absence and each object that is away broke, beside where the batch that told of it says so. Times tell which batch. */
function expectRanges(path: string): void {
  const database = new DatabaseSync(path, { readOnly: true });
  const range = '(SELECT text FROM text WHERE id = commit_range) AS range';
  const absences = database.prepare(`SELECT opened_at AS at, ${range} FROM absence ORDER BY id`).all();
  const away = database
    .prepare(`SELECT away_at AS at, ${range} FROM object WHERE away_at IS NOT NULL ORDER BY id`)
    .all();
  database.close();
  expect(absences.length, 'absences').toBeGreaterThan(kills);
  for (const row of [...absences, ...away]) {
    const [written] = crashBatch((Number(row['at']) - noon) / 1_000).objects;
    if (!written?.object.range) throw new Error(`nothing broke at ${Number(row['at'])}`);
    const { lastGood, firstBad } = written.object.range;
    expect([row['at'], row['range']]).toEqual([row['at'], JSON.stringify([lastGood, firstBad, '0', '1'])]);
  }
}

it('loses nothing acknowledged and records nothing false when the writer is killed forty times', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-crash-'));
  const path = join(directory, 'plumbline.db');
  let acknowledged = -1;
  for (let round = 0; round < kills; round++) {
    const moment: Moment =
      round % 4 === 3
        ? { type: 'time', after: (round * 37) % 300 }
        : { type: 'batches', count: 3 + ((round * 5) % 23) };
    // What was acknowledged last is written again: its writer may have died before it heard so.
    const last = await writeUntilKilled(path, round, Math.max(0, acknowledged), moment);
    acknowledged = Math.max(acknowledged, last);
    const written = countOf(path);
    expect(written, `after round ${round}`).toBeGreaterThanOrEqual(acknowledged + 1);
    expect(written, `after round ${round}`).toBeLessThanOrEqual(acknowledged + 2);
  }
  expect(acknowledged).toBeGreaterThan(kills * 5);
  const batches = countOf(path);
  expectRanges(path);
  expect(await knowledge(path)).toEqual(await unharmed(join(directory, 'unharmed.db'), batches));
  rmSync(directory, { recursive: true });
});
