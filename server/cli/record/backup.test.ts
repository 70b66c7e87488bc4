import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { batchOf, clusterOf, noon, objectOf, refOf, withDetails } from '#test/contract/store-records.ts';
import { silentLog } from '../../runtime/log.ts';
import { clusterSource } from '../../store/port/port.ts';
import { openSqliteReader } from '../../store/sqlite/reading/reader.ts';
import { openSqliteWriter } from '../../store/sqlite/writing/writer.ts';
import { backup } from './backup.ts';

const count = 400;

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'plumbline-backup-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

/** A data directory whose store is open, with its record in the write-ahead log. */
async function recorded(): Promise<string> {
  const data = folder();
  const writer = openSqliteWriter({ path: join(data, 'plumbline.db'), log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  onTestFinished(() => writer.close());
  const lease = await writer.acquire(clusterSource('a'), 'one', noon, 60_000);
  if (lease === null) throw new Error('no lease');
  const objects = withDetails(Array.from({ length: count }, (_, number) => objectOf(refOf('a', number))));
  await writer.write(lease, batchOf({ cluster: clusterOf('a'), objects }));
  return data;
}

/** Number of objects in a store; null where there is none. */
async function objectsIn(path: string): Promise<number | null> {
  const reader = await openSqliteReader({ path });
  if ('type' in reader) return null;
  const { changes } = await reader.follow(null, 10_000);
  await reader.close();
  return changes.filter(({ type }) => type === 'object').length;
}

function run(data: string, output: string) {
  const lines: string[] = [];
  const line = (text: string): number => lines.push(text);
  return { code: backup({ data, output }, {}, { out: line, say: line }), text: lines.join('\n') };
}

it('is whole while the store is being written, where a copy of the one file is not', async () => {
  const data = await recorded();
  const to = join(folder(), 'copy');
  expect(run(data, to)).toMatchObject({ code: 0 });
  expect(await objectsIn(join(to, 'plumbline.db'))).toBe(count);
  expect(statSync(join(to, 'plumbline.db')).mode & 0o777).toBe(0o600);
  expect(existsSync(join(to, 'links.db'))).toBe(false);

  const bare = join(folder(), 'plumbline.db');
  copyFileSync(join(data, 'plumbline.db'), bare);
  expect(await objectsIn(bare)).not.toBe(count);
});

it('a store that was put back goes on', async () => {
  const to = join(folder(), 'copy');
  run(await recorded(), to);
  const writer = openSqliteWriter({ path: join(to, 'plumbline.db'), log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  const lease = await writer.acquire(clusterSource('a'), 'another', noon + 60_001, 60_000);
  if (lease === null) throw new Error('no lease');
  expect(await writer.write(lease, batchOf({}))).toEqual({ type: 'written' });
  await writer.close();
  expect(await objectsIn(join(to, 'plumbline.db'))).toBe(count);
});

it('writes over nothing, and says where there is nothing', async () => {
  const data = await recorded();
  const to = join(folder(), 'copy');
  run(data, to);
  expect(run(data, to)).toMatchObject({ code: 64, text: expect.stringContaining('is there already') });
  expect(run(folder(), join(folder(), 'copy'))).toMatchObject({ code: 69, text: expect.stringContaining('no record') });
});
