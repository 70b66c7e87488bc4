import type { DatabaseSync } from 'node:sqlite';
import { addCallDays, callDaysFormat, callDaysWork, ofAllKinds } from '../../codec/alarm/call-block.ts';
import { beginningOf } from '../../codec/rollup-block.ts';
import type { Progress } from '../housekeeping/work.ts';
import { openScopes } from '../reading/record/record-scope.ts';
import { firstRow, firstWhole, whole, type Cell } from '../rows/cells.ts';
import { prepare } from '../database.ts';
import { openCalledBlock } from './called-block.ts';

/**
 * Prepares the work of adding up the calls of days that are rolled up, over the writing connection. A step does the days of one block of one cluster that
 * are not, the newest first: some milliseconds. Gives whether there may be more. What is done twice comes to the same. Without an alarm source there is
 * nothing to do. Call it within a transaction only.
 */
export function openCallDays(database: DatabaseSync, progress: Progress, alarmWithin: number): () => boolean {
  const blockOf = openCalledBlock(openScopes(database));
  const source = prepare(database, 'SELECT 1 FROM alarm_coverage LIMIT 1');
  const behind = prepare(
    database,
    `SELECT cluster, block, added_to, rolled_to, begins_at, figures, kinds FROM rollup_calls INDEXED BY rollup_calls_behind
     WHERE added_to < rolled_to ORDER BY block DESC LIMIT 1`,
  );
  const write = database.prepare(
    'UPDATE rollup_calls SET added_to = ?3, begins_at = ?4, figures = ?5, kinds = ?6 WHERE cluster = ?1 AND block = ?2',
  );
  const dropAlone = database.prepare('DELETE FROM call_alone WHERE cluster = ? AND block = ? AND ended_at >= ?');
  const writeAlone = database.prepare(
    'INSERT OR REPLACE INTO call_alone (call, object, cluster, block, ended_at, name) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const restart = database.prepare(`UPDATE rollup_calls SET added_to = block * ${beginningOf(1)}`);

  /** Another deadline, or another rule, makes all of them anew. */
  function requireSame(): void {
    if (progress.get(callDaysWork.within) === alarmWithin && progress.get(callDaysWork.format) === callDaysFormat)
      return;
    restart.run();
    progress.set(callDaysWork.within, alarmWithin);
    progress.set(callDaysWork.format, callDaysFormat);
  }

  return () => {
    if (firstWhole(source) === null) return false;
    requireSame();
    const row = firstRow(behind);
    if (row === null) return false;
    const [cluster, block, to] = [whole(row[0]), whole(row[1]), whole(row[3])];
    const [figures, kinds] = [bytesOf(row[5]), bytesOf(row[6])];
    const from = figures === null ? beginningOf(block) : whole(row[2]);
    dropAlone.run(cluster, block, from);
    const found = blockOf({ cluster, period: { from, to }, alarmWithin });
    if (found === null) {
      write.run(cluster, block, to, whole(row[4]), null, null);
      return true;
    }
    const begins = Math.min(found.begins, from > beginningOf(block) ? whole(row[4]) : beginningOf(block));
    const all = addCallDays(figures, block, found.days.map(ofAllKinds));
    write.run(cluster, block, to, begins, all, addCallDays(kinds, block, found.days));
    for (const { call, objects, endedAt, name } of found.alone)
      for (const object of objects) writeAlone.run(call, object, cluster, block, endedAt, name);
    return true;
  };
}

function bytesOf(cell: Cell): Uint8Array | null {
  return cell instanceof Uint8Array ? cell : null;
}
