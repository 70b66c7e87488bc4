import { incidentNewsTypes, type IncidentNews, type IncidentNewsType } from '#lib/domain/incident/incident.ts';
import { allRows, firstRow, firstWhole, text, whole, type Row } from '../../../rows/cells.ts';
import type { Scopes } from '../record-scope.ts';
import type { IncidentDetails } from './incident-details.ts';
import { standingWidth, stepColumns, type Standings } from './incident-rows.ts';

const typeNamed: ReadonlyMap<string, IncidentNewsType> = new Map(incidentNewsTypes.map((type) => [type, type]));

const columns = `${stepColumns}, s.id, s.type`;

/** Steps of incidents over an open database: of one, and the news of all. */
export function openIncidentNews(scopes: Scopes, { standingOf }: Standings, details: IncidentDetails) {
  const ofOne = scopes.statement(
    `SELECT ${columns} FROM incident_step s INDEXED BY incident_step_of
     WHERE s.incident = ? AND s.at <= ? ORDER BY s.at DESC, s.id DESC LIMIT ?`,
  );
  const after = scopes.statement(`SELECT ${columns} FROM incident_step s WHERE s.id > ? ORDER BY s.id LIMIT ?`);
  const ends = scopes.statement(
    `SELECT (SELECT MIN(id) FROM incident_step), COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'incident_step'), 0)`,
  );
  const progress = scopes.statement("SELECT place FROM housekeeping WHERE work = 'incidents-up-to'");

  function newsOf(row: Row): IncidentNews {
    const { incident, at, objects, clusters, cause, worst, reason, ended, into } = standingOf(row);
    return {
      position: whole(row[standingWidth]),
      incident: details.idOf(incident),
      type: typeNamed.get(text(row[standingWidth + 1])) ?? 'changed',
      at,
      now: { objects, clusters },
      cause,
      worst,
      reason,
      ended,
      into: into === null ? null : details.idOf(into),
    };
  }

  return {
    incidentSteps(id: string, at: number, limit: number): readonly IncidentNews[] {
      const incident = details.rowOf(id);
      return incident === null ? [] : allRows(ofOne, incident, at, limit).map(newsOf).toReversed();
    },
    incidentNews(position: number | null, limit: number) {
      const [oldest, last] = firstRow(ends) ?? [];
      const newest = whole(last);
      if (position === null) return { news: [], position: newest, reset: false };
      const kept = typeof oldest === 'number' ? oldest : newest + 1;
      if (position > newest || position < kept - 1) return { news: [], position: newest, reset: true };
      const news = allRows(after, position, limit).map(newsOf);
      return { news, position: news.at(-1)?.position ?? position, reset: false };
    },
    incidentsUpTo: (): number | null => firstWhole(progress),
  };
}
