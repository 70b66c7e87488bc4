import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished, vi } from 'vitest';
import { silentLog } from '#server/runtime/log.ts';
import { openSqliteWriter } from '#server/store/sqlite/writing/writer.ts';
import { sqliteStore } from './store-source.ts';

it('logs why a question to the record failed, once for the same words', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-store-source-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'plumbline.db');
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  await writer.close();
  const error = vi.fn<typeof silentLog.error>();
  const reader = await sqliteStore(path, { ...silentLog, error }).source.open();
  onTestFinished(() => reader.close());
  const spoilt = new DatabaseSync(path);
  spoilt.exec('DROP TABLE absence');
  spoilt.close();
  const period = { from: 0, to: 1_000 };
  const ask = () => reader.record.absences({ clusters: null }, period, { order: 'newest', cursor: null, limit: 10 });
  const asked = await Promise.allSettled([ask(), ask()]);
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(error).toHaveBeenCalledOnce();
  expect(error.mock.calls[0]).toEqual([
    expect.objectContaining({ err: expect.anything() }),
    expect.stringContaining('could not answer'),
  ]);
});
