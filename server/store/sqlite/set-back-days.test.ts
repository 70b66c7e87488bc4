import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLog } from '#server/runtime/log.ts';
import { batchOf, noon, objectOf, refOf, transitionOf, withDetails } from '#test/contract/store-records.ts';
import { clusterSource, type WriteBatch } from '../port/port.ts';
import { openSqliteReader } from './reading/reader.ts';
import { openSqliteWriter } from './writing/writer.ts';

const [hour, day] = [3_600_000, 86_400_000];
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-set-back-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

it('days that were rolled up by a clock that was ahead are counted anew when what was not seen in them is brought back', async () => {
  const path = join(directory, 'plumbline.db');
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  const lease = await writer.acquire(clusterSource('a'), 'one', noon, 15_000);
  if (lease === null) throw new Error('no lease');
  const write = async (change: Partial<WriteBatch>): Promise<void> =>
    expect(await writer.write(lease, batchOf(change))).toEqual({ type: 'written' });
  const sight = (at: number, observed: boolean) => [
    { cluster: 'a', kind: null, at, observed, state: observed ? 'live' : 'unreachable', reason: null },
  ];
  const began = transitionOf(refOf('a', 1), noon, { noticedAt: noon, from: null, to: 'converged' });
  await write({ objects: withDetails([objectOf(refOf('a', 1))]), transitions: [began], coverage: sight(noon, true) });

  await write({ coverage: sight(noon + 9 * day, false) });
  while ((await writer.keep({ spans: 400 * day, messages: 30 * day }, noon + 10 * day)).more);
  await write({ setBackTo: noon + hour });

  const reader = await openSqliteReader({ path });
  if ('type' in reader) throw new Error(reader.type);
  const [all] = await reader.record.shares({ clusters: null }, { from: noon, to: noon + 8 * day }, 'total');
  await reader.close();
  await writer.close();
  expect(all?.shares).toMatchObject({ converged: hour, unobserved: 8 * day - hour });
});
