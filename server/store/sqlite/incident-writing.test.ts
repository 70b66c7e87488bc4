import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { defaultIncidentPolicy } from '#lib/domain/incident/incident.ts';
import { silentLog } from '#server/runtime/log.ts';
import { keptIncidents, momentsOf, storedIncidents, writeAll } from '#test/contract/kept-incidents.ts';
import { randomHistory, type Written } from '#test/contract/random-history.ts';
import { startRecord } from '#test/contract/record-writing/record-writer.ts';
import { batchOf, noon } from '#test/contract/store-records.ts';
import type { CoverageChange, StoreWriter } from '../port/port.ts';
import { foldFault } from '../record/incident/fold.ts';
import { growingIncidents, memoryBook } from '../record/incident/memory-book.ts';
import { openSqliteWriter } from './writing/writer.ts';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-incidents-'));
  path = join(directory, 'plumbline.db');
});
afterEach(() => rmSync(directory, { recursive: true }));

function opened(): StoreWriter {
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  return writer;
}

it.each(Array.from({ length: 60 }, (_, index) => index + 1))(
  'random history %i makes the same incidents live, folded again and on the disk',
  async (seed) => {
    const { writes } = randomHistory(seed, noon, 240);
    const record = startRecord();
    for (const written of writes) {
      if ('batch' in written) record.write(written.cluster, written.batch);
      else record.forget(written.cluster, written.forgottenAt);
    }
    const { incidents } = record.recorded;
    const live = keptIncidents(incidents);
    expect(live.incidents.length).toBeGreaterThan(10);

    const writer = opened();
    await writeAll(writer, writes);
    await writer.close();
    expect(storedIncidents(path)).toEqual(live);

    const again = { ...growingIncidents(), subjects: new Map(incidents.subjects) };
    const book = memoryBook(again);
    for (const note of incidents.faults) foldFault(book, note, defaultIncidentPolicy);
    const folded = keptIncidents(again);
    expect([folded.incidents, folded.members]).toEqual([live.incidents, live.members]);
    expect(momentsOf(folded)).toEqual(momentsOf(live));
  },
);

it('makes one incident of a region that is lost at once, however many objects it holds', async () => {
  const clusters = Array.from({ length: 200 }, (_, index) => `region-${index}`);
  const seen = { kind: null, observed: true, state: 'live', reason: null };
  const writer = opened();
  const at = (change: Partial<CoverageChange>, offset: number): Written[] =>
    clusters.map((cluster, index) => {
      const time = noon + offset + index * 5;
      return { cluster, batch: batchOf({ at: time, coverage: [{ cluster, ...seen, at: time, ...change }] }) };
    });
  await writeAll(writer, at({}, 0));
  const database = new DatabaseSync(path);
  database.exec('UPDATE fact_source SET objects = 1000');
  database.close();
  await writeAll(writer, at({ observed: false, state: 'unreachable' }, 10_000));
  await writeAll(writer, at({}, 60_000));
  await writer.close();
  const { incidents, steps } = storedIncidents(path);
  const [lost] = incidents;
  expect([incidents.length, steps.length]).toEqual([1, 400]);
  expect(lost).toEqual(expect.arrayContaining(['seen', 'unreachable', 200_000, 200]));
});
