import type { DatabaseSync } from 'node:sqlite';
import { verdicts } from '#lib/domain/verdict/verdict.ts';
import { allRows, firstRow, whole } from '../rows/cells.ts';
import { prepare } from '../database.ts';
import { openDetailReader } from '../rows/detail-cell.ts';
import { openTextReader } from '../rows/text-reader.ts';
import { formsOf, instead, removeFactsWith } from './remove-alarms.ts';
import type { Removed } from './removed.ts';
import { columnsOf } from './schema.ts';

const shortest = 4;

/** Fields that name things, and are not rewritten: that would be another thing. */
const identities: ReadonlySet<string> = new Set([
  'fact_source.type',
  'fact_source.name',
  'alarm_fact.type',
  'object.name',
  'store.id',
  'housekeeping.work',
]);

/** Why a text cannot be redacted, for people; null where it can. */
export function whyNotRedacted(database: DatabaseSync, text: string): string | null {
  if (text.length < shortest) return `a text of fewer than ${shortest} characters stands in too much`;
  if (verdicts.some((verdict) => verdict.includes(text))) return "that is a word of Plumbline's own";
  const named = prepare(
    database,
    `SELECT (SELECT COUNT(*) FROM fact_source WHERE type = 'cluster' AND instr(name, ?1)), (SELECT COUNT(*) FROM object WHERE instr(name, ?1)),
       (SELECT COUNT(*) FROM name WHERE instr(text, ?1) AND id IN (SELECT kind FROM object UNION SELECT namespace FROM object)),
       (SELECT COUNT(*) FROM fact_source WHERE type <> 'cluster' AND instr(name, ?1))`,
  );
  const [clusters = 0, objects = 0, names = 0, sources = 0] = (firstRow(named, text) ?? []).map(whole);
  if (clusters + objects + names === 0)
    return sources === 0 ? null : `it is part of the names of ${sources} repositories and alarm sources`;
  return `it is part of the names of ${clusters} clusters, ${objects} objects, ${names} kinds and namespaces: purge those by --cluster or --object first`;
}

/** Puts "[purged]" in place of a text wherever the store has it, in part or whole; gives what was rewritten. Call it within a transaction. */
export function redactText(database: DatabaseSync, text: string): Removed {
  const changed: { readonly table: string; readonly count: number }[] = [...removeFactsWith(database, text)];
  for (const form of formsOf(text)) {
    for (const { table, name, type } of columnsOf(database)) {
      if (type !== 'TEXT' || identities.has(`${table}.${name}`)) continue;
      changed.push({
        table,
        count: table === 'name' ? redactNames(database, form) : redactColumn(database, table, name, form),
      });
    }
  }
  changed.push({ table: 'detail', count: redactDetails(database, text) });
  return changed.filter(({ count }) => count > 0);
}

function redactColumn(database: DatabaseSync, table: string, column: string, form: string): number {
  const sql = `UPDATE OR REPLACE ${table} SET ${column} = replace(${column}, ?1, '${instead}') WHERE instr(${column}, ?1)`;
  return Number(database.prepare(sql).run(form).changes);
}

/** Every name is there once: what would be the same as another gets a number. */
function redactNames(database: DatabaseSync, form: string): number {
  const found = allRows(prepare(database, 'SELECT id FROM name WHERE instr(text, ?)'), form);
  const put = database.prepare(`UPDATE name SET text = replace(text, ?, '[purged ' || id || ']') WHERE id = ?`);
  for (const row of found) put.run(form, whole(row[0]));
  return found.length;
}

/** Words of details are names and are redacted there; what is written out within a detail is redacted here. */
function redactDetails(database: DatabaseSync, text: string): number {
  const read = openDetailReader(openTextReader(database, 'name'));
  const some = prepare(database, 'SELECT object, detail FROM detail WHERE object > ? ORDER BY object LIMIT 500');
  const put = database.prepare('UPDATE detail SET detail = ? WHERE object = ?');
  const [form = ''] = formsOf(text).toReversed();
  let count = 0;
  for (let after = 0, rows = allRows(some, after); rows.length > 0; rows = allRows(some, after)) {
    for (const [object, detail] of rows) {
      after = whole(object);
      const json = JSON.stringify(read(detail));
      if (!json.includes(form)) continue;
      put.run(json.replaceAll(form, instead), after);
      count += 1;
    }
  }
  return count;
}
