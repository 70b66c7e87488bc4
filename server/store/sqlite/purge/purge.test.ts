import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { day } from '#lib/domain/time/length.ts';
import { silentLog } from '#server/runtime/log.ts';
import {
  batchOf,
  clusterOf,
  detailOf,
  noon,
  objectOf,
  refOf,
  transitionOf,
  withDetails,
} from '#test/contract/store-records.ts';
import {
  alarmBatchOf,
  alarmLease,
  alarmSourceOf,
  alertOf,
  callOf,
  coverageOf,
} from '#test/contract/alarms/alarm-records.ts';
import { clusterSource, type StoreReader } from '../../port/port.ts';
import { openSqliteReader } from '../reading/reader.ts';
import { takeWriterLock } from '../writing/writer-lock.ts';
import { openSqliteWriter } from '../writing/writer.ts';
import { purgeSqlite } from './purge.ts';

/** Far after every lease. */
const later = noon + day;
const secret = 'hunter2 "is the key" ünï';
let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-purge-'));
  path = join(directory, 'plumbline.db');
});

afterEach(() => rmSync(directory, { recursive: true }));

/** Everything that a store may hold of one object, with a mark in every text. */
function everything(ref: ObjectRef, mark: string, at: number) {
  const onset = { time: at, bound: 'exact' as const, noticedAt: at };
  const object = objectOf(ref, {
    verdict: 'diverged',
    message: `message ${mark}`,
    sentence: `sentence ${mark}`,
    reason: `Reason ${mark}`,
    path: `path/${mark}`,
    onset,
    awaySince: onset,
    rootCause: { type: 'controller', cluster: ref.cluster, namespace: 'flux-system', name: mark },
  });
  return batchOf({
    at,
    cluster: clusterOf(ref.cluster, { reason: `said ${mark}` }),
    objects: [{ object, detail: detailOf(object, { note: mark, words: ['shared', mark, `own ${ref.name} ${mark}`] }) }],
    transitions: [
      transitionOf(ref, at, { noticedAt: at, message: mark, rootCause: object.rootCause, attempted: mark }),
    ],
    changes: [
      {
        cluster: ref.cluster,
        ref,
        at,
        notBefore: at,
        noticedAt: at,
        fact: { type: 'suspended', by: mark, field: mark },
      },
    ],
    corrections: [{ ref, correction: { at, certainty: 'probable', said: mark, count: 1 } }],
    earlier: [{ ref, uid: 'u', from: at - 9, to: at - 3, good: false, status: mark, revision: mark }],
    arrivals: [{ ref, commit: 'e'.repeat(40), at }],
    coverage: [{ cluster: ref.cluster, kind: null, at, observed: false, state: 'unreachable', reason: mark }],
    confirmations: [{ ref, confirmedAt: at, observedAt: at, validUntil: at }],
    resume: [{ group: ref.group, kind: ref.kind, version: 'v1', resourceVersion: '7' }],
  });
}

/** Writes several objects, many times over, so that pages split and words become shared. */
async function fill(marks: readonly (readonly [ObjectRef, string])[], rounds = 30): Promise<void> {
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  for (let round = 0; round < rounds; round++) {
    for (const [ref, mark] of marks) {
      const lease = await writer.acquire(clusterSource(ref.cluster), 'one', noon, 1_000);
      if (lease === null) throw new Error('no lease');
      expect(await writer.write(lease, everything(ref, mark, noon + round * 60_000))).toEqual({ type: 'written' });
    }
  }
  await writer.close();
}

/** True if any file of the store holds a text, in any encoding. */
function found(text: string): boolean {
  return [path, `${path}-wal`, `${path}-shm`].some((file) => {
    try {
      const bytes = readFileSync(file);
      return (['utf8', 'latin1', 'utf16le'] as const).some((encoding) => bytes.includes(Buffer.from(text, encoding)));
    } catch {
      return false;
    }
  });
}

async function reading<T>(task: (reader: StoreReader) => Promise<T>): Promise<T> {
  const reader = await openSqliteReader({ path });
  if ('type' in reader) throw new Error(reader.type);
  const value = await task(reader);
  await reader.close();
  return value;
}

function sound(): void {
  const database = new DatabaseSync(path);
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  database.close();
}

const always = { from: 0, to: later, limit: 999 };

it('a cluster goes with every byte of it, and the others stay whole', async () => {
  const [gone, stays] = [refOf('secret-cluster', 41), refOf('other', 2)];
  await fill([
    [gone, 'mark-of-the-gone'],
    [stays, 'mark-of-the-other'],
  ]);
  const before = await reading(async (reader) => [await reader.detail(stays), await reader.transitions(stays, always)]);
  const result = purgeSqlite(path, { type: 'cluster', name: 'secret-cluster' }, later);
  expect(result).toMatchObject({ type: 'purged', mentions: 0 });
  expect([found('secret-cluster'), found('mark-of-the-gone'), found('app-41')]).toEqual([false, false, false]);
  expect(found('mark-of-the-other')).toBe(true);
  const after = await reading(async (reader) => [await reader.detail(stays), await reader.transitions(stays, always)]);
  expect(after).toEqual(before);
  expect(await reading((reader) => reader.stats())).toMatchObject({ objects: 1, clusters: 1 });
  sound();
});

it('an object goes with every byte of it, its neighbour stays', async () => {
  const [gone, stays] = [refOf('a', 7), refOf('a', 8)];
  await fill([
    [gone, 'mark-of-the-gone'],
    [stays, 'mark-of-the-other'],
  ]);
  // What the cluster itself says of late is of its neighbour.
  const result = purgeSqlite(path, { type: 'object', ref: gone }, later);
  expect(result).toMatchObject({ type: 'purged', mentions: 0 });
  expect([found('app-7'), found('team-7'), found('sentence mark-of-the-gone')]).toEqual([false, false, false]);
  expect(await reading((reader) => reader.transitions(stays, always))).toHaveLength(30);
  expect(await reading((reader) => reader.transitions(gone, always))).toEqual([]);
  expect(await reading((reader) => reader.stats())).toMatchObject({ objects: 1 });
  sound();
});

it.each([
  ['an object', { type: 'object', ref: refOf('a', 7) } as const],
  ['a cluster', { type: 'cluster', name: 'a' } as const],
])('what was rolled up of the cluster goes with %s, and that of others stays', async (_what, target) => {
  await fill([
    [refOf('a', 7), 'one'],
    [refOf('a', 8), 'two'],
    [refOf('b', 9), 'three'],
  ]);
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  while ((await writer.keep({ spans: 9 * later, messages: 9 * later }, later)).more);
  await writer.close();
  const rolledUp = (): readonly unknown[] => {
    const database = new DatabaseSync(path);
    const tables = database.prepare(
      `SELECT m.name FROM sqlite_master m WHERE m.type = 'table' AND EXISTS (SELECT 1 FROM pragma_table_info(m.name) WHERE name = 'block') ORDER BY m.name`,
    );
    const found = tables.all().map(({ name }) => {
      const held = database.prepare(`SELECT DISTINCT cluster FROM ${String(name)} ORDER BY cluster`);
      return [name, held.all().map(({ cluster }) => cluster)];
    });
    database.close();
    return found;
  };
  const all = ['rollup', 'rollup_absences', 'rollup_calls', 'rollup_union', 'snapshot'];
  // There are no calls.
  const told = (clusters: readonly number[]): unknown => [['call_alone', []], ...all.map((table) => [table, clusters])];
  expect(rolledUp()).toEqual(told([1, 2]));
  expect(purgeSqlite(path, target, later)).toMatchObject({ type: 'purged' });
  expect(rolledUp()).toEqual(told([2]));
});

it.each([
  ['an object', { type: 'object', ref: refOf('a', 7) } as const],
  ['a cluster', { type: 'cluster', name: 'a' } as const],
])('an incident goes on without %s, and goes with its last member', async (_what, target) => {
  const controller = {
    type: 'controller',
    cluster: 'hub',
    namespace: 'flux-system',
    name: 'kustomize-controller',
  } as const;
  const onset = { time: noon, bound: 'exact' as const, noticedAt: noon };
  const beneath = { verdict: 'stale', onset, awaySince: onset, rootCause: controller } as const;
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  for (const ref of [refOf('a', 7), refOf('b', 8)]) {
    const lease = await writer.acquire(clusterSource(ref.cluster), 'one', noon, 1_000);
    if (lease === null) throw new Error('no lease');
    await writer.write(lease, batchOf({ at: noon, objects: withDetails([objectOf(ref, beneath)]) }));
  }
  await writer.close();
  const incidents = (): unknown => {
    const database = new DatabaseSync(path);
    const found = database.prepare('SELECT members, open, objects, clusters, closed_at, ended FROM incident').all();
    const left = database.prepare('SELECT COUNT(*) AS steps FROM incident_step').get();
    database.close();
    return [found.map((row) => ({ ...row })), left?.['steps']];
  };
  expect(purgeSqlite(path, target, later)).toMatchObject({ type: 'purged' });
  const open = { open: 1, objects: 1, clusters: 1, closed_at: null, ended: null };
  expect(incidents()).toEqual([[{ members: 1, ...open }], 3]);
  expect(purgeSqlite(path, { type: 'cluster', name: 'b' }, later)).toMatchObject({ type: 'purged' });
  expect(incidents()).toEqual([[], 0]);
});

it('a text goes wherever it stands, in whole or in part, and everything else can still be read', async () => {
  const ref = refOf('a', 1);
  await fill([
    [ref, secret],
    [refOf('a', 2), secret],
    [refOf('b', 3), secret],
  ]);
  expect(found('hunter2')).toBe(true);
  expect(purgeSqlite(path, { type: 'text', text: secret }, later)).toMatchObject({ type: 'purged' });
  expect([found(secret), found('hunter2'), found(JSON.stringify(secret).slice(1, -1))]).toEqual([false, false, false]);
  await reading(async (reader) => {
    expect((await reader.detail(ref))?.observation.uid).toBe(objectOf(ref).uid);
    expect((await reader.transitions(ref, always)).map(({ message }) => message)).toEqual(Array(30).fill('[purged]'));
    expect(await reader.changes({ ...always, ref })).toHaveLength(30);
    const { changes } = await reader.follow(null, 100);
    const objects = changes.flatMap((change) => (change.type === 'object' ? [change.object] : []));
    expect(objects.map(({ verdict, message }) => [verdict, message])).toEqual(
      Array(3).fill(['diverged', 'message [purged]']),
    );
  });
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  expect((await writer.load('a')).objects).toHaveLength(2);
  await writer.close();
  sound();
});

it('a text of which a purge that was broken off has left bytes goes when it is purged again', async () => {
  await fill([[refOf('a', 1), secret]]);
  // Somebody reads what was before, so that the file can neither be written anew nor emptied of it.
  const before = new DatabaseSync(path, { readOnly: true });
  before.exec('BEGIN; SELECT count(*) FROM object');
  before.prepare('SELECT count(*) FROM object').get();
  expect(purgeSqlite(path, { type: 'text', text: secret }, later)).toMatchObject({ type: 'left' });
  expect(found(secret)).toBe(true);
  expect(purgeSqlite(path, { type: 'text', text: secret }, later)).toMatchObject({ type: 'left' });
  before.close();
  expect(purgeSqlite(path, { type: 'text', text: secret }, later)).toMatchObject({ type: 'purged', removed: [] });
  expect(found(secret)).toBe(false);
  expect(purgeSqlite(path, { type: 'text', text: secret }, later)).toEqual({ type: 'unknown' });
  sound();
});

describe('alarm sources', () => {
  const ref = refOf('secret-eu', 7);
  const called = { ...callOf('prom', 7, 0).labels, cluster: 'secret-eu' };

  async function tell(): Promise<void> {
    await fill([
      [ref, 'one'],
      [refOf('secret-eu', 8), 'two'],
    ]);
    const writer = openSqliteWriter({ path, log: silentLog });
    if ('type' in writer) throw new Error(writer.type);
    for (const name of ['prom', 'other']) {
      const isTold = name === 'prom';
      const labels = isTold ? { ...called, summary: secret } : {};
      const batch = alarmBatchOf({
        source: alarmSourceOf(name),
        put: [{ ...alertOf(1), key: isTold ? secret : 'a', labels }, alertOf(2)],
        calls: isTold
          ? [
              callOf(name, 7, 0, { cluster: 'secret-eu', labels: { ...called, summary: secret } }),
              callOf(name, 8, 0, {
                cluster: 'secret-eu',
                labels: { ...callOf(name, 8, 0).labels, cluster: 'secret-eu' },
              }),
              callOf(name, 9, 0, { cluster: null, labels: { hub: 'secret-eu' } }),
            ]
          : [callOf(name, 1, 0)],
        coverage: [{ ...coverageOf(name, 0, false), clusters: ['secret-eu', 'us'], reason: secret }],
      });
      expect(await writer.writeAlarms(await alarmLease(writer, name), batch)).toEqual({ type: 'written' });
    }
    await writer.close();
  }

  /** Facts by source, keys of calls, and what coverage says of its clusters and why. */
  async function told() {
    return reading(async (reader) => {
      const { changes } = await reader.follow(null, 100);
      const facts = changes.flatMap((change) => (change.type === 'alarm-fact' ? [change.source] : []));
      const known = changes.flatMap((change) => (change.type === 'alarm-source' ? [change.source.name] : []));
      const all = { scope: { clusters: null }, period: always, at: later };
      const { items } = await reader.record.calls(
        { ...all, period: { from: 0, to: later } },
        { cursor: null, limit: 9 },
      );
      const coverage = await reader.record.alarmCoverage(always);
      return { facts, known, calls: items.map(({ key }) => key.at(-1)), coverage: coverage[0] };
    });
  }

  it('tell nothing any more of a cluster that goes, and of theirs nothing is known until they are read anew', async () => {
    await tell();
    const target = { type: 'cluster', name: 'secret-eu' } as const;
    expect(purgeSqlite(path, target, later)).toMatchObject({ type: 'purged' });
    expect(found('secret-eu')).toBe(false);
    expect(await told()).toMatchObject({
      facts: ['other', 'other'],
      known: ['other'],
      // Of one it is not known for which cluster it was: without it others would be told as silent.
      calls: ['1', '9'],
      coverage: { clusters: ['[purged]', 'us'] },
    });
    sound();
  });

  it('keep calls for other clusters that mention the name of one that goes, and what they were for', async () => {
    await fill([[ref, 'one']]);
    const writer = openSqliteWriter({ path, log: silentLog });
    if ('type' in writer) throw new Error(writer.type);
    const labels = {
      cluster: 'us',
      kind: 'Kustomization',
      namespace: 'secret-eu',
      name: 'app',
      environment: 'secret-eu',
    };
    const batch = alarmBatchOf({
      source: alarmSourceOf('prom'),
      calls: [callOf('prom', 5, 0, { cluster: 'us', labels }), callOf('prom', 6, 0, { cluster: 'us', labels: {} })],
    });
    expect(await writer.writeAlarms(await alarmLease(writer, 'prom'), batch)).toEqual({ type: 'written' });
    await writer.close();
    expect(purgeSqlite(path, { type: 'cluster', name: 'secret-eu' }, later)).toMatchObject({ type: 'purged' });
    const kept = await reading(async (reader) => {
      const asked = { scope: { clusters: ['us'] }, period: { from: 0, to: later }, at: later };
      return (await reader.record.calls(asked, { cursor: null, limit: 9 })).items;
    });
    expect(kept.map((call) => call.labels)).toEqual([{}, { ...labels, environment: '[purged]' }]);
    sound();
  });

  it('tell nothing any more of an object that goes, and keep the calls for its neighbour', async () => {
    await tell();
    expect(purgeSqlite(path, { type: 'object', ref }, later)).toMatchObject({ type: 'purged' });
    expect([found('app-7'), found('team-7')]).toEqual([false, false]);
    expect(await told()).toMatchObject({
      facts: ['other', 'other'],
      known: ['other'],
      calls: ['1', '9', '8', expect.any(String)],
    });
    sound();
  });

  it('lose a text wherever it stands, and keep their calls', async () => {
    await tell();
    expect(purgeSqlite(path, { type: 'text', text: secret }, later)).toMatchObject({ type: 'purged' });
    expect(found('hunter2')).toBe(false);
    expect(await told()).toMatchObject({
      facts: ['other', 'other'],
      known: ['other'],
      calls: ['1', '9', '8', '7'],
      coverage: { clusters: ['secret-eu', 'us'], reason: '[purged]' },
    });
    sound();
  });

  it('keep their names', async () => {
    await tell();
    const refused = { type: 'refused', why: 'it is part of the names of 1 repositories and alarm sources' };
    expect(purgeSqlite(path, { type: 'text', text: 'prom' }, later)).toEqual(refused);
  });
});

describe('nothing is removed', () => {
  it('while a collector holds a cluster: it says which', async () => {
    await fill([[refOf('a', 1), 'x-mark']], 1);
    const writer = openSqliteWriter({ path, log: silentLog });
    if ('type' in writer) throw new Error(writer.type);
    await writer.acquire(clusterSource('b'), 'host-12', later, 15_000);
    expect(purgeSqlite(path, { type: 'cluster', name: 'a' }, later)).toEqual({
      type: 'held',
      holders: [{ holder: 'host-12', leases: 1 }],
    });
    await writer.close();
    expect(found('x-mark')).toBe(true);
  });

  it('while a collector runs that holds no cluster: it says which', async () => {
    await fill([[refOf('a', 1), 'x-mark']], 1);
    const lock = takeWriterLock(path, { host: 'node-1', pid: 4711, since: later });
    if (lock.type !== 'taken') throw new Error(lock.type);
    expect(purgeSqlite(path, { type: 'cluster', name: 'a' }, later)).toEqual({
      type: 'held',
      holders: [{ holder: 'process 4711 on node-1', leases: 0 }],
    });
    lock.release();
    expect(purgeSqlite(path, { type: 'cluster', name: 'a' }, later)).toMatchObject({ type: 'purged' });
  });

  it.each([
    ['of a cluster that is not there', { type: 'cluster', name: 'z' }, { type: 'unknown' }],
    ['of an object that is not there', { type: 'object', ref: refOf('a', 99) }, { type: 'unknown' }],
    ['of a text that is not there', { type: 'text', text: 'nowhere to be found' }, { type: 'unknown' }],
    ['for a text that is too short', { type: 'text', text: 'abc' }, { type: 'refused' }],
    ["for a word of Plumbline's own", { type: 'text', text: 'diverged' }, { type: 'refused' }],
    ['for a name: that would be another thing', { type: 'text', text: 'app-1' }, { type: 'refused' }],
  ] as const)('%s', async (_, target, result) => {
    await fill([[refOf('a', 1), 'x-mark']], 1);
    expect(purgeSqlite(path, target, later)).toMatchObject(result);
    expect(await reading((reader) => reader.transitions(refOf('a', 1), always))).toHaveLength(1);
  });

  it('where there is no store, and none is made', () => {
    expect(purgeSqlite(path, { type: 'cluster', name: 'a' }, later)).toEqual({ type: 'missing', path });
    expect(found('SQLite')).toBe(false);
  });
});

it('who follows the store is told to read it anew: what it remembers may be what was purged', async () => {
  await fill([[refOf('a', 1), secret]], 2);
  const reader = await openSqliteReader({ path });
  if ('type' in reader) throw new Error(reader.type);
  const { cursor } = await reader.follow(null, 100);
  expect(purgeSqlite(path, { type: 'text', text: secret }, later)).toMatchObject({ type: 'purged' });
  await expect(reader.follow(cursor, 100)).rejects.toThrow('read anew');
  await reader.close();
  expect((await reading((anew) => anew.follow(cursor, 100))).reset).toBe(true);
});
