import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { verdicts, type Verdict } from '#lib/domain/verdict/verdict.ts';
import { silentLog } from '#server/runtime/log.ts';
import { batchOf, clusterOf, noon, objectOf, refOf, withDetails } from '#test/contract/store-records.ts';
import { clusterSource } from '../port/port.ts';
import { openSqliteReader } from './reading/reader.ts';
import { openSqliteWriter } from './writing/writer.ts';

it('has no statement of its own for each choice of verdicts: there are thousands, and each would be kept', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-statements-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'plumbline.db');
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  const lease = await writer.acquire(clusterSource('a'), 'one', noon, 15_000);
  if (lease === null) throw new Error('no lease');
  const ref = refOf('a', 0);
  await writer.write(lease, batchOf({ cluster: clusterOf('a'), objects: withDetails([objectOf(ref)]) }));
  await writer.close();
  const reader = await openSqliteReader({ path });
  if ('type' in reader) throw new Error(reader.type);
  onTestFinished(() => reader.close());

  const ask = (of: readonly Verdict[]) =>
    reader.record.spansIn(
      { clusters: null, kind: { group: ref.group, kind: ref.kind } },
      { from: 0, to: noon + 1 },
      { verdicts: of, cursor: null, limit: 10 },
    );
  await ask(verdicts);
  const prepared = vi.spyOn(DatabaseSync.prototype, 'prepare');
  onTestFinished(() => prepared.mockRestore());
  for (const verdict of verdicts) await ask([verdict]);
  expect(prepared).not.toHaveBeenCalled();
});
