import { absencesApi } from '#lib/api/absence.ts';
import { askRecord } from '../history/ask-record.ts';
import { absenceCsv, absenceList } from '../history/absence-list.ts';
import { csvFile } from '../http/send-lines.ts';
import { ofAnyMoment } from './served.ts';

export const absences = ofAnyMoment(absencesApi, {
  ask: (moment, filter) => askRecord(moment, filter, (asked) => absenceList({ ...asked, filter })),
  file: (moment, filter) =>
    filter.format === 'csv'
      ? askRecord(moment, filter, (asked) => csvFile('absences.csv', absenceCsv({ ...asked, filter })))
      : null,
});
