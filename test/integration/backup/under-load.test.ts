import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { backup } from '#server/cli/record/backup.ts';
import { restore } from '#server/cli/record/restore.ts';
import { openSqliteReader } from '#server/store/sqlite/reading/reader.ts';
import { noon, refOf } from '../../contract/store-records.ts';

const silent = { out: () => undefined, say: () => undefined };

/** Names of the objects of a store. */
async function namesIn(path: string): Promise<ReadonlySet<string>> {
  const reader = await openSqliteReader({ path });
  if ('type' in reader) throw new Error(reader.type);
  const { changes } = await reader.follow(null, 1_000_000);
  await reader.close();
  return new Set(changes.flatMap((change) => (change.type === 'object' ? [change.object.ref.name] : [])));
}

it('a backup under load has all that was acknowledged before it, without a hole, and so has what is restored of it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-load-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const data = join(folder, 'data');
  const shared = new SharedArrayBuffer(8);
  const state = new Int32Array(shared);
  const acknowledged = (): number => Atomics.load(state, 0);
  const worker = new Worker(new URL('writing-worker.ts', import.meta.url), {
    workerData: { path: join(data, 'plumbline.db'), shared },
  });
  await expect.poll(acknowledged, { timeout: 60_000 }).toBeGreaterThan(200);
  const kept: { readonly from: string; readonly before: number; readonly after: number }[] = [];
  for (const round of [1, 2, 3]) {
    const from = join(folder, `backup-${round}`);
    const before = acknowledged();
    expect(backup({ data, output: from }, {}, silent)).toBe(0);
    kept.push({ from, before, after: acknowledged() });
    // It went on meanwhile: what is copied is held up by nobody, and holds nobody up.
    await expect.poll(acknowledged, { timeout: 60_000 }).toBeGreaterThan(before + 20);
  }
  Atomics.store(state, 1, 1);
  await once(worker, 'exit');
  expect(kept.some(({ before, after }) => after > before)).toBe(true);
  for (const { from, before, after } of kept) {
    const to = `${from}-restored`;
    expect(restore({ from, data: to }, {}, noon, silent)).toBe(0);
    const names = await namesIn(join(to, 'plumbline.db'));
    expect(names.size).toBeGreaterThanOrEqual(before);
    // One may be committed whose acknowledgement has not been counted yet.
    expect(names.size).toBeLessThanOrEqual(after + 1);
    expect(names).toEqual(new Set(Array.from(names, (_, number) => refOf('a', number).name)));
  }
});
