import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { describeCondition, readCondition } from '#server/store/port/condition.ts';
import { clusterSource, type FactSource, type StoreReader, type StoreWriter } from '#server/store/port/port.ts';
import { openSqliteReader } from '#server/store/sqlite/reading/reader.ts';
import { openSqliteWriter } from '#server/store/sqlite/writing/writer.ts';
import { batchOf, clusterOf, objectOf, refOf, transitionOf, withDetails } from '#test/contract/store-records.ts';
import type { CommitSample } from './commit-loop.ts';
import { until } from '../clusters/testing/until.ts';
import { startRecorder, type Recorder, type RecorderDeps } from './recorder.ts';

/** Resolves when the store refuses. */
function blocked(recorder: Recorder): Promise<boolean> {
  return until('the store to refuse', () => recorder.state().type === 'blocked', 10_000);
}

describe('recorder with its real thread', () => {
  let directory: string;
  let path: string;
  let running: Recorder[];

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'plumbline-recorder-'));
    path = join(directory, 'plumbline.db');
    running = [];
  });

  afterEach(async () => {
    await Promise.all(running.map((recorder) => recorder.stop()));
    rmSync(directory, { recursive: true });
  });

  async function start(change: Partial<RecorderDeps> = {}): Promise<Recorder> {
    const recorder = await startRecorder({ path, holder: 'one', clock: systemClock, log: silentLog, ...change });
    if ('type' in recorder) throw new Error(recorder.type);
    running.push(recorder);
    return recorder;
  }

  async function reading<T>(task: (reader: StoreReader) => Promise<T>): Promise<T> {
    const reader = await openSqliteReader({ path });
    if ('type' in reader) throw new Error(reader.type);
    try {
      return await task(reader);
    } finally {
      await reader.close();
    }
  }

  function directWriter(): StoreWriter {
    const writer = openSqliteWriter({ path, log: silentLog });
    if ('type' in writer) throw new Error(writer.type);
    return writer;
  }

  /** Bytes of a store in which nothing is recorded yet. */
  async function emptyBytes(): Promise<number> {
    await directWriter().close();
    return statSync(path).size;
  }

  function batch(cluster: string, from: number, count: number) {
    return batchOf({
      objects: withDetails(Array.from({ length: count }, (_, index) => objectOf(refOf(cluster, from + index)))),
    });
  }

  it('writes batches of several clusters in few commits, each cluster in order', async () => {
    const samples: CommitSample[] = [];
    const recorder = await start({ onCommit: (sample) => samples.push(sample) });
    await Promise.all(['a', 'b', 'c'].map((cluster) => recorder.acquire(clusterSource(cluster))));
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, round) =>
        recorder.write('abc'.charAt(round % 3), batch('abc'.charAt(round % 3), round, 1)),
      ),
    );
    expect(new Set(outcomes.map((outcome) => outcome.type))).toEqual(new Set(['written']));
    expect(samples.length).toBeLessThan(4);
    expect(samples.reduce((sum, sample) => sum + sample.batches, 0)).toBe(30);
    expect(samples.every((sample) => sample.duration > 0 && sample.rows > 0)).toBe(true);
    const { changes } = await reading((reader) => reader.follow(null, 100));
    const ofA = changes.flatMap((change) =>
      change.type === 'object' && change.object.ref.cluster === 'a' ? [change.object.ref.name] : [],
    );
    expect(ofA).toEqual([0, 3, 6, 9, 12, 15, 18, 21, 24, 27].map((number) => `app-${number}`));
    expect(recorder.pending()).toEqual({ batches: 0, rows: 0, since: null });
  });

  it('loads what it has written, queued writes included', async () => {
    const recorder = await start();
    await recorder.acquire(clusterSource('a'));
    const written = {
      ...batch('a', 0, 3),
      cluster: clusterOf('a'),
      resume: [{ group: 'g', kind: 'K', version: 'v1', resourceVersion: '7' }],
    };
    void recorder.write('a', written);
    expect(await recorder.load('a')).toEqual({
      cluster: written.cluster,
      objects: written.objects,
      resume: written.resume,
    });
  });

  it('flushes everything on stop, frees the leases, and takes nothing more', async () => {
    const recorder = await start();
    await recorder.acquire(clusterSource('a'));
    const outcomes = Array.from({ length: 20 }, (_, round) => recorder.write('a', batch('a', round * 400, 400)));
    await recorder.stop();
    expect(new Set((await Promise.all(outcomes)).map((outcome) => outcome.type))).toEqual(new Set(['written']));
    expect(await recorder.write('a', batch('a', 0, 1))).toMatchObject({ type: 'lost', why: 'stopped' });
    expect(await recorder.acquire(clusterSource('a'))).toBeNull();
    expect(await reading((reader) => reader.stats())).toMatchObject({ objects: 8000 });
    const next = await start({ holder: 'two' });
    expect(await next.acquire(clusterSource('a'))).toMatchObject({ epoch: 2 });
  });

  it('lets nobody write a cluster that it does not hold', async () => {
    const recorder = await start();
    expect(await recorder.write('a', batch('a', 0, 1))).toMatchObject({ type: 'lost', why: 'fenced' });
  });

  it('tells that a cluster is lost when another holder takes it, and drops what waits of it', async () => {
    const lost: string[] = [];
    const recorder = await start({ leaseTtl: 60_000, onLost: ({ name }) => lost.push(name) });
    await recorder.acquire(clusterSource('a'));
    await recorder.acquire(clusterSource('b'));
    const other = directWriter();
    expect(await other.acquire(clusterSource('a'), 'two', Date.now() + 120_000, 60_000)).toMatchObject({ epoch: 2 });
    const [first, second, beside] = await Promise.all([
      recorder.write('a', batch('a', 0, 2)),
      recorder.write('a', batch('a', 2, 2)),
      recorder.write('b', batch('b', 0, 2)),
    ]);
    expect([first.type, second.type, beside.type]).toEqual(['lost', 'lost', 'written']);
    expect(lost).toEqual(['a']);
    await other.close();
  });

  it('renews its leases, and finds by that that one was taken', async () => {
    const lost: string[] = [];
    const recorder = await start({ leaseTtl: 300, onLost: ({ name }) => lost.push(name) });
    const lease = await recorder.acquire(clusterSource('a'));
    const other = directWriter();
    const expiresAt = (): unknown => {
      const database = new DatabaseSync(path, { readOnly: true });
      const row = database.prepare('SELECT expires_at FROM lease').get();
      database.close();
      return row?.['expires_at'];
    };
    const before = expiresAt();
    await until('the lease to be renewed', () => expiresAt() !== before);
    expect(lease).toMatchObject({ epoch: 1 });
    expect(await recorder.acquire(clusterSource('a'))).toEqual(lease);
    expect(await other.acquire(clusterSource('a'), 'two', Date.now() + 60_000, 60_000)).toMatchObject({ epoch: 2 });
    await until('the loss', () => lost.length > 0);
    expect(lost).toEqual(['a']);
    await other.close();
  });

  it('loses of two sources of one name only the one that was taken', async () => {
    const lost: FactSource[] = [];
    const recorder = await start({ leaseTtl: 300, onLost: (source) => lost.push(source) });
    const repository = { type: 'repository', name: 'a' } as const;
    const other = directWriter();
    expect(await recorder.acquire(clusterSource('a'))).toMatchObject({ source: clusterSource('a'), epoch: 1 });
    expect(await recorder.acquire(repository)).toMatchObject({ source: repository, epoch: 1 });
    expect(await other.acquire(repository, 'two', Date.now() + 60_000, 60_000)).toMatchObject({ epoch: 2 });
    await until('the loss', () => lost.length > 0);
    expect(lost).toEqual([repository]);
    expect(await recorder.write('a', batch('a', 0, 1))).toEqual({ type: 'written' });
    await other.close();
  });

  it('keeps what the store refuses, says so, and writes it in order once the store takes it again', async () => {
    const recorder = await start();
    await recorder.acquire(clusterSource('a'));
    const blocker = new DatabaseSync(path);
    blocker.exec('BEGIN IMMEDIATE');
    const outcomes = [recorder.write('a', batch('a', 0, 2)), recorder.write('a', batch('a', 2, 2))];
    await blocked(recorder);
    expect(recorder.state()).toMatchObject({ refusal: { type: 'failed', message: 'database is locked' } });
    outcomes.push(recorder.write('a', batch('a', 4, 2)));
    expect(recorder.pending()).toMatchObject({ batches: 3, rows: 9 });
    blocker.exec('ROLLBACK');
    blocker.close();
    expect((await Promise.all(outcomes)).map((outcome) => outcome.type)).toEqual(['written', 'written', 'written']);
    expect(recorder.state()).toEqual({ type: 'writing' });
    const { changes } = await reading((reader) => reader.follow(null, 100));
    expect(changes.map((change) => (change.type === 'object' ? change.object.ref.name : ''))).toEqual(
      [0, 1, 2, 3, 4, 5].map((n) => `app-${n}`),
    );
  });

  it('says that the disk is full, holds back whoever writes, and loses nothing when there is room again', async () => {
    const recorder = await start({ maxBytes: (await emptyBytes()) + 250_000, capacity: 150, leaseTtl: 600 });
    await recorder.acquire(clusterSource('a'));
    expect(readCondition(path)).toEqual({ type: 'writing' });
    const outcomes: Promise<{ readonly type: string }>[] = [];
    for (let number = 0; recorder.room('a') === null; number++) {
      outcomes.push(recorder.write('a', batch('a', number * 50, 50)));
      if (recorder.state().type === 'writing') await Promise.race([outcomes.at(-1), blocked(recorder)]);
    }
    expect(recorder.state()).toMatchObject({ type: 'blocked', refusal: { type: 'full' } });
    expect(recorder.pending().rows).toBeLessThan(300);
    expect(describeCondition(readCondition(path), Date.now())).toContain('the disk of the record is full');
    const other = new DatabaseSync(path);
    other.exec('DELETE FROM detail');
    other.close();
    const results = await Promise.all(outcomes);
    expect(new Set(results.map(({ type }) => type))).toEqual(new Set(['written']));
    expect(recorder.state()).toEqual({ type: 'writing' });
    expect(readCondition(path)).toEqual({ type: 'writing' });
    expect(await reading((reader) => reader.stats())).toMatchObject({ objects: outcomes.length * 50 });
  });

  it('is blocked also where nothing waits but the leases cannot be taken, until they can', async () => {
    const recorder = await start({ leaseTtl: 300 });
    const blocker = new DatabaseSync(path);
    blocker.exec('BEGIN IMMEDIATE');
    expect(await recorder.acquire(clusterSource('a'))).toBeNull();
    expect(recorder.state()).toMatchObject({ type: 'blocked', refusal: { message: 'database is locked' } });
    expect(describeCondition(readCondition(path), Date.now())).toContain('cannot be written (database is locked)');
    blocker.exec('ROLLBACK');
    blocker.close();
    expect(await recorder.acquire(clusterSource('a'))).toMatchObject({ source: clusterSource('a') });
    expect(recorder.state()).toEqual({ type: 'writing' });
  });

  it('ends in time though the store refuses, and says what was lost', async () => {
    const recorder = await start();
    await recorder.acquire(clusterSource('a'));
    const blocker = new DatabaseSync(path);
    blocker.exec('BEGIN IMMEDIATE');
    const outcome = recorder.write('a', batch('a', 0, 2));
    const began = Date.now();
    await recorder.stop();
    expect(Date.now() - began).toBeLessThan(5000);
    expect(await outcome).toMatchObject({ type: 'lost', why: 'stopped' });
    blocker.exec('ROLLBACK');
    blocker.close();
  });

  it('gives up a write that can not be stored, and with it the cluster, but no other', async () => {
    const lost: string[] = [];
    const recorder = await start({ onLost: ({ name }) => lost.push(name) });
    await recorder.acquire(clusterSource('a'));
    await recorder.acquire(clusterSource('b'));
    const [bad, good] = await Promise.all([
      recorder.write('a', batchOf({ transitions: [transitionOf(refOf('a', 1), Number.NaN)] })),
      recorder.write('b', batch('b', 0, 1)),
    ]);
    expect(bad).toMatchObject({ type: 'lost', why: 'unwritable' });
    expect(good).toEqual({ type: 'written' });
    expect(lost).toEqual(['a']);
    expect(await recorder.acquire(clusterSource('a'))).toMatchObject({ epoch: 1 });
    expect(await recorder.write('a', batch('a', 0, 1))).toEqual({ type: 'written' });
  });

  it('makes callers wait while too much waits', async () => {
    const recorder = await start({ capacity: 100 });
    await recorder.acquire(clusterSource('a'));
    expect(recorder.room('a')).toBeNull();
    const outcome = recorder.write('a', batch('a', 0, 200));
    const room = recorder.room('a');
    expect(room).not.toBeNull();
    await outcome;
    await room;
    expect([recorder.pending().rows, recorder.room('a')]).toEqual([0, null]);
  });

  it('has a cluster that fills it wait, and has room for the others up to twice as much', async () => {
    const recorder = await start({ capacity: 100 });
    for (const name of ['a', 'b', 'c']) await recorder.acquire(clusterSource(name));
    const outcomes = [recorder.write('a', batch('a', 0, 120))];
    expect(recorder.room('a')).not.toBeNull();
    expect([recorder.room('b'), recorder.room('c')]).toEqual([null, null]);
    outcomes.push(recorder.write('b', batch('b', 0, 120)));
    expect(recorder.room('c')).not.toBeNull();
    await Promise.all(outcomes);
    expect(['a', 'b', 'c'].map((name) => recorder.room(name))).toEqual([null, null, null]);
  });

  it('forgets a cluster in its turn and gives up its lease', async () => {
    const recorder = await start();
    await recorder.acquire(clusterSource('a'));
    void recorder.write('a', { ...batch('a', 0, 3), cluster: clusterOf('a') });
    expect(await recorder.forget('a', Date.now())).toEqual({ type: 'written' });
    expect(await reading((reader) => reader.stats())).toMatchObject({ objects: 0, clusters: 0 });
    const other = directWriter();
    expect(await other.acquire(clusterSource('a'), 'two', Date.now(), 1000)).toMatchObject({ epoch: 2 });
    await other.close();
  });

  it('commits what others write between the steps of a forgetting', async () => {
    const recorder = await start();
    for (const name of ['a', 'b']) await recorder.acquire(clusterSource(name));
    await recorder.write('a', { ...batch('a', 0, 1_200), cluster: clusterOf('a') });
    const ends: string[] = [];
    const forgetting = recorder.forget('a', Date.now()).then(() => ends.push('a is forgotten'));
    await recorder.write('b', batch('b', 0, 1)).then(() => ends.push('b is written'));
    await forgetting;
    expect(ends).toEqual(['b is written', 'a is forgotten']);
    expect(await reading((reader) => reader.stats())).toMatchObject({ objects: 1, clusters: 0 });
  });

  it('gives a cluster that comes back in the middle once it is forgotten, with a lease of its own', async () => {
    const recorder = await start();
    await recorder.acquire(clusterSource('a'));
    await recorder.write('a', { ...batch('a', 0, 1_200), cluster: clusterOf('a') });
    const forgetting = recorder.forget('a', Date.now());
    expect(await recorder.acquire(clusterSource('a'))).toMatchObject({ epoch: 2 });
    expect([await forgetting, await recorder.load('a')]).toEqual([
      { type: 'written' },
      { cluster: null, objects: [], resume: [] },
    ]);
    expect(await recorder.write('a', { ...batch('a', 0, 1), cluster: clusterOf('a') })).toEqual({ type: 'written' });
  });

  it('leaves what it has not forgotten when it stops to the next process, and says that it is no loss', async () => {
    const errors: string[] = [];
    const recorder = await start({ log: { ...silentLog, error: (_data, message) => void errors.push(message) } });
    for (const name of ['a', 'b']) await recorder.acquire(clusterSource(name));
    await recorder.write('a', { ...batch('a', 0, 3_000), cluster: clusterOf('a') });
    const forgetting = recorder.forget('a', Date.now());
    await recorder.write('b', batch('b', 0, 1));
    await recorder.stop();
    expect([await forgetting, errors]).toEqual([{ type: 'lost', why: 'stopped', message: expect.any(String) }, []]);
    expect(await reading((reader) => reader.clusters())).toEqual(['a']);

    const next = await start({ holder: 'two' });
    await next.acquire(clusterSource('a'));
    expect((await next.load('a'))?.forgetting).toBe(true);
    expect(await next.forget('a', Date.now())).toEqual({ type: 'written' });
    expect(await reading((reader) => reader.clusters())).toEqual([]);
    expect(await reading((reader) => reader.stats())).toMatchObject({ objects: 1 });
  });

  it('gives the refusal of a store of a newer program', async () => {
    const database = new DatabaseSync(path);
    database.exec('PRAGMA user_version = 999');
    database.close();
    expect(await startRecorder({ path, holder: 'one', clock: systemClock, log: silentLog })).toMatchObject({
      type: 'newer',
      version: 999,
    });
  });
});
