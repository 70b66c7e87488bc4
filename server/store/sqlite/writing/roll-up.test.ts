import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cutAtDays, dayOf } from '#lib/domain/time/utc-day.ts';
import { day, hour } from '#lib/domain/time/length.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { randomHistory } from '#test/contract/random-history.ts';
import { noon } from '#test/contract/store-records.ts';
import { clusterSource, type StoreReader, type StoreWriter } from '../../port/port.ts';
import { openSqliteReader } from '../reading/reader.ts';
import { openSqliteWriter } from './writer.ts';

const { writes, now } = randomHistory(11, dayOf(noon), 250);
const forever = { spans: 10_000 * day, messages: 10_000 * day };
const scope = { clusters: null };

/** Long after whatever was asked last: one reading answers what is asked at about the same time. */
let asked = 0;
const clock = { ...systemClock, now: () => (asked += 60_000) };

describe('what is rolled up', () => {
  let directory: string;
  let writer: StoreWriter;
  let reader: StoreReader;
  let database: DatabaseSync;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'plumbline-roll-up-'));
    const path = join(directory, 'plumbline.db');
    const opened = openSqliteWriter({ path, log: silentLog });
    if ('type' in opened) throw new Error(opened.type);
    writer = opened;
    for (const write of writes) {
      const lease = await writer.acquire(clusterSource(write.cluster), 'one', noon, 1000);
      if (lease === null) throw new Error('no lease');
      if ('batch' in write) await writer.write(lease, write.batch);
      else await writer.forget(lease, write.forgottenAt);
    }
    await keepUp();
    const read = await openSqliteReader({ path, clock });
    if ('type' in read) throw new Error(read.type);
    reader = read;
    database = new DatabaseSync(path);
  });

  afterEach(async () => {
    database.close();
    await reader.close();
    await writer.close();
    rmSync(directory, { recursive: true });
  });

  async function keepUp(): Promise<number> {
    let steps = 0;
    while ((await writer.keep(forever, now)).more) steps++;
    return steps;
  }

  async function answers(): Promise<object> {
    const period = { from: 0, to: now };
    const { record } = reader;
    const days = cutAtDays({ from: dayOf(noon), to: now });
    return {
      hours: await Promise.all(
        days.map(({ from }) => record.shares(scope, { from: from + hour, to: from + 19 * hour + 7 }, 'kind')),
      ),
      days: await record.shares(scope, period, 'day'),
      clusters: await record.shares(scope, period, 'cluster'),
      figures: await record.absenceFigures(scope, period, 60_000),
      worst: await record.worst(scope, period, 50),
      objects: await Promise.all(
        days.map(({ from, to }) => record.objectCount(scope, { from: from + 2 * hour, to: to + 5_000 })),
      ),
    };
  }

  /** The days (ms) up to which each cluster is rolled up. */
  function reach(): readonly unknown[] {
    return database.prepare('SELECT cluster, to_day FROM rollup_range ORDER BY cluster').all();
  }

  it('reaches to the beginning of today for every cluster, and is done then', async () => {
    expect(reach()).toEqual([1, 2, 3].map((cluster) => ({ cluster, to_day: dayOf(now) })));
    expect(await keepUp()).toBe(0);
  });

  it.each([
    ['a span', 'DELETE FROM transition WHERE id = (SELECT MAX(id) - 60 FROM transition WHERE cluster = 2)'],
    ['an object', 'DELETE FROM transition WHERE object = 5'],
    ['what lasts', 'DELETE FROM transition WHERE until IS NULL AND object % 3 = 0'],
    ['absences', 'DELETE FROM absence WHERE cluster = 1 AND id % 3 = 0'],
    ['coverage', 'DELETE FROM coverage WHERE cluster = 3 AND id % 2 = 0'],
    ['the end of an absence', 'UPDATE absence SET closed_at = NULL, ended = NULL WHERE id % 5 = 0'],
    ['the end of a span', `UPDATE transition SET until = until + 1000 WHERE until IS NOT NULL AND id % 7 = 0`],
  ])('answers as what is stored, also when %s was taken from it or changed', async (_what, change) => {
    database.exec(change);
    const rolled = await answers();
    database.exec('DELETE FROM rollup_range; DELETE FROM rollup; DELETE FROM rollup_absences');
    const plain = await answers();
    await keepUp();
    expect(rolled).toEqual(plain);
    expect(await answers()).toEqual(plain);
  });

  it('takes back only the days from a late word on, of its cluster alone', async () => {
    const lease = await writer.acquire(clusterSource('b'), 'one', noon, 1000);
    if (lease === null) throw new Error('no lease');
    const at = dayOf(now) - 3 * day + 5;
    const late = { cluster: 'b', kind: null, at, observed: false, state: 'unreachable', reason: null };
    const empty = {
      objects: [],
      removed: [],
      transitions: [],
      changes: [],
      corrections: [],
      earlier: [],
      arrivals: [],
    };
    await writer.write(lease, { at, cluster: null, ...empty, confirmations: [], coverage: [late], resume: [] });
    expect(reach()).toEqual([
      { cluster: 1, to_day: dayOf(now) },
      { cluster: 2, to_day: dayOf(at) },
      { cluster: 3, to_day: dayOf(now) },
    ]);
  });
});
