// A past moment as it is written down of the mark before it, held against the same one sought object by object.
import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { kindKey, refKey } from '#lib/domain/observation/ref.ts';
import { dayOf } from '#lib/domain/time/utc-day.ts';
import { day as dayLength, hour } from '#lib/domain/time/length.ts';
import { silentLog } from '#server/runtime/log.ts';
import { kinds, randomHistory, randomOf } from '#test/contract/random-history.ts';
import { sortedFleet } from '#test/contract/sorted-fleet.ts';
import { batchOf, noon, objectOf, refOf, transitionOf, withDetails } from '#test/contract/store-records.ts';
import { clusterSource, type StoreReader, type StoreWriter } from '../port/port.ts';
import type { PastFleet, RecordScope } from '../port/record-port.ts';
import { beginningOf, blockOf } from '../codec/rollup-block.ts';
import { snapshotInterval, snapshotTimeOf } from '../codec/snapshot-block.ts';
import { openSqliteReader } from './reading/reader.ts';
import { openSqliteWriter } from './writing/writer.ts';

const forever = 10_000 * dayLength;
const scopes: readonly RecordScope[] = [
  { clusters: null },
  { clusters: ['b'] },
  { clusters: ['a', 'c'], kind: kinds[0] },
  { clusters: null, namespace: 'n-1' },
  { clusters: ['a'], namespace: 'n-0', name: 'x' },
];
/** Begins some days before a block does, so that one ends within the history, and one is not over. */
const begins = beginningOf(blockOf(noon) + 1) - 3 * dayLength - 5_000;

describe.each([1, 2, 3])('what stood at a moment of a random history (seed %d)', (seed) => {
  const { writes, now } = randomHistory(seed, begins, 600);
  let directory: string;
  let writer: StoreWriter;
  let reader: StoreReader;
  let database: DatabaseSync;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'plumbline-snapshot-'));
    const path = join(directory, 'plumbline.db');
    const opened = openSqliteWriter({ path, log: silentLog });
    if ('type' in opened) throw new Error(opened.type);
    writer = opened;
    const read = await openSqliteReader({ path });
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

  async function write(from: number, to: number): Promise<void> {
    for (const one of writes.slice(from, to)) {
      const lease = await writer.acquire(clusterSource(one.cluster), 'one', noon, 1000);
      if (lease === null) throw new Error('no lease');
      if ('batch' in one) await writer.write(lease, one.batch);
      else await writer.forget(lease, one.forgottenAt);
    }
  }

  async function keepUp(messages = forever, until = now): Promise<void> {
    while ((await writer.keep({ spans: forever, messages }, until)).more);
  }

  /** Moments everywhere, and those beside which something changes: marks, and what was noticed. */
  function moments(): readonly number[] {
    const random = randomOf(seed);
    const anywhere = Array.from({ length: 60 }, () => begins + Math.floor(random() * (now + dayLength - begins)));
    const marks = Array.from(
      { length: Math.ceil((now - begins) / snapshotInterval) },
      (_, mark) => snapshotTimeOf(begins) + mark * snapshotInterval,
    );
    const noticed = database.prepare('SELECT noticed_at FROM transition WHERE id % 17 = 0').all();
    const beside = [...marks, ...noticed.map((row) => Number(row['noticed_at']))];
    return [...anywhere, ...beside.flatMap((time) => [time - 1, time, time + 1])];
  }

  async function pastFleets(
    { record }: StoreReader = reader,
    times = moments(),
  ): Promise<ReadonlyMap<string, PastFleet>> {
    const all = new Map<string, PastFleet>();
    for (const at of times)
      for (const scope of scopes) all.set(JSON.stringify({ at, scope }), sortedFleet(await record.stateAt(at, scope)));
    return all;
  }

  /** Answers as told now, and as they would be if nothing were written down. */
  async function bothWays(
    times = moments(),
  ): Promise<readonly [ReadonlyMap<string, PastFleet>, ReadonlyMap<string, PastFleet>]> {
    const recalled = await pastFleets(reader, times);
    database.exec('BEGIN; CREATE TABLE aside AS SELECT * FROM rollup_range; DELETE FROM rollup_range; COMMIT');
    const sought = await pastFleets(reader, times);
    database.exec('BEGIN; INSERT INTO rollup_range SELECT * FROM aside; DROP TABLE aside; COMMIT');
    return [recalled, sought];
  }

  it('is the same when it is sought', async () => {
    await write(0, writes.length);
    await keepUp();
    expect(database.prepare('SELECT COUNT(DISTINCT block) AS blocks FROM snapshot').get()?.['blocks']).toBeGreaterThan(
      1,
    );
    const [recalled, sought] = await bothWays();
    expect(recalled).toEqual(sought);
  });

  it('has the uid that an object had then, also where it was made again since', async () => {
    await write(0, writes.length);
    await keepUp();
    const uidThen = database.prepare(
      `SELECT t.uid FROM transition t JOIN object o ON o.id = t.object JOIN fact_source c ON c.id = o.cluster
         JOIN name k ON k.id = o.kind JOIN name n ON n.id = o.namespace
       WHERE c.name = ? AND k.text = ? AND n.text = ? AND o.name = ? AND t.noticed_at = ? AND t.to_verdict = ?`,
    );
    const uids = new Map<string, Set<string>>();
    for (const { objects } of (await pastFleets()).values())
      for (const { ref, uid, verdict, onset } of objects) {
        const { cluster, group, kind, namespace, name } = ref;
        const found = uidThen.get(cluster, kindKey({ group, kind }), namespace, name, onset.noticedAt, verdict);
        expect(found?.['uid']).toBe(uid);
        uids.set(refKey(ref), (uids.get(refKey(ref)) ?? new Set()).add(uid));
      }
    expect([...uids.values()].some(({ size }) => size > 1)).toBe(true);
  });

  it('is the same at each step of the day on which old spans are deleted up to the beginning of a block', async () => {
    // Something that was there and is gone for good before all else.
    const lease = await writer.acquire(clusterSource('a'), 'one', noon, 1000);
    if (lease === null) throw new Error('no lease');
    const [ref, came, went] = [refOf('a', 99), begins - 7_200_000, begins - hour];
    const added = transitionOf(ref, came, { noticedAt: came, from: null, to: 'converged' });
    const gone = transitionOf(ref, went, { noticedAt: went, from: 'converged', to: null });
    await writer.write(lease, batchOf({ at: came, objects: withDetails([objectOf(ref)]), transitions: [added] }));
    await writer.write(lease, batchOf({ at: went, removed: [{ ref, at: went }], transitions: [gone] }));
    await write(0, writes.length);
    await keepUp();
    const since = beginningOf(blockOf(begins) + 1);
    const today = dayOf(now) + dayLength;
    const times = [since, since + 1, since + snapshotInterval, since + dayLength - 1, since + 2 * dayLength + 5];
    const removed = database.prepare(
      `SELECT COUNT(*) AS count FROM transition WHERE to_verdict = '' AND until IS NULL AND noticed_at < ?`,
    );
    expect(removed.get(since)?.['count']).toBeGreaterThan(0);
    // First what is over is rolled up, which all that follows leaves as it is.
    for (let more = true; more;) {
      more = (await writer.keep({ spans: today - since, messages: forever }, today)).more;
      if (database.prepare('SELECT MIN(from_day) AS day FROM rollup_range').get()?.['day'] !== since) continue;
      expect(database.prepare('SELECT MIN(to_day) AS day FROM rollup_range').get()?.['day']).toBe(today);
      const [recalled, sought] = await bothWays(times);
      expect(recalled).toEqual(sought);
    }
    expect(removed.get(since)?.['count']).toBe(0);
    for (const table of ['rollup', 'rollup_absences', 'snapshot'])
      expect(database.prepare(`SELECT MIN(block) AS block FROM ${table}`).get()).toEqual({ block: blockOf(since) });
  });

  it('is the same where not one day is written down of what is kept', async () => {
    await write(0, writes.length);
    await keepUp();
    const since = beginningOf(blockOf(begins) + 1);
    database.exec(
      `UPDATE rollup_range SET from_day = ${since}, to_day = ${since}; DELETE FROM snapshot WHERE block < ${blockOf(since)}`,
    );
    const [recalled, sought] = await bothWays([since, since + 1, since + dayLength + 7, now]);
    expect(recalled).toEqual(sought);
  });

  it('is the same for one who asked before more was written', async () => {
    const parts = [0.3, 0.6, 0.9, 1].map((share) => Math.floor(writes.length * share));
    for (const [index, part] of parts.entries()) {
      await write(parts[index - 1] ?? 0, part);
      const before = await pastFleets();
      const fresh = await openSqliteReader({ path: join(directory, 'plumbline.db') });
      if ('type' in fresh) throw new Error(fresh.type);
      expect(before).toEqual(await pastFleets(fresh));
      await fresh.close();
    }
  });

  it('is the same when not all days of all clusters are written down, and messages are not kept any more', async () => {
    await write(0, writes.length);
    await keepUp(forever, begins + 4 * dayLength);
    database.exec(
      `UPDATE rollup_range SET to_day = to_day - ${2 * dayLength} WHERE cluster = 2; DELETE FROM rollup_range WHERE cluster = 3`,
    );
    await keepUp(2 * dayLength, begins + 4 * dayLength);
    database.exec(
      `UPDATE rollup_range SET to_day = to_day - ${2 * dayLength} WHERE cluster = 2; DELETE FROM rollup_range WHERE cluster = 3`,
    );
    const emptied = database.prepare('SELECT COUNT(*) AS count FROM transition WHERE message = 0').get();
    expect(emptied?.['count']).toBeGreaterThan(10);
    const [recalled, sought] = await bothWays();
    expect(recalled).toEqual(sought);
  });

  it('is the same when more comes after days were written down, and when the clock is set back behind them', async () => {
    const most = Math.floor(writes.length * 0.8);
    await write(0, most);
    await keepUp();
    await write(most, writes.length);
    const [late, lateSought] = await bothWays();
    expect(late).toEqual(lateSought);
    await keepUp();
    const lease = await writer.acquire(clusterSource('a'), 'one', noon, 1000);
    if (lease === null) throw new Error('no lease');
    await writer.write(lease, batchOf({ at: now - 2 * dayLength, setBackTo: now - 2 * dayLength }));
    const [back, backSought] = await bothWays();
    expect(back).toEqual(backSought);
  });
});
