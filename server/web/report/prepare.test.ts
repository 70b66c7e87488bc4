import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { day } from '#lib/domain/time/length.ts';
import { silentLog } from '#server/runtime/log.ts';
import type { RecordReader } from '#server/store/port/record-port.ts';
import { openSqliteReader } from '#server/store/sqlite/reading/reader.ts';
import { openSqliteWriter } from '#server/store/sqlite/writing/writer.ts';
import { sampleNow } from '../testing/sample.ts';
import { reportService, type ReportService } from './report-service.ts';

function serviceOf(record: RecordReader | null): ReportService {
  return reportService({
    record: () => record,
    clusters: () => [],
    now: () => sampleNow,
    alarmWithin: 900_000,
    simulated: false,
    version: 'test',
  });
}

async function emptyRecord(): Promise<RecordReader> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-prepare-'));
  const path = join(directory, 'plumbline.db');
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  await writer.close();
  const reader = await openSqliteReader({ path });
  if ('type' in reader) throw new Error(reader.type);
  onTestFinished(async () => {
    await reader.close();
    rmSync(directory, { recursive: true });
  });
  return reader.record;
}

it('asks the record for the reports on the last ninety and thirty days', async () => {
  const record = await emptyRecord();
  const asked = vi.fn<RecordReader['wallClock']>(record.wallClock);
  await serviceOf({ ...record, wallClock: asked }).prepare();
  expect(asked.mock.calls.map(([, { from, to }]) => [to, Math.ceil((to - from) / day)])).toEqual([
    [sampleNow, 90],
    [sampleNow, 30],
  ]);
});

it('asks for the figures of calls too, where alarm sources were read', async () => {
  const record = await emptyRecord();
  const alarmFigures = vi.fn<RecordReader['alarmFigures']>(record.alarmFigures);
  const read = { source: 'prom', at: 0, read: true, clusters: [], reason: null };
  await serviceOf({ ...record, alarmFigures, alarmCoverage: () => Promise.resolve([read]) }).prepare();
  expect(alarmFigures.mock.calls.map(([, { from, to }]) => [to, Math.ceil((to - from) / day)])).toEqual([
    [sampleNow, 90],
    [sampleNow, 30],
  ]);
});

it('is nothing where the store cannot be read', async () => {
  expect(await serviceOf(null).prepare()).toBeUndefined();
  const record = await emptyRecord();
  const failing = { ...record, since: () => Promise.reject(new Error('gone')) };
  expect(await serviceOf(failing).prepare()).toBeUndefined();
});
