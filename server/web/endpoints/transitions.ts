import { transitionsApi } from '#lib/api/transition.ts';
import { unreadable } from '../http/problem.ts';
import { transitionList } from '../past/transition-list.ts';
import { missingInRecord } from '../requested/not-there.ts';
import { ofPresent } from './served.ts';

export const transitions = ofPresent(transitionsApi, {
  async ask(moment, query) {
    const now = moment.now();
    const record = moment.reader()?.record;
    if (!record) return unreadable;
    const { cluster } = query;
    const answer = async () =>
      (await missingInRecord(moment.fleet.all(now), { cluster }, record, now)) ?? transitionList(record, query, now);
    return answer().catch(() => unreadable);
  },
});
