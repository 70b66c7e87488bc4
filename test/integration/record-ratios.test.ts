// What the record's readers promise, small, and only as a ratio of one run: a machine may be slow, and busy with other things.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openSqliteReader } from '#server/store/sqlite/reader.ts';
import { quantile } from '#test/bench/quantile.ts';
import { bulkCluster, bulkRef, recordEnds, writeBulkRecord } from '#test/bench/record-store.ts';

const clusters = 20;
const spansOfEach = 20;
/** One seek more in a deeper tree; a timeline that looks at what others have is beyond it. */
const factor = 4;

/** How long (ms) reading the timelines of sixty objects takes in a store with so many objects of so many spans each: the best of five. */
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

describe('a timeline in a long record', () => {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-record-ratios-'));

  afterAll(() => {
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  });

  it('is no slower for ten times as many spans of other objects', async () => {
    const small = await timelines(directory, 5);
    const large = await timelines(directory, 50);
    expect(small.spans).toBeGreaterThan(60);
    expect(large.time / large.spans).toBeLessThan((small.time / small.spans) * factor);
  });
});
