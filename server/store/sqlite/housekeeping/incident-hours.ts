import type { DatabaseSync } from 'node:sqlite';
import { hour } from '#lib/domain/time/length.ts';
import { encodeIncidentHour } from '../../codec/incident-hour.ts';
import { causeFiguresOf, emptyCauses } from '../../record/incident/cause-tally.ts';
import { addClosed, addOpened } from '../reading/record/incident/cause-sums.ts';
import { openScopes } from '../reading/record/record-scope.ts';
import { firstWhole } from '../rows/cells.ts';
import { prepare } from '../database.ts';
import type { Work } from './work.ts';

const everything = { sql: 'TRUE', parameters: [] };

/** Adds up the incidents of hours that are over and open, one hour a step, the oldest first. */
export function incidentHours(database: DatabaseSync): Work {
  const scopes = openScopes(database);
  const next = prepare(database, 'SELECT MIN(hour) FROM incident_hour_open WHERE hour < ?');
  const lastNoticed = prepare(
    database,
    `SELECT MAX(by) FROM (
       SELECT MAX(noticed_at) AS by FROM incident INDEXED BY incident_noticed
       WHERE merged_into IS NULL AND noticed_at >= ?1 AND noticed_at < ?2
       UNION ALL SELECT MAX(noticed_at) FROM incident INDEXED BY incident_closed
       WHERE merged_into IS NULL AND ended IN ('converged', 'seen') AND closed_at >= ?1 AND closed_at < ?2
       UNION ALL SELECT MAX(noticed_at) FROM incident INDEXED BY incident_gone
       WHERE merged_into IS NULL AND ended NOT IN ('converged', 'seen') AND closed_at >= ?1 AND closed_at < ?2)`,
  );
  const close = database.prepare('DELETE FROM incident_hour_open WHERE hour = ?');
  const remove = database.prepare('DELETE FROM incident_hour WHERE hour = ?');
  const write = database.prepare(
    `INSERT INTO incident_hour (hour, noticed_by, figures) VALUES (?, ?, ?)
     ON CONFLICT (hour) DO UPDATE SET noticed_by = excluded.noticed_by, figures = excluded.figures`,
  );

  return (_, now) => {
    const from = firstWhole(next, Math.floor(now / hour) * hour);
    if (from === null) return false;
    const period = { from, to: from + hour };
    const noticedBy = firstWhole(lastNoticed, period.from, period.to);
    if (noticedBy === null) remove.run(from);
    else {
      const tally = emptyCauses();
      addOpened(scopes, tally, everything, period);
      addClosed(scopes, tally, everything, period);
      write.run(from, noticedBy, encodeIncidentHour(causeFiguresOf(tally)));
    }
    close.run(from);
    return true;
  };
}
