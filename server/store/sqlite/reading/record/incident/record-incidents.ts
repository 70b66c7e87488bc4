import type { Incident } from '#lib/domain/incident/incident.ts';
import type { FoundIncident, IncidentQuestion } from '../../../../port/incident-port.ts';
import type { RecordCursor, RecordPage } from '../../../../port/record-port.ts';
import { oneRow } from '../../../rows/cells.ts';
import { noPage, pageOfRows, type PageKey } from '../page-cursor.ts';
import type { Scopes } from '../record-scope.ts';
import { openCauseFigures } from './cause-figures.ts';
import { openFaultReader } from './fault-reader.ts';
import { openIncidentDetails } from './incident-details.ts';
import { openIncidentList } from './incident-list.ts';
import { openIncidentMembers } from './incident-members.ts';
import { openMoments } from './incident-moments.ts';
import { openIncidentNews } from './incident-news.ts';
import { incidentColumns, openStandings, type Standing } from './incident-rows.ts';

/** Answers about incidents over an open database: `IncidentReader`, at once. */
export function openRecordIncidents(scopes: Scopes) {
  const standings = openStandings(scopes);
  const faults = openFaultReader(scopes);
  const details = openIncidentDetails(scopes, standings, faults);
  const moments = openMoments(scopes, standings);
  const { page, incidentCount } = openIncidentList(scopes, moments);
  const one = scopes.statement(`SELECT ${incidentColumns} FROM incident i WHERE i.id = ?`);

  /** The incident that lived at `at` with all that was in another. */
  function livingAt(incident: number, at: number): number {
    const into = moments.stoodAt(incident, at)?.into ?? null;
    return into === null ? incident : livingAt(into, at);
  }

  return {
    incidents(
      question: IncidentQuestion,
      asked: { readonly cursor: RecordCursor | null; readonly limit: number },
    ): RecordPage<Incident> {
      const found = page(question, asked);
      if (found === null) return noPage;
      const changed = new Map(found.changed.map((standing) => [standing.incident, standing]));
      const standing = (id: number): Standing => changed.get(id) ?? standings.standingOf(oneRow(one, id));
      const read = ({ id }: PageKey): Incident => details.incidentOf(standing(id), question.at);
      return pageOfRows(found.keys, asked.limit, (key) => key, read);
    },
    incidentCount,
    incident(id: string, at: number): FoundIncident | null {
      const row = details.rowOf(id);
      const stood = row === null ? null : moments.stoodAt(row, at);
      if (stood === null) return null;
      if (stood.into === null) return { type: 'incident', incident: details.incidentOf(stood, at) };
      return { type: 'merged', into: details.idOf(livingAt(stood.into, at)), at: stood.at };
    },
    ...openIncidentMembers(scopes, details, faults),
    ...openIncidentNews(scopes, standings, details),
    causeFigures: openCauseFigures(scopes, moments),
  };
}
