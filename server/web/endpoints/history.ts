import { historyApi } from '#lib/api/history.ts';
import { askRecord } from '../history/ask-record.ts';
import { historyCsv } from '../history/history-csv.ts';
import { timelines } from '../history/timelines.ts';
import { csvFile } from '../http/send-lines.ts';
import { heavyTurns } from '../turns/heavy-turns.ts';
import { ofAnyMoment } from './served.ts';

/** Of ninety days one takes a tenth of a second, after the record has answered. */
const inTurn = heavyTurns();

export const history = ofAnyMoment(historyApi, {
  ask: (moment, query) => askRecord(moment, query, (asked) => inTurn(() => timelines({ ...asked, query }))),
  file(moment, whole) {
    if (whole.format !== 'csv') return null;
    return askRecord(moment, whole, (asked) => {
      return csvFile(
        'history.csv',
        historyCsv(whole, (query) => inTurn(() => timelines({ ...asked, query }))),
      );
    });
  },
});
