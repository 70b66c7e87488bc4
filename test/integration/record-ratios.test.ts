// What the record's readers promise, small, and only as a ratio of one run: a machine may be slow, and busy with other things.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { dayOf } from '#lib/domain/time/utc-day.ts';
import { day } from '#lib/domain/time/length.ts';
import type { RecordReader } from '#server/store/port/record-port.ts';
import { openSqliteReader } from '#server/store/sqlite/reading/reader.ts';
import { askBenchReport } from '#test/bench/bench-report.ts';
import { rollUpAll } from '#test/bench/measure/measure-record.ts';
import { quantile } from '#test/bench/measure/quantile.ts';
import { bulkCluster, bulkRef, recordedDays, recordEnds, writeBulkRecord } from '#test/bench/record/record-store.ts';

const clusters = 20;
const spansOfEach = 20;
/** One seek more in a deeper tree; a timeline that looks at what others have is beyond it. */
const factor = 4;

/** Time (ms) to read the timelines of sixty objects in a store with so many objects of so many spans each: the best of five. */
async function timelines(directory: string, objectsOnEach: number): Promise<{ time: number; spans: number }> {
  const path = join(directory, `record-${objectsOnEach}.db`);
  const spans = clusters * objectsOnEach * spansOfEach;
  await writeBulkRecord({ path, clusters, objectsOnEach, spans, say: () => undefined });
  const reader = await openSqliteReader({ path });
  if ('type' in reader) throw new Error(reader.type);
  const times: number[] = [];
  let found = 0;
  for (let turn = 0; turn < 5; turn++) {
    const since = performance.now();
    found = 0;
    for (let index = 0; index < 60; index++) {
      const ref = bulkRef(bulkCluster(index % clusters), index % 3);
      found += (await reader.record.spans(ref, { from: 0, to: recordEnds }, 1_000)).length;
    }
    times.push(performance.now() - since);
  }
  await reader.close();
  return { time: quantile(times, 0), spans: found };
}

/** Of the CPU of a report. The median of nine was 0.25 to 0.29 in ten runs on a busy machine, with the wall clock read twice 0.39 to 0.41. */
const wallClockShare = 1 / 3;

/** The CPU (µs) of this thread: what others do on the machine is not in it. */
function cpuNow(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

/** A record that adds up what its wall clock costs (µs of CPU). */
function timed(record: RecordReader): { readonly record: RecordReader; readonly spent: () => number } {
  let spent = 0;
  const wallClock: RecordReader['wallClock'] = async (...asked) => {
    const since = cpuNow();
    const answer = await record.wallClock(...asked);
    spent += cpuNow() - since;
    return answer;
  };
  return { record: { ...record, wallClock }, spent: () => spent };
}

/** Of the first report of a reader, the share that its wall clock takes. */
async function shareOfWallClock(path: string): Promise<number> {
  const reader = await openSqliteReader({ path });
  if ('type' in reader) throw new Error(reader.type);
  const { record, spent } = timed(reader.record);
  const since = cpuNow();
  await askBenchReport(record, { from: dayOf(recordEnds) - (recordedDays - 1) * day, to: recordEnds });
  const share = spent() / (cpuNow() - since);
  await reader.close();
  return share;
}

const directory = mkdtempSync(join(tmpdir(), 'plumbline-record-ratios-'));

afterAll(() => {
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
});

describe('a report on ninety days', () => {
  it('spends less than a third of its time on the wall clock', async () => {
    const path = join(directory, 'report.db');
    const [onClusters, objectsOnEach, each] = [40, 60, 200];
    await writeBulkRecord({
      path,
      clusters: onClusters,
      objectsOnEach,
      spans: onClusters * objectsOnEach * each,
      say: () => undefined,
    });
    await rollUpAll(path);
    const shares: number[] = [];
    for (let turn = 0; turn < 9; turn++) shares.push(await shareOfWallClock(path));
    expect(quantile(shares, 0)).toBeGreaterThan(0);
    expect(quantile(shares, 0.5)).toBeLessThan(wallClockShare);
  });
});

describe('a timeline in a long record', () => {
  it('is no slower for ten times as many spans of other objects', async () => {
    const small = await timelines(directory, 5);
    const large = await timelines(directory, 50);
    expect(small.spans).toBeGreaterThan(60);
    expect(large.time / large.spans).toBeLessThan((small.time / small.spans) * factor);
  });
});
