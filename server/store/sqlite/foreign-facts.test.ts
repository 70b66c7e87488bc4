import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLog } from '#server/runtime/log.ts';
import {
  alarmBatchOf,
  alarmLease,
  alarmSourceOf,
  alertOf,
  alertsOf,
  callOf,
} from '#test/contract/alarms/alarm-records.ts';
import { catchUp, newPicture } from '#test/contract/store-bench.ts';
import { noon } from '#test/contract/store-records.ts';
import type { Lease, StoreReader, StoreWriter } from '../port/port.ts';
import { openSqliteReader } from './reading/reader.ts';
import { openSqliteWriter } from './writing/writer.ts';

let directory: string;
let path: string;
let writer: StoreWriter;
let reader: StoreReader;
let lease: Lease<'alarm-source'>;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-foreign-facts-'));
  path = join(directory, 'plumbline.db');
  const opened = openSqliteWriter({ path, log: silentLog });
  if ('type' in opened) throw new Error(opened.type);
  writer = opened;
  const read = await openSqliteReader({ path });
  if ('type' in read) throw new Error(read.type);
  reader = read;
  lease = await alarmLease(writer, 'prom');
  await writer.writeAlarms(
    lease,
    alarmBatchOf({ source: alarmSourceOf('prom'), put: alertsOf(4), calls: [callOf('prom', 1, 0)] }),
  );
});

afterEach(async () => {
  await reader.close();
  await writer.close();
  rmSync(directory, { recursive: true });
});

/** Has another version write. */
function elsewhere(sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

async function told() {
  const prom = (await catchUp(reader, newPicture())).alarms.get('prom');
  return { facts: [...(prom?.facts.keys() ?? [])], cut: prom?.source?.cut };
}

it('leaves out what another version wrote, and says so until the collector has written the source', async () => {
  elsewhere("UPDATE alarm_fact SET format = 7 WHERE key IN ('alert-1', 'alert-2')");
  const cut = ['2 of its facts are of another version of Plumbline and not read.'];
  expect(await told()).toEqual({ facts: ['alert/alert-0', 'alert/alert-3'], cut });
  const early = await catchUp(reader, newPicture());
  expect((await writer.loadAlarms('prom')).facts).toEqual([alertOf(0), alertOf(3)]);
  await writer.writeAlarms(lease, alarmBatchOf({ put: [alertOf(2, 'pending')] }));
  const facts = ['alert/alert-0', 'alert/alert-3', 'alert/alert-2'];
  expect(await told()).toEqual({ facts, cut: [] });
  await catchUp(reader, early);
  expect([...(early.alarms.get('prom')?.facts.keys() ?? [])]).toEqual(facts);
  expect(early.alarms.get('prom')?.source?.cut).toEqual([]);
});

it('leaves out what does not read, and throws at nothing', async () => {
  elsewhere(`
    UPDATE alarm_fact SET body = '{"type":' WHERE key = 'alert-1';
    UPDATE alarm_fact SET body = '{"type":"alert"}' WHERE key = 'alert-2';
    UPDATE alarm_call SET labels = 'x', receivers = '{';
  `);
  expect((await told()).facts).toEqual(['alert/alert-0', 'alert/alert-3']);
  const question = { scope: { clusters: null }, period: { from: noon, to: noon + 9 }, at: noon };
  const { items } = await reader.record.calls(question, { cursor: null, limit: 9 });
  expect(items).toEqual([callOf('prom', 1, 0, { labels: {}, receivers: [] })]);
  expect((await writer.loadAlarms('prom')).facts).toHaveLength(2);
});

it('tells nothing of a source whose record does not read, until it is written', async () => {
  elsewhere("UPDATE alarm_source SET record = '{}'");
  expect(await told()).toMatchObject({ facts: { length: 4 }, cut: undefined });
  expect((await writer.loadAlarms('prom')).source).toBeNull();
  await writer.writeAlarms(lease, alarmBatchOf({ source: alarmSourceOf('prom') }));
  expect(await told()).toMatchObject({ cut: [] });
});
