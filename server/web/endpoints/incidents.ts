import { incidentsApi } from '#lib/api/incident.ts';
import { askRecord } from '../history/ask-record.ts';
import { incidentCsv, incidentList } from '../history/incident-list.ts';
import { csvFile } from '../http/send-lines.ts';
import { ofAnyMoment } from './served.ts';

export const incidents = ofAnyMoment(incidentsApi, {
  ask: (moment, filter) => askRecord(moment, filter, (asked) => incidentList({ ...asked, filter })),
  file: (moment, filter) =>
    filter.format === 'csv'
      ? askRecord(moment, filter, (asked) => csvFile('incidents.csv', incidentCsv({ ...asked, filter })))
      : null,
});
