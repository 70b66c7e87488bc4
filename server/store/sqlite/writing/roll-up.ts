import type { DatabaseSync } from 'node:sqlite';
import { dayOf } from '#lib/domain/time/utc-day.ts';
import { beginningOf, blockOf } from '../../codec/rollup-block.ts';
import { firstRow, firstWhole, whole, wholeOrNull } from '../rows/cells.ts';
import { prepare } from '../database.ts';
import { openRecordGaps } from '../reading/record/record-gaps.ts';
import { openAbsenceReader } from '../reading/record/absence-reader.ts';
import { openPieces } from '../reading/record/record-pieces.ts';
import { openScopes } from '../reading/record/record-scope.ts';
import { rolledBlock } from './rolled-block.ts';
import { openSnapshotWriter } from './snapshot-writer.ts';

/**
 * Prepares the work of keeping what closed days come to, over the writing connection. A step rolls up one block of one cluster, of the
 * days that are over at `now` (ms): some milliseconds of work. Gives whether there may be more. What is done twice comes to the same.
 * Call it within a transaction only.
 */
export function openRollUp(database: DatabaseSync): (now: number) => boolean {
  const scopes = openScopes(database);
  const pieces = openPieces(scopes, openRecordGaps(scopes));
  const readers = { scopes, pieces, absences: openAbsenceReader(scopes, pieces) };
  const writeSnapshot = openSnapshotWriter(database);
  const behind = prepare(
    database,
    `SELECT c.id, r.to_day FROM cluster c LEFT JOIN rollup_range r ON r.cluster = c.id
     WHERE r.to_day IS NULL OR r.to_day < ? ORDER BY r.to_day, c.id LIMIT 1`,
  );
  const firstNoticed = prepare(database, 'SELECT MIN(noticed_at) FROM transition WHERE cluster = ?');
  const write = database.prepare(
    `INSERT INTO rollup (cluster, block, totals, shares, away) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (cluster, block) DO UPDATE SET totals = excluded.totals, shares = excluded.shares, away = excluded.away`,
  );
  const writeAbsences = database.prepare(
    `INSERT INTO rollup_absences (cluster, block, absences) VALUES (?, ?, ?)
     ON CONFLICT (cluster, block) DO UPDATE SET absences = excluded.absences`,
  );
  const writeAway = database.prepare(
    `INSERT INTO rollup_union (cluster, block, lists) VALUES (?, ?, ?)
     ON CONFLICT (cluster, block) DO UPDATE SET lists = excluded.lists`,
  );
  const reach = database.prepare(
    `INSERT INTO rollup_range (cluster, from_day, to_day) VALUES (?, 0, ?) ON CONFLICT (cluster) DO UPDATE SET to_day = excluded.to_day`,
  );

  return (now) => {
    const today = dayOf(now);
    const next = firstRow(behind, today);
    if (next === null) return false;
    const cluster = whole(next[0]);
    const first = wholeOrNull(next[1]) ?? firstWhole(firstNoticed, cluster);
    if (first === null || first >= today) {
      reach.run(cluster, today);
      return true;
    }
    const block = blockOf(first);
    const period = { from: beginningOf(block), to: Math.min(beginningOf(block + 1), today) };
    const { totals, shares, away, absences, lists } = rolledBlock(readers, cluster, period);
    write.run(cluster, block, totals, shares, away);
    writeAbsences.run(cluster, block, absences);
    writeAway.run(cluster, block, lists);
    writeSnapshot(cluster, period);
    reach.run(cluster, period.to);
    return true;
  };
}
