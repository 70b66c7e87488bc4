// What figures of calls promise, only as a ratio of one run: a machine may be slow, and busy with other things.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { AlarmCall } from '#lib/domain/alarm/call.ts';
import { day, hour, minute } from '#lib/domain/time/length.ts';
import { silentLog } from '#server/runtime/log.ts';
import { openSqliteReader } from '#server/store/sqlite/reading/reader.ts';
import { openSqliteWriter } from '#server/store/sqlite/writing/writer.ts';
import { rollUpAll } from '#test/bench/measure/measure-record.ts';
import { recordedDays, recordEnds, writeBulkRecord } from '#test/bench/record/record-store.ts';
import { alarmBatchOf, alarmLease, callOf, coverageOf } from '#test/contract/alarms/alarm-records.ts';
import { noon } from '#test/contract/store-records.ts';

const directory = mkdtempSync(join(tmpdir(), 'plumbline-alarm-figure-ratios-'));
const clusters = 20;
const calls = 400;
const begins = recordEnds - recordedDays * day;
/** Measured 1.6 to 2.2: absences past their deadline are counted in an index. Looking at every absence is beyond it. */
const factor = 4;

afterAll(() => {
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
});

/** Writes the calls for as many absences, and a source that could not be read now and then. */
async function writeCalls(path: string): Promise<void> {
  const reader = await openSqliteReader({ path });
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in reader || 'type' in writer) throw new Error('the store cannot be opened');
  const period = { from: begins, to: recordEnds };
  const { items } = await reader.record.absences({ clusters: null }, period, {
    ...{ order: 'newest', cursor: null, limit: calls },
  });
  const called = items.map(({ ref, openedAt, closedAt }, number): AlarmCall => {
    const labels = { kind: ref.kind, exported_namespace: ref.namespace, name: ref.name };
    const times = { from: openedAt + 5 * minute, to: closedAt };
    return { ...callOf('prom', number, 0), labels, cluster: ref.cluster, ...times };
  });
  const coverage = Array.from({ length: 40 }, (_, number) => {
    const at = begins - noon + 2 * hour + Math.floor(number / 2) * 4 * day + (number % 2) * minute;
    return { ...coverageOf('prom', at, number % 2 === 1), clusters: [] };
  });
  await writer.writeAlarms(await alarmLease(writer, 'prom'), alarmBatchOf({ calls: called, coverage }));
  await Promise.all([reader.close(), writer.close()]);
}

/** The CPU (µs) of seven first readings of figures over ninety days with so many objects on each cluster, and their absences. One alone is less than is measured well. */
async function figures(objectsOnEach: number): Promise<{ readonly cpu: number; readonly absences: number }> {
  const path = join(directory, `calls-${objectsOnEach}.db`);
  const spans = clusters * objectsOnEach * 200;
  const { absences } = await writeBulkRecord({ path, clusters, objectsOnEach, spans, say: () => undefined });
  await rollUpAll(path);
  await writeCalls(path);
  const period = { from: begins, to: recordEnds };
  let cpu = 0;
  for (let turn = 0; turn < 7; turn++) {
    const reader = await openSqliteReader({ path });
    if ('type' in reader) throw new Error(reader.type);
    const before = process.threadCpuUsage();
    const answer = await reader.record.alarmFigures({ clusters: null }, period, 15 * minute);
    const { user, system } = process.threadCpuUsage(before);
    cpu += user + system;
    const { overdue } = await reader.record.absenceFigures({ clusters: null }, period, 15 * minute);
    await reader.close();
    expect(answer.called + answer.silent + answer.unknown).toBe(overdue);
    expect(answer.overdue.inTime).toBe(calls);
    expect(Math.min(answer.silent, answer.unknown)).toBeGreaterThan(0);
  }
  return { cpu, absences };
}

describe('figures of 400 calls', () => {
  it(`take less than ${factor} times as much CPU among ten times as many absences`, async () => {
    const [few, many] = [await figures(6), await figures(60)];
    expect(many.absences).toBeGreaterThan(8 * few.absences);
    expect(many.cpu / few.cpu).toBeLessThan(factor);
  });
});
