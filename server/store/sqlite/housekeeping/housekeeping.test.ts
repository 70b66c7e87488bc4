import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { day, hour } from '#lib/domain/time/length.ts';
import { silentLog } from '#server/runtime/log.ts';
import {
  batchOf,
  brokenObjectOf,
  clusterOf,
  objectOf,
  refOf,
  transitionOf,
  withDetails,
} from '#test/contract/store-records.ts';
import { clusterSource, type Lease, type Retention, type StoreWriter, type WriteBatch } from '../../port/port.ts';
import { openSqliteReader } from '../reading/reader.ts';
import { openSqliteWriter } from '../writing/writer.ts';
import { textColumns } from './unused-texts.ts';

/** The midnight before which everything is old. */
const begin = Date.UTC(2026, 10, 1);
const now = begin + 100 * day + 7 * hour;
const retention: Retention = { spans: 100 * day, messages: 10 * day };
let directory: string;
let path: string;
let writer: StoreWriter;
let lease: Lease<'cluster'>;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-keeping-'));
  path = join(directory, 'plumbline.db');
  const opened = openSqliteWriter({ path, log: silentLog });
  if ('type' in opened) throw new Error(opened.type);
  writer = opened;
  const taken = await writer.acquire(clusterSource('a'), 'one', now, 15_000);
  if (taken === null) throw new Error('no lease');
  lease = taken;
});

afterEach(async () => {
  await writer.close();
  rmSync(directory, { recursive: true });
});

async function write(change: Partial<WriteBatch>): Promise<void> {
  expect(await writer.write(lease, batchOf(change))).toEqual({ type: 'written' });
}

async function keep(at = now): Promise<number> {
  let steps = 1;
  while ((await writer.keep(retention, at)).more) expect(++steps).toBeLessThan(1_000);
  return steps;
}

function rows(sql: string): readonly unknown[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  const found = statement.all();
  database.close();
  return found;
}

/** A change of verdict of an object, `days` after what is kept begins. */
function change(number: number, days: number, to: Verdict | null, message = `on day ${days}`) {
  const at = begin + days * day;
  return transitionOf(refOf('a', number), at, { noticedAt: at, from: null, to, message });
}

describe('spans', () => {
  it('go when they ended before what is kept, whole days of it; what lasts stays, what is gone for good goes', async () => {
    await write({
      transitions: [
        change(1, -9, 'converged'),
        change(2, -8, 'diverged'),
        change(3, -7, 'converged'),
        change(3, -6, null),
        change(1, -5, 'stale'),
        change(1, 3, 'converged'),
      ],
    });
    await keep();
    expect(rows(`SELECT object, (noticed_at - ${begin}) / ${day}, to_verdict FROM transition ORDER BY id`)).toEqual([
      [2, -8, 'diverged'],
      [1, -5, 'stale'],
      [1, 3, 'converged'],
    ]);
  });

  it('take along the incidents that were over, with all of them; what lasts stays whole', async () => {
    const away = (number: number, days: number, until: number | null) => {
      const at = begin + days * day;
      const onset = { time: at, bound: 'exact' as const, noticedAt: at };
      const fails = { verdict: 'diverged', onset, awaySince: onset, reason: `Failed${number}` } as const;
      const broken = objectOf(refOf('a', number), fails);
      if (until === null) return [broken];
      const since = { ...onset, time: begin + until * day, noticedAt: begin + until * day };
      return [broken, objectOf(refOf('a', number), { uid: broken.uid, onset: since })];
    };
    await write({
      objects: withDetails([...away(1, -9, -8), ...away(2, -7, 4), ...away(3, -6, null), ...away(4, -5, -3)]),
    });
    const kept = (): unknown[] =>
      ['incident', 'incident_step', 'incident_member', 'incident_cluster', 'fault'].map(
        (table) => rows(`SELECT COUNT(*) FROM ${table}`)[0],
      );
    expect(kept()).toEqual([[4], [7], [4], [4], [7]]);
    await keep();
    expect(kept()).toEqual([[2], [3], [2], [2], [3]]);
    expect(rows('SELECT COUNT(DISTINCT incident) FROM incident_key')).toEqual([[2]]);
    expect(rows('SELECT COUNT(*) FROM absence')).toEqual([[3]]);
  });

  it('take along what stands beside them', async () => {
    const ref = refOf('a', 1);
    const correction = (at: number) => ({
      ref,
      correction: { at, certainty: 'probable' as const, said: 'x', count: 1 },
    });
    const noted = (at: number) => ({
      cluster: 'a',
      ref,
      at,
      notBefore: at,
      noticedAt: at,
      fact: { type: 'created' as const },
    });
    const reported = (to: number) => ({ ref, uid: 'u', from: to - 1, to, good: true, status: 'S', revision: null });
    const arrival = (number: number, at: number) => ({ ref, commit: String(number).repeat(40), at });
    const away = (at: number, until: number | null) => {
      const onset = { time: at, bound: 'exact' as const, noticedAt: at };
      const object = objectOf(ref, { verdict: 'diverged', onset, awaySince: onset });
      const home = objectOf(ref, { onset: { ...onset, noticedAt: until ?? 0 } });
      return withDetails(until === null ? [object] : [object, home]);
    };
    const [old, young] = [begin - 1, begin + 1];
    await write({
      objects: [...away(old - 5, old), ...away(old - 3, young), ...away(young + 1, null)],
      corrections: [correction(old), correction(young)],
      changes: [noted(old), noted(young)],
      earlier: [reported(old), reported(young)],
      arrivals: [arrival(1, old), arrival(2, young)],
    });
    await keep();
    expect(rows(`SELECT opened_at - ${begin} FROM absence ORDER BY id`)).toEqual([[-4], [2]]);
    expect(rows(`SELECT at - ${begin} FROM correction`)).toEqual([[1]]);
    expect(rows(`SELECT at - ${begin} FROM change`)).toEqual([[1]]);
    expect(rows(`SELECT to_at - ${begin} FROM backfill`)).toEqual([[1]]);
    expect(rows(`SELECT last_at - ${begin} FROM arrival`)).toEqual([[1]]);
  });

  it('begin where the record does: what was seen before counts from there', async () => {
    const kind = { group: 'g', kind: 'K' };
    const seen = (days: number, of: typeof kind | null, observed: boolean) => ({
      cluster: 'a',
      kind: of,
      at: begin + days * day,
      observed,
      state: observed ? 'live' : 'unreachable',
      reason: null,
    });
    await write({
      coverage: [
        seen(-9, null, true),
        seen(-8, kind, true),
        seen(-5, null, false),
        seen(-4, null, true),
        seen(6, null, false),
      ],
    });
    await keep();
    const reader = await openSqliteReader({ path });
    if ('type' in reader) throw new Error(reader.type);
    expect(await reader.coverage('a', { from: 0, to: now })).toEqual([
      seen(0, kind, true),
      seen(0, null, true),
      seen(6, null, false),
    ]);
    await reader.close();
  });

  it('are looked through once in a UTC day, and again on the next', async () => {
    await write({
      transitions: [
        change(1, -2, 'converged'),
        change(1, -1, 'diverged'),
        change(1, 0.5, 'converged'),
        change(1, 2, 'stale'),
      ],
    });
    await keep();
    expect(await keep(now + hour / 2)).toBe(1);
    expect(rows('SELECT COUNT(*) FROM transition')).toEqual([[3]]);
    await keep(now + day);
    expect(rows('SELECT COUNT(*) FROM transition')).toEqual([[2]]);
  });
});

describe('messages', () => {
  it('are emptied when they are old, and told as none', async () => {
    await write({
      transitions: [change(1, 50, 'diverged', 'an old message'), change(1, 95, 'converged', 'a young one')],
    });
    await keep();
    const reader = await openSqliteReader({ path });
    if ('type' in reader) throw new Error(reader.type);
    const reported = await reader.transitions(refOf('a', 1), { from: 0, to: now, limit: 9 });
    expect(reported.map(({ message }) => message)).toEqual(['a young one', '']);
    await reader.close();
    expect(rows("SELECT text FROM text WHERE text LIKE '%message'")).toEqual([]);
  });

  it('of many changes go in short steps', async () => {
    const transitions = Array.from({ length: 1_700 }, (_, index) =>
      change(index, 50 + index / 10_000, 'diverged', `m${index}`),
    );
    await write({ transitions });
    expect(await keep()).toBeGreaterThan(4);
    expect(rows('SELECT COUNT(*) FROM transition WHERE message <> 0')).toEqual([[0]]);
  });
});

describe('texts', () => {
  it('go when nothing uses them, and everything that is there can still be read and written', async () => {
    const objects = withDetails([brokenObjectOf(refOf('a', 1)), objectOf(refOf('a', 2)), objectOf(refOf('a', 3))]);
    await write({ cluster: clusterOf('a'), objects, removed: [{ ref: refOf('a', 9), at: now }] });
    await write({ objects: withDetails([objectOf(refOf('a', 3), { message: 'said for a moment' })]) });
    await write({ objects, transitions: [change(1, 99, 'diverged')] });
    await keep();
    expect(rows("SELECT text FROM text WHERE text = 'said for a moment'")).toEqual([]);
    expect((await writer.load('a')).objects).toEqual(objects);
    // A text that went is written anew, with an id of its own.
    const again = withDetails([objectOf(refOf('a', 3), { message: 'said for a moment' })]);
    await write({ objects: again });
    await keep(now + day);
    expect((await writer.load('a')).objects).toEqual([...objects.slice(0, 2), ...again]);
  });

  it('stay while another writer holds a cluster: it remembers ids of its own', async () => {
    const other = openSqliteWriter({ path, log: silentLog });
    if ('type' in other) throw new Error(other.type);
    await other.acquire(clusterSource('b'), 'two', now, 15_000);
    await write({ objects: withDetails([objectOf(refOf('a', 1), { message: 'once' })]) });
    await write({ objects: withDetails([objectOf(refOf('a', 1))]) });
    await keep();
    expect(rows("SELECT text FROM text WHERE text = 'once'")).toEqual([['once']]);
    await other.close();
    await keep(now + 60_000);
    expect(rows("SELECT text FROM text WHERE text = 'once'")).toEqual([]);
  });

  it('are looked for wherever the schema has an id of one', () => {
    const numbers = rows(
      `SELECT t.name || '.' || c.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c WHERE t.type = 'table' AND c.type = 'INTEGER'`,
    ).flat();
    const looked = textColumns.flatMap(([table, columns]) => columns.map((column) => `${table}.${column}`));
    const others =
      /\.(id|object|cluster|fact_source|kind|namespace|block|seq|count|objects|observed|good|place|epoch|record_seq|confirmation_seq|.*_at|.*_day|at|until|not_before|valid_until|since|subject|incident|hash|turn|planned|own|open|clusters|members|returns|most_objects|most_clusters|object_time|merged_into|hour|noticed_by|version|format|read|reads_objects|swept_seq|call|rolled_to|added_to)$/;
    expect(
      numbers
        .filter((column) => !others.test(String(column)))
        .map(String)
        .toSorted((a, b) => a.localeCompare(b)),
    ).toEqual(looked.toSorted((a, b) => a.localeCompare(b)));
  });
});
