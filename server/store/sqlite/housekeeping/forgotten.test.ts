import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { day } from '#lib/domain/time/length.ts';
import { silentLog } from '#server/runtime/log.ts';
import { batchOf, noon, objectOf, refOf, transitionOf, withDetails } from '#test/contract/store-records.ts';
import { clusterSource } from '../../port/port.ts';
import { foundInFile } from '../purge/found-in-file.ts';
import { openSqliteReader } from '../reading/reader.ts';
import { openSqliteWriter } from '../writing/writer.ts';

const word = 'word-that-nobody-may-find-again';
const retention = { spans: 400 * day, messages: 10 * day };

/** A store with a message of each of many objects, old at `noon + 11 days`. */
async function written() {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-forgotten-'));
  const path = join(directory, 'plumbline.db');
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  onTestFinished(async () => {
    await writer.close();
    rmSync(directory, { recursive: true });
  });
  const lease = await writer.acquire(clusterSource('a'), 'one', noon, 30 * day);
  if (lease === null) throw new Error('no lease');
  const refs = Array.from({ length: 300 }, (_, number) => refOf('a', number));
  const write = async (at: number, message: (number: number) => string): Promise<void> => {
    const transitions = refs.map((ref, number) => transitionOf(ref, at, { message: message(number) }));
    const objects = withDetails(refs.map((ref, number) => objectOf(ref, { message: message(number) })));
    expect(await writer.write(lease, batchOf({ objects, transitions }))).toEqual({ type: 'written' });
  };
  await write(noon, (number) => `${word} ${number} ${'x'.repeat(number * 20)}`);
  await write(noon + 5 * day, (number) => `another message ${number}`);
  return { path, writer };
}

async function keep(writer: Awaited<ReturnType<typeof written>>['writer']): Promise<void> {
  let steps = 0;
  while ((await writer.keep(retention, noon + 11 * day)).more) expect(++steps).toBeLessThan(1_000);
}

function files(path: string): readonly string[] {
  return [path, `${path}-wal`].filter((file) => foundInFile(file, word));
}

it('a message that is older than it is kept stands in no byte of the file and its log', async () => {
  const { path, writer } = await written();
  expect(files(path)).not.toEqual([]);
  await keep(writer);
  expect(files(path)).toEqual([]);
});

it('one who reads meanwhile delays that, and does not prevent it', async () => {
  const { path, writer } = await written();
  const reader = await openSqliteReader({ path });
  if ('type' in reader) throw new Error(reader.type);
  onTestFinished(() => reader.close());
  await reader.follow(null, 10);
  await keep(writer);
  expect(files(path)).toEqual([]);
});
