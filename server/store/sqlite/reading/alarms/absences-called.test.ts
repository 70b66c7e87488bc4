import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { minute } from '#lib/domain/time/length.ts';
import { silentLog } from '#server/runtime/log.ts';
import { alarmBatchOf, alarmLease, callOf, coverageOf } from '#test/contract/alarms/alarm-records.ts';
import { batchOf, noon, objectOf, refOf, withDetails } from '#test/contract/store-records.ts';
import { clusterSource } from '../../../port/port.ts';
import { openSqliteWriter } from '../../writing/writer.ts';
import { openSqliteReader } from '../reader.ts';

const count = 4_500;
const apart = 30 * minute;

it('looks at some absences for a page, and tells that more follow', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-absences-called-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'plumbline.db');
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  const lease = await writer.acquire(clusterSource('eu'), 'one', noon, 15_000);
  if (lease === null) throw new Error('no lease');
  await writer.write(lease, batchOf({ objects: withDetails([objectOf(refOf('eu', 1))]) }));
  const called = callOf('prom', 1, minute, { to: noon + 10 * minute });
  const words = { calls: [called], coverage: [coverageOf('prom', 0, true)] };
  await writer.writeAlarms(await alarmLease(writer, 'prom'), alarmBatchOf(words));
  await writer.close();
  const database = new DatabaseSync(path);
  database.exec(
    `INSERT INTO absence (object, cluster, uid, opened_at, bound, noticed_at, closed_at, ended, worst, reason)
     WITH RECURSIVE n (at) AS (VALUES (0) UNION ALL SELECT at + 1 FROM n WHERE at < ${count - 1})
     SELECT 1, 1, 'u' || at, ${noon} + at * ${apart}, 'exact', ${noon} + at * ${apart}, ${noon} + at * ${apart} + ${20 * minute}, 'converged', 'diverged', 1
     FROM n`,
  );
  database.close();

  const reader = await openSqliteReader({ path });
  if ('type' in reader) throw new Error(reader.type);
  onTestFinished(() => reader.close());
  const period = { from: noon, to: noon + count * apart };
  const question = { alarmWithin: 15 * minute, order: 'newest', limit: 100 } as const;
  const sizes: number[] = [];
  let cursor: string | null = null;
  do {
    const asked = { ...question, called: ['in-time'], cursor } as const;
    const page = await reader.record.absencesCalled({ clusters: null }, period, asked);
    sizes.push(page.items.length);
    cursor = page.next;
  } while (cursor !== null && sizes.length < 10);
  // Somebody was called for the oldest alone.
  expect(sizes).toEqual([0, 0, 1]);
  const never = { ...question, called: ['never'], cursor: null } as const;
  expect((await reader.record.absencesCalled({ clusters: null }, period, never)).items).toHaveLength(100);
});
