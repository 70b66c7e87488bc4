import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { day, hour, minute } from '#lib/domain/time/length.ts';
import { dayOf } from '#lib/domain/time/utc-day.ts';
import { silentLog } from '#server/runtime/log.ts';
import { kinds, randomHistory } from '#test/contract/random-history.ts';
import { noon } from '#test/contract/store-records.ts';
import { beginningOf } from '../../../../codec/rollup-block.ts';
import { clusterSource, type StoreWriter } from '../../../../port/port.ts';
import { openSqliteWriter } from '../../../writing/writer.ts';
import { openSqliteReader } from '../../reader.ts';

const begins = dayOf(noon);
const forever = { spans: 10_000 * day, messages: 10_000 * day };
const source = "(SELECT id FROM fact_source WHERE type = 'alarm-source')";
const called = `INSERT INTO alarm_call (fact_source, key, alert, labels, attributed, receivers, starts_at, from_at, to_at, of_name, reads_objects)`;
/** Labels of a call that names an object \`o\`. */
const named = `json_object('kind', substr(k.text, instr(k.text, '/') + 1), 'namespace', n.text, 'name', o.name)`;
const names = 'JOIN name k ON k.id = o.kind JOIN name n ON n.id = o.namespace JOIN fact_source c ON c.id = o.cluster';
const objects = `object o ${names}`;
const absences = `absence a JOIN object o ON o.id = a.object ${names}`;

let directory: string;
let whole: string;
let now = begins;

function writerOf(path: string, alarmWithin = hour): StoreWriter {
  const writer = openSqliteWriter({ path, log: silentLog, alarmWithin });
  if ('type' in writer) throw new Error(writer.type);
  return writer;
}

async function keepUp(path: string, alarmWithin = hour, at = now): Promise<void> {
  const writer = writerOf(path, alarmWithin);
  while ((await writer.keep(forever, at)).more);
  await writer.close();
}

/** A store of some weeks, with calls for what was away and for what was not, whose days are all added up. */
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-call-days-'));
  whole = join(directory, 'whole.db');
  const writer = writerOf(whole);
  for (const one of randomHistory(11, begins, 300).writes) {
    const lease = await writer.acquire(clusterSource(one.cluster), 'one', begins, 1000);
    if (lease === null) throw new Error('no lease');
    if ('batch' in one) await writer.write(lease, one.batch);
    else await writer.forget(lease, one.forgottenAt);
    now = Math.max(now, 'batch' in one ? one.batch.at : one.forgottenAt);
  }
  await writer.close();
  const database = new DatabaseSync(whole);
  database.exec("INSERT INTO fact_source (type, name) VALUES ('alarm-source', 'prom')");
  const cover = database.prepare(
    `INSERT INTO alarm_coverage (fact_source, at, read, clusters) VALUES (${source}, ?, ?, '[]')`,
  );
  for (let at = begins; at < now; at += 3 * day) {
    cover.run(at, 1);
    cover.run(at + day + 7 * minute, 0);
  }
  database.exec(`${called} SELECT ${source}, 'k' || a.id, 'Away', ${named}, c.name, '[]', 0, a.noticed_at + a.id % 5 * ${hour / 2},
      a.noticed_at + a.id % 5 * ${hour / 2} + ${3 * hour}, o.name, 1 FROM ${absences} WHERE a.id % 3 = 0`);
  const beside =
    database.prepare(`${called} SELECT ${source}, 'b' || o.id || ' ' || ?1, 'Beside', ${named}, c.name, '[]', 0, ?1, ?1 + ${hour}, o.name, 1
      FROM ${objects} WHERE o.id % 2 = 0`);
  for (let at = begins + hour; at < now - 2 * day; at += 17 * hour) beside.run(at);
  database.close();
  await keepUp(whole);
});

afterAll(() => rmSync(directory, { recursive: true }));

interface Row {
  readonly cluster: number;
  readonly block: number;
  readonly added: number;
}

function rowsOf(path: string, where = 'TRUE'): readonly Row[] {
  const database = new DatabaseSync(path);
  const rows = database.prepare(`SELECT cluster, block, added_to FROM rollup_calls WHERE ${where} ORDER BY 1, 2`).all();
  database.close();
  return rows.map((row) => ({
    ...{ cluster: Number(row['cluster']), block: Number(row['block']), added: Number(row['added_to']) },
  }));
}

const behind = (path: string): readonly Row[] => rowsOf(path, 'added_to < rolled_to');

function numberIn(path: string, sql: string): number {
  const database = new DatabaseSync(path);
  const [found] = Object.values(database.prepare(sql).get() ?? {});
  database.close();
  return Number(found);
}

function changed(name: string, ...statements: readonly string[]): string {
  const path = join(directory, `${name.replaceAll(' ', '-')}.db`);
  copyFileSync(whole, path);
  const database = new DatabaseSync(path);
  for (const sql of statements) database.exec(sql);
  database.close();
  return path;
}

/** Figures of several scopes and periods, as a reader that was not open before tells them. */
async function figuresOf(path: string, alarmWithin = hour): Promise<readonly unknown[]> {
  const reader = await openSqliteReader({ path });
  if ('type' in reader) throw new Error(reader.type);
  const found: unknown[] = [];
  const scopes = [{ clusters: null }, { clusters: null, kind: kinds[1] }, { clusters: ['a', 'b'] }];
  for (const scope of scopes)
    for (const from of [begins, begins + 2 * day, begins + 3 * day + 5 * hour])
      for (const to of [now, dayOf(now) - 2 * day, dayOf(now) - day + hour])
        found.push(await reader.record.alarmFigures(scope, { from, to }, alarmWithin));
  await reader.close();
  return found;
}

/** The same figures, with nothing added up ahead. */
async function recomputed(path: string, alarmWithin = hour): Promise<readonly unknown[]> {
  const copy = join(directory, 'recomputed.db');
  rmSync(copy, { force: true });
  const database = new DatabaseSync(path);
  database.exec(`VACUUM INTO '${copy}'`);
  database.close();
  const plain = new DatabaseSync(copy);
  plain.exec('DELETE FROM rollup_calls');
  plain.exec('DELETE FROM call_alone');
  plain.exec("DELETE FROM housekeeping WHERE work LIKE 'calls-%'");
  plain.close();
  return figuresOf(copy, alarmWithin);
}

describe('days whose calls are added up', () => {
  it('are what is told of them, and they are all that are rolled up', async () => {
    expect(rowsOf(whole)).toHaveLength(6);
    expect(behind(whole)).toEqual([]);
    expect(numberIn(whole, 'SELECT COUNT(*) FROM call_alone')).toBeGreaterThan(10);
    const kept = await figuresOf(whole);
    expect(kept).toEqual(await recomputed(whole));
    // Where other figures are written, others are told.
    const path = changed('other figures', "UPDATE rollup_calls SET figures = x''");
    expect(await figuresOf(path)).not.toEqual(kept);
  });

  it.each<readonly [string, string, (rows: readonly Row[]) => void]>([
    [
      'a late call',
      `${called} SELECT ${source}, 'late', 'Away', ${named}, c.name, '[]', 0, a.noticed_at, a.noticed_at + ${hour}, o.name, 1
       FROM ${absences} WHERE c.name = 'b' AND a.closed_at < ${begins + 9 * day} ORDER BY a.id DESC LIMIT 1`,
      (rows) => expect(new Set(rows.map(({ cluster }) => cluster)).size).toBe(1),
    ],
    [
      'a late call without a cluster',
      `${called} VALUES (${source}, 'late', 'Away', '{"namespace":"n-1"}', NULL, '[]', 0, ${begins + 9 * day}, ${begins + 9 * day + 4 * hour}, NULL, 1)`,
      (rows) => expect(new Set(rows.map(({ cluster }) => cluster)).size).toBe(3),
    ],
    [
      'the late end of a call',
      `UPDATE alarm_call SET to_at = to_at + ${5 * hour} WHERE id = (SELECT MIN(id) + 5 FROM alarm_call)`,
      (rows) => expect(new Set(rows.map(({ cluster }) => cluster)).size).toBe(1),
    ],
    ['a call that goes', 'DELETE FROM alarm_call WHERE id % 40 = 3', () => undefined],
    ['a call that says less', "UPDATE alarm_call SET labels = '{}' WHERE id % 40 = 3", () => undefined],
    [
      'a late word on a source',
      `INSERT INTO alarm_coverage (fact_source, at, read, clusters) VALUES (${source}, ${begins + 6 * day + hour}, 0, '["a"]')`,
      (rows) => expect(rows.every(({ added }) => added >= begins + 6 * day)).toBe(true),
    ],
    ['a word that goes', 'DELETE FROM alarm_coverage WHERE id = 4', () => undefined],
    ['words that move', `UPDATE alarm_coverage SET at = at + ${4 * day} WHERE id = 4`, () => undefined],
    ['other words', 'UPDATE alarm_coverage SET read = 0 WHERE id = 5', () => undefined],
    [
      'another root cause of what is over',
      `INSERT INTO fault (subject, cluster, object, objects, at, since, planned, fault, hash)
       SELECT f.subject, f.cluster, f.object, 1, f.at, f.since, 0, (SELECT fault FROM fault WHERE hash IS NOT NULL AND cluster = f.cluster LIMIT 1), NULL
       FROM fault f JOIN absence a ON a.id = f.subject WHERE a.closed_at < ${begins + 9 * day} AND f.fault IS NOT NULL ORDER BY f.id DESC LIMIT 1`,
      (rows) => expect(rows).toHaveLength(1),
    ],
    [
      'an object of the name in a call',
      `INSERT OR IGNORE INTO name (text) VALUES ('');
       INSERT INTO object (cluster, kind, namespace, name) SELECT o.cluster, o.kind, (SELECT id FROM name WHERE text = ''), o.name
       FROM call_alone a JOIN object o ON o.id = a.object LIMIT 1`,
      (rows) => expect(new Set(rows.map(({ cluster }) => cluster)).size).toBe(1),
    ],
  ])('are taken back by %s, as far as that reaches', async (name, sql, taken) => {
    const path = changed(name, sql);
    const rows = behind(path);
    expect(rows.length).toBeGreaterThan(0);
    taken(rows);
    const expected = await recomputed(path);
    expect(await figuresOf(path)).toEqual(expected);
    await keepUp(path);
    expect(behind(path)).toEqual([]);
    expect(await figuresOf(path)).toEqual(expected);
  });

  it('are taken back by an absence that is noticed late, where a call is none any more that had none', async () => {
    const path = changed(
      'a late absence',
      `INSERT INTO absence (object, cluster, uid, opened_at, bound, noticed_at, closed_at, ended, worst, reason)
       SELECT a.object, a.cluster, 'late', a.ended_at - 1, 'at-least', ${now - 1}, NULL, NULL, 'diverged', 1 FROM call_alone a LIMIT 1`,
    );
    expect(behind(path)).toHaveLength(1);
    const expected = await recomputed(path);
    expect(await figuresOf(path)).toEqual(expected);
    await keepUp(path);
    expect(await figuresOf(path)).toEqual(expected);
  });

  it('stay as they are while calls of today come and go', () => {
    const calls = `${called} SELECT ${source}, 'today', 'Away', ${named}, c.name, '[]', 0, ${dayOf(now)}, NULL, o.name, 1 FROM ${objects} WHERE o.id = 1`;
    const path = changed('today', calls, `UPDATE alarm_call SET to_at = ${now} WHERE to_at IS NULL`);
    expect(behind(path)).toEqual([]);
  });

  it('grow by a day at midnight, behind those that are there', async () => {
    const path = changed('midnight');
    const later = dayOf(now) + 2 * day + hour;
    await keepUp(path, hour, later);
    expect(rowsOf(path, `added_to = ${dayOf(later)}`).length).toBeGreaterThan(0);
    expect(await figuresOf(path)).toEqual(await recomputed(path));
    const added = numberIn(path, 'SELECT SUM(LENGTH(figures)) FROM rollup_calls');
    const fresh = changed('midnight at once', 'DELETE FROM rollup_range');
    await keepUp(fresh, hour, later);
    expect(numberIn(fresh, 'SELECT SUM(LENGTH(figures)) FROM rollup_calls')).toBe(added);
  });

  it('are added up anew for another deadline, and are not told of one for which they are not', async () => {
    const path = changed('another deadline');
    const expected = await recomputed(path, 2 * hour);
    expect(await figuresOf(path, 2 * hour)).toEqual(expected);
    await keepUp(path, 2 * hour);
    expect(await figuresOf(path, 2 * hour)).toEqual(expected);
    expect(await figuresOf(path)).toEqual(await recomputed(path));
  });

  it('begin with the first day of a block again where all of it is taken back', async () => {
    const path = changed('all', `UPDATE rollup_calls SET added_to = block * ${beginningOf(1)}`);
    expect(behind(path)).toEqual(rowsOf(path, `rolled_to > block * ${beginningOf(1)}`));
    await keepUp(path);
    expect(await figuresOf(path)).toEqual(await recomputed(path));
  });
});
