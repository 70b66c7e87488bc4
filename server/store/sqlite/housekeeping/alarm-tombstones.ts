import type { DatabaseSync } from 'node:sqlite';
import { hour } from '#lib/domain/time/length.ts';
import { allRows, firstWhole, whole } from '../rows/cells.ts';
import { prepare } from '../database.ts';
import type { Progress, Work } from './work.ts';

/** So many tombstones of one alarm source are kept: a follower that is further behind reads everything anew. */
const kept = 10_000;
const atOnce = 1_000;

/**
 * Once in an hour deletes the older tombstones of facts: alerts come and go under ever new keys, unlike objects, and would fill the store. How far
 * they are gone is kept beside the source, so that no follower misses one.
 */
export function alarmTombstones(database: DatabaseSync, progress: Progress): Work {
  const sources = prepare(database, 'SELECT fact_source FROM alarm_source ORDER BY fact_source');
  const newestOld = prepare(
    database,
    'SELECT seq FROM alarm_fact WHERE fact_source = ? AND body IS NULL ORDER BY seq DESC LIMIT 1 OFFSET ?',
  );
  const sweep = database.prepare('UPDATE alarm_source SET swept_seq = MAX(swept_seq, ?) WHERE fact_source = ?');
  const drop = database.prepare(
    `DELETE FROM alarm_fact WHERE id IN (
       SELECT id FROM alarm_fact WHERE fact_source = ? AND body IS NULL AND seq <= ? ORDER BY seq LIMIT ${atOnce})`,
  );
  return (_, now) => {
    const begun = Math.floor(now / hour) * hour;
    if (progress.get('alarm-tombstones') >= begun) return false;
    for (const row of allRows(sources)) {
      const source = whole(row[0]);
      const seq = firstWhole(newestOld, source, kept);
      if (seq === null) continue;
      sweep.run(seq, source);
      drop.run(source, seq);
      return true;
    }
    progress.set('alarm-tombstones', begun);
    return true;
  };
}
