import type { Period } from '#lib/domain/record/span.ts';
import { day } from '#lib/domain/time/length.ts';
import { allRows, firstWhole, whole } from '../../../rows/cells.ts';
import type { Condition, Scopes } from '../record-scope.ts';
import { stepColumns, type Standing, type Standings } from './incident-rows.ts';

/** Few incidents last for longer than a day: an index holds those, and those that last still. */
export const longIncidents = `FROM incident i INDEXED BY incident_long WHERE i.merged_into IS NULL
  AND (i.closed_at IS NULL OR MAX(i.closed_at, i.changed_at) - MIN(i.opened_at, i.noticed_at) > ${day})`;
const noticed = 'FROM incident i INDEXED BY incident_noticed WHERE i.merged_into IS NULL';

/** Incidents `i` that are no part of others and may last at some time in a period: those of late, and older ones that last long. */
export function incidentsAbout({ from, to }: Period): { readonly late: Condition; readonly older: Condition } {
  return {
    late: { sql: `${noticed} AND i.noticed_at >= ? AND i.noticed_at < ?`, parameters: [from - day, to] },
    older: { sql: `${longIncidents} AND i.noticed_at < ?`, parameters: [from - day] },
  };
}

/** Incidents as they were known at a moment (ms). */
export interface KnownThen {
  /** Nothing was recorded of any of them later: rows say all, and no member came later. */
  readonly isNow: boolean;
  /** As they stood then: those of which something was recorded later, but for those that were part of others. */
  readonly changed: readonly Standing[];
  /** Rows of all those of which something was recorded later. */
  readonly changedRows: readonly number[];
  /** Of the other incidents `i`, which stood as their rows say. */
  readonly unchanged: Condition;
}

/** Of more that changed later, those of the time are looked through instead. */
const mostChanged = 5_000;

/** Reads which incidents were known when. Most rows say how their incident stood at any moment since its last step. */
export function openMoments(scopes: Scopes, { standingOf }: Standings) {
  const later = scopes.statement('SELECT 1 FROM incident_step INDEXED BY incident_step_at WHERE at > ? LIMIT 1');
  const changedSince = 'i.changed_at > ?1';
  const candidates = `
    SELECT i.id ${noticed} AND i.noticed_at >= ?1 - ${day} AND i.noticed_at <= ?1 AND ${changedSince}
    UNION ALL SELECT i.id ${longIncidents} AND i.noticed_at < ?1 - ${day} AND ${changedSince}
    UNION ALL SELECT i.id FROM incident i INDEXED BY incident_merged
      WHERE i.merged_into IS NOT NULL AND ${changedSince} AND i.noticed_at <= ?1`;
  const changedLast = scopes.statement(
    `SELECT id, noticed_at FROM incident INDEXED BY incident_changed WHERE changed_at > ? LIMIT ${mostChanged}`,
  );
  const lastSteps = scopes.statement(
    `SELECT ${stepColumns} FROM json_each(?1) c CROSS JOIN incident_step s ON s.id = (
       SELECT p.id FROM incident_step p INDEXED BY incident_step_of
       WHERE p.incident = c.value AND p.at <= ?2 ORDER BY p.at DESC, p.id DESC LIMIT 1
     )`,
  );

  /** Rows of those that were known at `at` and of which something was recorded later: few where `at` is of late. */
  function changedSinceThen(at: number): readonly number[] {
    const rows = allRows(changedLast, at);
    if (rows.length === mostChanged) return scopes.ids(candidates, [at]);
    return rows.filter((row) => whole(row[1]) <= at).map((row) => whole(row[0]));
  }

  function stood(ids: readonly number[], at: number): readonly Standing[] {
    return allRows(lastSteps, JSON.stringify(ids), at).map(standingOf);
  }

  return {
    knownAt(at: number): KnownThen {
      if (firstWhole(later, at) === null)
        return { isNow: true, changed: [], changedRows: [], unchanged: { sql: 'TRUE', parameters: [] } };
      const ids = changedSinceThen(at);
      const unchanged = {
        sql: 'i.noticed_at <= ? AND i.id NOT IN (SELECT value FROM json_each(?))',
        parameters: [at, JSON.stringify(ids)],
      };
      return { isNow: false, changedRows: ids, changed: stood(ids, at).filter(({ into }) => into === null), unchanged };
    },
    /** The standing of one incident, part of another or not; null where it was not known. */
    stoodAt: (id: number, at: number): Standing | null => stood([id], at)[0] ?? null,
  };
}

/** Reads how incidents were known when. */
export type Moments = ReturnType<typeof openMoments>;
