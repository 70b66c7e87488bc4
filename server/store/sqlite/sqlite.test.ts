import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '#server/runtime/log.ts';
import { batchOf, clusterOf, noon, objectOf, refOf, withDetails } from '#test/contract/store-records.ts';
import { firstVersion, storeVersion } from '../migrations/index.ts';
import { describeOpenRefusal, type OpenRefusal } from '../port/open-refusal.ts';
import { clusterSource, type Lease, type StoreReader, type StoreWriter } from '../port/port.ts';
import { openSqliteReader } from './reading/reader.ts';
import { openSqliteWriter, type SqliteWriterOptions } from './writing/writer.ts';

let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-sqlite-'));
  path = join(directory, 'plumbline.db');
});

afterEach(() => rmSync(directory, { recursive: true }));

function open(options: Partial<SqliteWriterOptions> = {}): StoreWriter {
  const writer = openSqliteWriter({ path, log: silentLog, ...options });
  if ('type' in writer) throw new Error(writer.type);
  return writer;
}

async function read(): Promise<StoreReader> {
  const reader = await openSqliteReader({ path });
  if ('type' in reader) throw new Error(reader.type);
  return reader;
}

async function lease(writer: StoreWriter, cluster: string): Promise<Lease<'cluster'>> {
  const taken = await writer.acquire(clusterSource(cluster), 'one', noon, 15_000);
  if (taken === null) throw new Error('no lease');
  return taken;
}

function objects(from: number, count: number) {
  return batchOf({
    objects: withDetails(Array.from({ length: count }, (_, index) => objectOf(refOf('a', from + index)))),
  });
}

describe('opening', () => {
  it('makes the file for its owner alone, its directory too, synchronised fully', async () => {
    path = join(directory, 'data', 'plumbline.db');
    const writer = open();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const database = new DatabaseSync(path);
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: storeVersion });
    database.close();
    await writer.close();
  });

  it('keeps what is there when it opens again', async () => {
    const first = open();
    await first.write(await lease(first, 'a'), objects(0, 3));
    await first.close();
    const second = open();
    expect((await second.load('a')).objects).toEqual(objects(0, 3).objects);
    await second.close();
  });

  it('refuses a store of a newer program, on both sides, and leaves it as it is', async () => {
    const database = new DatabaseSync(path);
    database.exec('PRAGMA user_version = 999; CREATE TABLE theirs (x)');
    database.close();
    const refusal = { type: 'newer', path, version: 999, known: storeVersion };
    expect(openSqliteWriter({ path, log: silentLog })).toEqual(refusal);
    expect(await openSqliteReader({ path })).toEqual(refusal);
    const after = new DatabaseSync(path);
    expect(after.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'theirs' }]);
    expect(after.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'delete' });
    after.close();
  });

  it('refuses a store of an unreleased layout, on both sides, leaves it as it is and says what to do', async () => {
    const database = new DatabaseSync(path);
    database.exec(`PRAGMA user_version = ${firstVersion - 1}; CREATE TABLE head (x)`);
    database.close();
    const refusal: OpenRefusal = { type: 'unreleased', path, version: firstVersion - 1 };
    expect(openSqliteWriter({ path, log: silentLog })).toEqual(refusal);
    expect(await openSqliteReader({ path })).toEqual(refusal);
    expect(describeOpenRefusal(refusal)).toBe(
      `the store at ${path} has the layout ${firstVersion - 1} of an unreleased version: delete it, and a new one is made`,
    );
    const after = new DatabaseSync(path);
    expect(after.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'head' }]);
    after.close();
  });

  it('says of a file that is no store that it is corrupt', async () => {
    writeFileSync(path, 'this is no database, and long enough to be told from an empty one'.repeat(100));
    expect(openSqliteWriter({ path, log: silentLog })).toMatchObject({ type: 'corrupt', path });
    expect(await openSqliteReader({ path })).toMatchObject({ type: 'corrupt', path });
  });

  it('says of a path that can not be a file that it is unusable', async () => {
    mkdirSync(path);
    expect(openSqliteWriter({ path, log: silentLog })).toMatchObject({ type: 'unusable' });
    writeFileSync(join(directory, 'file'), '');
    expect(openSqliteWriter({ path: join(directory, 'file', 'x.db'), log: silentLog })).toMatchObject({
      type: 'unusable',
    });
  });

  it('says of a missing file, and of an empty one, that there is none yet', async () => {
    expect(await openSqliteReader({ path })).toEqual({ type: 'missing', path });
    writeFileSync(path, '');
    expect(await openSqliteReader({ path })).toEqual({ type: 'missing', path });
  });

  it('waits for a store that is still to come', async () => {
    const waiting = openSqliteReader({ path, patience: 10_000 });
    const writer = open();
    const reader = await waiting;
    if ('type' in reader) throw new Error(reader.type);
    expect(await reader.stats()).toMatchObject({ objects: 0, clusters: 0, transitions: 0 });
    await reader.close();
    await writer.close();
  });
});

describe('refused writes', () => {
  it('are a value while the disk is full, and taken again without a restart once there is room', async () => {
    const writer = open({ maxBytes: 1_500_000 });
    const a = await lease(writer, 'a');
    let written = 0;
    let result = await writer.write(a, objects(0, 100));
    while (result.type === 'written') {
      written += 100;
      expect(written).toBeLessThan(5000);
      result = await writer.write(a, objects(written, 100));
    }
    expect(result.type).toBe('full');
    const reader = await read();
    expect(await reader.stats()).toMatchObject({ objects: written });
    expect(
      await writer.write(
        a,
        batchOf({ removed: objects(0, 200).objects.map(({ object }) => ({ ref: object.ref, at: noon })) }),
      ),
    ).toEqual({ type: 'written' });
    expect(await writer.write(a, objects(written, 50))).toEqual({ type: 'written' });
    expect(await reader.stats()).toMatchObject({ objects: written - 150 });
    await reader.close();
    await writer.close();
  });

  it('are a value while another process holds the lock, and reading goes on', async () => {
    const writer = open({ busyTimeout: 20 });
    const a = await lease(writer, 'a');
    await writer.write(a, objects(0, 1));
    const reader = await read();
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    expect(await writer.write(a, objects(1, 1))).toEqual({ type: 'failed', message: 'database is locked' });
    expect((await reader.follow(null, 10)).changes).toHaveLength(1);
    other.exec('ROLLBACK');
    other.close();
    expect(await writer.write(a, objects(1, 1))).toEqual({ type: 'written' });
    await reader.close();
    await writer.close();
  });

  it('are a value when a statement is refused, and nothing of the batch stays', async () => {
    const writer = open();
    const a = await lease(writer, 'a');
    const database = new DatabaseSync(path);
    database.exec("CREATE TRIGGER frozen BEFORE UPDATE ON fact_source BEGIN SELECT RAISE(ABORT, 'frozen'); END");
    expect(await writer.write(a, objects(0, 1))).toMatchObject({ type: 'failed', message: 'frozen' });
    database.exec('DROP TRIGGER frozen');
    database.close();
    expect(await writer.write(a, objects(0, 1))).toEqual({ type: 'written' });
    await writer.close();
  });
});

describe('following', () => {
  it('starts anew, and says so, when the file is an older copy of the one that it knew', async () => {
    const writer = open();
    const a = await lease(writer, 'a');
    await writer.write(a, objects(0, 3));
    const reader = await read();
    const { cursor } = await reader.follow(null, 10);
    const database = new DatabaseSync(path);
    database.exec('UPDATE fact_source SET seq = 2; DELETE FROM object WHERE seq > 2');
    database.close();
    const again = await reader.follow(cursor, 10);
    expect(again.reset).toBe(true);
    expect(again.changes).toHaveLength(2);
    await reader.close();
    await writer.close();
  });

  it('holds no snapshot open between two questions, so that the log can be folded back', async () => {
    const writer = open();
    const a = await lease(writer, 'a');
    await writer.write(a, objects(0, 500));
    const reader = await read();
    const { more } = await reader.follow(null, 10);
    expect(more).toBe(true);
    await writer.write(a, objects(500, 500));
    const database = new DatabaseSync(path);
    expect(database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()).toMatchObject({ busy: 0 });
    database.close();
    expect(statSync(`${path}-wal`).size).toBe(0);
    await reader.close();
    await writer.close();
  });

  it('holds up nobody who writes where somebody reads when the log is to be emptied, and empties it later', async () => {
    const writer = open();
    const a = await lease(writer, 'a');
    await writer.write(a, objects(0, 500));
    const database = new DatabaseSync(path);
    database.exec('BEGIN; SELECT COUNT(*) FROM object');
    await writer.write(a, objects(500, 500));
    const began = performance.now();
    await writer.keep(null, noon);
    expect(performance.now() - began).toBeLessThan(2_000);
    database.exec('COMMIT');
    database.close();
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
    await writer.keep(null, noon);
    expect(statSync(`${path}-wal`).size).toBe(0);
    await writer.close();
  });

  it('leaves away a join of an earlier version, which does not say what it names', async () => {
    const writer = open();
    const a = await lease(writer, 'a');
    const ready = { from: 'condition', text: 'Ready=False', at: null } as const;
    const joined = { from: 'join', text: 'depends on secret', names: [refOf('a', 1)], at: null } as const;
    const [[one]] = [objects(0, 1).objects];
    if (one === undefined) throw new Error('no object');
    await writer.write(a, {
      ...objects(0, 1),
      objects: [{ ...one, detail: { ...one.detail, evidence: [joined, ready] } }],
    });
    const reader = await read();
    const evidence = async () => [
      (await reader.detail(refOf('a', 0)))?.evidence,
      (await writer.load('a')).objects[0]?.detail.evidence,
    ];
    expect(await evidence()).toEqual([
      [joined, ready],
      [joined, ready],
    ]);
    const earlier = JSON.stringify({ ...one.detail, evidence: [{ ...joined, names: undefined }, ready] });
    const database = new DatabaseSync(path);
    database.prepare('UPDATE detail SET detail = ?').run(earlier);
    database.close();
    expect(await evidence()).toEqual([[ready], [ready]]);
    await reader.close();
    await writer.close();
  });

  it('survives a detail and a cluster record of another version', async () => {
    const writer = open();
    const a = await lease(writer, 'a');
    await writer.write(a, {
      ...objects(0, 2),
      cluster: clusterOf('a'),
      resume: [{ group: 'g', kind: 'K', version: 'v1', resourceVersion: '7' }],
    });
    const database = new DatabaseSync(path);
    database.exec(
      `UPDATE detail SET detail = '{"observation":{"of":"another version"}}' WHERE object = 1; UPDATE cluster SET record = '{"name":"a"}'`,
    );
    database.close();
    const state = await writer.load('a');
    expect(state.cluster).toBeNull();
    expect(state.resume).toEqual([]);
    expect(state.objects.map(({ object }) => object)).toEqual(objects(0, 2).objects.map(({ object }) => object));
    expect(state.objects[0]?.detail.observation.summary).toEqual({
      said: 'unrecognised',
      why: 'recorded by another version of Plumbline',
    });
    const reader = await read();
    expect(await reader.detail(refOf('a', 0))).toBeNull();
    expect((await reader.follow(null, 10)).changes.map((change) => change.type)).toEqual(['object', 'object']);
    await reader.close();
    await writer.close();
  });
});
