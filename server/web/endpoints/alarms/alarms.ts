import { alarmsApi } from '#lib/api/alarm/alarms.ts';
import { alarmCsv, alarmList } from '../../alarms/alarm-list.ts';
import { isRefused } from '../../http/problem.ts';
import { csvFile } from '../../http/send-lines.ts';
import { ofAnyMoment } from '../served.ts';

export const alarms = ofAnyMoment(alarmsApi, {
  ask: alarmList,
  async file(moment, query) {
    if (query.format !== 'csv') return null;
    const lines = await alarmCsv(moment, query);
    return isRefused(lines) ? lines : csvFile('alarms.csv', lines);
  },
});
