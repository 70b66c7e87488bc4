import type { DatabaseSync } from 'node:sqlite';
import type { AlarmCall } from '#lib/domain/alarm/call.ts';
import { meaningOf } from '#lib/domain/alarm/called/call-meaning.ts';
import type { Labels } from '#lib/domain/alarm/fact.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { decodeLabels } from '../../codec/alarm/decode-alarms.ts';
import { calledObject, isCalled } from '../../record/alarm/called-object.ts';
import { allRows, text, textOrNull, whole } from '../rows/cells.ts';
import { prepare } from '../database.ts';
import type { Removed } from './removed.ts';

/** Put in place of what was purged. */
export const instead = '[purged]';

/** The text as it stands, and as it stands within JSON. */
export function formsOf(named: string): readonly string[] {
  return [...new Set([named, JSON.stringify(named).slice(1, -1)])];
}

/**
 * Removes all that alarm sources tell now, of each that tells of a text anywhere: it is known of none of them then, until the collector has read them
 * anew. So nothing is said to be missing that was only purged.
 */
export function removeFactsWith(database: DatabaseSync, named: string): Removed {
  const sources = prepare(
    database,
    `SELECT fact_source FROM alarm_fact WHERE instr(body, ?1) OR instr(key, ?1)
     UNION SELECT fact_source FROM alarm_source WHERE instr(record, ?1)`,
  );
  const forget = database.prepare('UPDATE alarm_source SET record = NULL WHERE fact_source = ?');
  const drop = database.prepare('DELETE FROM alarm_fact WHERE fact_source = ?');
  const found = new Set(formsOf(named).flatMap((form) => allRows(sources, form).map((row) => whole(row[0]))));
  let count = 0;
  for (const source of found) {
    forget.run(source);
    count += Number(drop.run(source).changes);
  }
  return found.size === 0
    ? []
    : [
        { table: 'alarm_source', count: found.size },
        { table: 'alarm_fact', count },
      ];
}

/**
 * Removes calls for a cluster, and its name from where it stands among those that a source spoke for. A call for another cluster, or of which it is not
 * known for which it was, stays: nobody is to be told that nobody was called then. It loses the name where that is no word on what it was for.
 */
export function removeAlarmsOfCluster(database: DatabaseSync, name: string): Removed {
  const calls = database.prepare('DELETE FROM alarm_call WHERE attributed = ?');
  const coverage = database.prepare(
    `UPDATE OR REPLACE alarm_coverage SET clusters = replace(clusters, ?1, '"${instead}"') WHERE instr(clusters, ?1)`,
  );
  return [
    ...removeFactsWith(database, name),
    { table: 'alarm_call', count: Number(calls.run(name).changes) + takeFromLabels(database, name) },
    { table: 'alarm_coverage', count: Number(coverage.run(JSON.stringify(name)).changes) },
  ];
}

/** Takes the name of a cluster out of the labels of calls for others, which name it beside what they are for; gives how many it changed. */
function takeFromLabels(database: DatabaseSync, name: string): number {
  const mentioning = prepare(
    database,
    `SELECT id, labels, attributed, reads_objects FROM alarm_call
     WHERE json_valid(labels) AND EXISTS (SELECT 1 FROM json_each(labels) WHERE value = ?)`,
  );
  const write = database.prepare('UPDATE alarm_call SET labels = ? WHERE id = ?');
  let count = 0;
  for (const [id, labels, attributed, reads] of allRows(mentioning, name)) {
    const before = decodeLabels(text(labels));
    const call = { cluster: textOrNull(attributed), readsObjects: reads === null ? null : whole(reads) === 1 };
    const after = withoutName(before, name, (changed) => wordOf({ ...call, labels: changed }));
    if (after === before) continue;
    write.run(JSON.stringify(after), whole(id));
    count += 1;
  }
  return count;
}

/** Labels without a text in those that say nothing of what a call was for, as `wordOf` tells that. */
function withoutName(labels: Labels, name: string, word: (labels: Labels) => string): Labels {
  const meant = word(labels);
  return Object.entries(labels).reduce((kept, [label, value]) => {
    const changed = value === name ? { ...kept, [label]: instead } : kept;
    return word(changed) === meant ? changed : kept;
  }, labels);
}

function wordOf(call: Pick<AlarmCall, 'cluster' | 'labels' | 'readsObjects'>): string {
  return JSON.stringify([meaningOf(call), calledObject(call)]);
}

/**
 * Takes out of calls for an object all that they say of it. That there was a call stays: it may have been for what waited for the object, and that is not to
 * be told as silent.
 */
export function removeAlarmsOfObject(database: DatabaseSync, ref: ObjectRef): Removed {
  const named = prepare(database, 'SELECT id, labels FROM alarm_call WHERE attributed = ? AND of_name = ?');
  const drop = database.prepare(
    `UPDATE alarm_call SET key = '${instead} ' || id, alert = '${instead}', labels = '{}', receivers = '[]', reads_objects = 1,
       of_group = NULL, of_kind = NULL, of_namespace = NULL, of_name = NULL WHERE id = ?`,
  );
  let count = 0;
  for (const [id, labels] of allRows(named, ref.cluster, ref.name)) {
    if (!isCalled(calledObject({ cluster: ref.cluster, labels: decodeLabels(text(labels)) }), ref)) continue;
    drop.run(whole(id));
    count += 1;
  }
  return [...removeFactsWith(database, ref.name), { table: 'alarm_call', count }];
}
