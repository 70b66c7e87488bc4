import { correctionsApi } from '#lib/api/correction.ts';
import { askRecord } from '../history/ask-record.ts';
import { correctionCsv, correctionList } from '../history/correction-list.ts';
import { csvFile } from '../http/send-lines.ts';
import { ofAnyMoment } from './served.ts';

export const corrections = ofAnyMoment(correctionsApi, {
  ask: (moment, filter) => askRecord(moment, filter, (asked) => correctionList({ ...asked, filter })),
  file: (moment, filter) =>
    filter.format === 'csv'
      ? askRecord(moment, filter, (asked) => csvFile('corrections.csv', correctionCsv({ ...asked, filter })))
      : null,
});
