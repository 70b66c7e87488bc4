import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { factKey } from '#lib/domain/alarm/fact.ts';
import { day, hour } from '#lib/domain/time/length.ts';
import { silentLog } from '#server/runtime/log.ts';
import {
  alarmBatchOf,
  alarmLease,
  alarmSourceOf,
  alertOf,
  callOf,
  coverageOf,
} from '#test/contract/alarms/alarm-records.ts';
import { catchUp, newPicture, step } from '#test/contract/store-bench.ts';
import type { AlarmBatch } from '../../port/alarm-batch.ts';
import type { Lease, Retention, StoreReader, StoreWriter } from '../../port/port.ts';
import { openSqliteReader } from '../reading/reader.ts';
import { openSqliteWriter } from '../writing/writer.ts';

/** The midnight before which everything is old. */
const begin = Date.UTC(2026, 10, 1);
const now = begin + 100 * day + 7 * hour;
const retention: Retention = { spans: 100 * day, messages: 10 * day };
let directory: string;
let writer: StoreWriter;
let reader: StoreReader;
let lease: Lease<'alarm-source'>;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-old-alarms-'));
  const path = join(directory, 'plumbline.db');
  const opened = openSqliteWriter({ path, log: silentLog });
  if ('type' in opened) throw new Error(opened.type);
  writer = opened;
  const read = await openSqliteReader({ path });
  if ('type' in read) throw new Error(read.type);
  reader = read;
  lease = await alarmLease(writer, 'prom');
});

afterEach(async () => {
  await reader.close();
  await writer.close();
  rmSync(directory, { recursive: true });
});

async function write(change: Partial<AlarmBatch>, to = lease): Promise<void> {
  expect(await writer.writeAlarms(to, alarmBatchOf(change))).toEqual({ type: 'written' });
}

async function keep(at = now): Promise<void> {
  for (let steps = 0; (await writer.keep(retention, at)).more; steps++) expect(steps).toBeLessThan(1_000);
}

it('deletes calls that were over before the kept time, and no others', async () => {
  const call = (number: number, from: number, to: number | null) =>
    callOf('prom', number, 0, { from: begin + from, to: to === null ? null : begin + to });
  const kept = [call(1, -9 * day, null), call(2, -day, 1), call(3, 5, 6)];
  await write({ calls: [call(4, -2 * day, -1), ...kept, call(5, -day, 0)] });
  await keep();
  const all = { scope: { clusters: null }, period: { from: 0, to: now }, at: now };
  const { items } = await reader.record.calls(all, { cursor: null, limit: 9 });
  expect(items).toEqual([kept[2], kept[1], kept[0]]);
});

it('keeps of each source the last word on whether it was read before the kept time', async () => {
  const other = await alarmLease(writer, 'other');
  const point = (source: string, at: number, read: boolean) => ({ ...coverageOf(source, 0, read), at: begin + at });
  await write({ coverage: [point('prom', -9, true), point('prom', -5, false), point('prom', 4, true)] });
  await write({ coverage: [point('other', -7, true)] }, other);
  await keep();
  expect(await reader.record.alarmCoverage({ from: 0, to: now })).toEqual([
    point('prom', 0, false),
    point('other', 0, true),
    point('prom', 4, true),
  ]);
});

it('keeps 10,000 tombstones of facts, and who needs an older one reads everything anew', async () => {
  const alerts = Array.from({ length: 12_000 }, (_, number) => alertOf(number));
  await write({ source: alarmSourceOf('prom'), put: [...alerts, alertOf(99_999)] });
  const [whole, half] = [await catchUp(reader, newPicture(), 5_000), newPicture()];
  await step(reader, half, 5_000);
  await write({ removed: alerts.slice(0, 1_000).map(factKey) });
  const late = await catchUp(reader, newPicture(), 5_000);
  await write({ removed: alerts.slice(1_000).map(factKey) });
  await keep();
  const fresh = await catchUp(reader, newPicture());
  expect(fresh.received.map(({ type }) => type)).toEqual(['alarm-source', 'alarm-fact']);
  for (const picture of [whole, half, late]) {
    const { reset } = await reader.follow(picture.cursor, 1);
    await catchUp(reader, picture, 5_000);
    expect([reset, picture.alarms]).toEqual([true, fresh.alarms]);
  }
  // An hour later nothing is to do, and who is near the end is told the rest.
  await write({ put: [alertOf(5)] });
  const near = await catchUp(reader, newPicture());
  await write({ removed: [factKey(alertOf(5)), factKey(alertOf(99_999))] });
  await keep(now + hour);
  expect((await reader.follow(near.cursor, 10)).reset).toBeUndefined();
  await catchUp(reader, near);
  expect(near.received.map(({ type }) => type)).toEqual(['alarm-fact-removed', 'alarm-fact-removed']);
});
