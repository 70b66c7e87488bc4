import { historyApi, type HistoryQuery } from '#lib/api/history.ts';
import { askRecord, type RecordQuestion } from '../history/ask-record.ts';
import { historyCsv } from '../history/history-csv.ts';
import { timelines } from '../history/timelines.ts';
import { csvFile } from '../http/send-lines.ts';
import { ofAnyMoment } from './served.ts';

export const history = ofAnyMoment(historyApi, {
  ask: (moment, query) => askRecord(moment, query, (asked) => lanesOf(query, asked)),
  file(moment, query) {
    if (query.format !== 'csv') return null;
    return askRecord(moment, query, (asked) =>
      csvFile(
        'history.csv',
        historyCsv(query, (page) => lanesOf(page, asked)),
      ),
    );
  },
});

function lanesOf(query: HistoryQuery, { record, scopes, period, clusters, find, context }: RecordQuestion) {
  return timelines({ record, query, scopes, period, fleet: clusters, find, now: context.now });
}
