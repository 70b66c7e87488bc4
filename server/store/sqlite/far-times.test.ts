import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { silentLog } from '#server/runtime/log.ts';
import { batchOf, clusterOf, noon, objectOf, refOf, withDetails } from '#test/contract/store-records.ts';
import { clusterSource, type StoreReader, type StoreWriter, type WriteBatch } from '../port/port.ts';
import { openSqliteReader } from './reading/reader.ts';
import { openSqliteWriter } from './writing/writer.ts';

let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-far-times-'));
  path = join(directory, 'plumbline.db');
});

afterEach(() => rmSync(directory, { recursive: true }));

function open(): StoreWriter {
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  return writer;
}

async function read(): Promise<StoreReader> {
  const reader = await openSqliteReader({ path });
  if ('type' in reader) throw new Error(reader.type);
  return reader;
}

async function write(cluster: string, batch: Partial<WriteBatch>): Promise<void> {
  const writer = open();
  const lease = await writer.acquire(clusterSource(cluster), 'one', noon, 15_000);
  if (lease === null) throw new Error('no lease');
  expect(await writer.write(lease, batchOf({ cluster: clusterOf(cluster), ...batch }))).toEqual({ type: 'written' });
  await writer.close();
}

async function kept(): Promise<readonly CurrentObject[]> {
  const reader = await read();
  const { changes } = await reader.follow(null, 100);
  await reader.close();
  return changes.flatMap((change) => (change.type === 'object' ? [change.object] : []));
}

const honest = objectOf(refOf('b', 1));

it.each([2 ** 53, 9_007_199_254_741_000 + noon, 3.6e26, 1e308, -1e300])(
  'an object that holds until %d takes nothing from the others, and is read with a time that a date can hold',
  async (far) => {
    await write('b', { objects: withDetails([honest]) });
    const sick = objectOf(refOf('a', 1), { validUntil: far, confirmedAt: far });
    const corrections = [
      { ref: sick.ref, correction: { at: noon, certainty: 'probable' as const, said: 'x', count: 1e17 } },
      { ref: sick.ref, correction: { at: noon + 1, certainty: 'probable' as const, said: 'x', count: 0.5 } },
    ];
    await write('a', {
      objects: withDetails([sick]),
      confirmations: [{ ref: sick.ref, confirmedAt: far, observedAt: noon, validUntil: far }],
      corrections,
    });
    const found = await kept();
    expect(found.find(({ ref }) => ref.cluster === 'b')).toEqual(honest);
    const read = found.find(({ ref }) => ref.cluster === 'a');
    const until = read?.validUntil ?? 0;
    expect([Number.isNaN(new Date(until).getTime()), Math.sign(until)]).toEqual([false, Math.sign(far)]);
  },
);

it('a row that holds what no number can hold stops nobody from reading', async () => {
  await write('b', { objects: withDetails([honest]) });
  await write('a', { objects: withDetails([objectOf(refOf('a', 1))]) });
  const database = new DatabaseSync(path);
  database.exec(`UPDATE object SET valid_until = ${2n ** 60n} WHERE rowid = (SELECT MAX(rowid) FROM object)`);
  database.close();
  const found = await kept();
  expect(found).toHaveLength(2);
  expect(found).toContainEqual(honest);
  expect(found.find(({ ref }) => ref.cluster === 'a')?.validUntil).toBe(8.64e15);
});
