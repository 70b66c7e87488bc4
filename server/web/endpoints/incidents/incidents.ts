import { incidentsApi } from '#lib/api/incident.ts';
import { askRecord } from '../../history/ask-record.ts';
import { isRefused } from '../../http/problem.ts';
import { csvFile } from '../../http/send-lines.ts';
import { incidentCsv, incidentList } from '../../incidents/incident-list.ts';
import { ofAnyMoment } from '../served.ts';

export const incidents = ofAnyMoment(incidentsApi, {
  ask: (moment, filter) => askRecord(moment, filter, (asked) => incidentList({ ...asked, filter })),
  file(moment, filter) {
    if (filter.format !== 'csv') return null;
    return askRecord(moment, filter, async (asked) => {
      const lines = await incidentCsv({ ...asked, filter });
      return isRefused(lines) ? lines : csvFile('incidents.csv', lines);
    });
  },
});
