import { changesApi } from '#lib/api/change.ts';
import { day } from '#lib/domain/time/length.ts';
import { unreadable } from '../http/problem.ts';
import { missingInRecord } from '../requested/not-there.ts';
import { changeList } from '../wire/lists/change-list.ts';
import { ofPresent } from './served.ts';

export const changes = ofPresent(changesApi, {
  async ask(moment, { cluster, from, to, limit }) {
    const now = moment.now();
    const end = to === '' ? now : Date.parse(to);
    const span = { from: from === '' ? end - day : Date.parse(from), to: end };
    const store = moment.reader();
    const asked = { ...span, limit: limit + 1, ...(cluster === '' ? {} : { cluster }) };
    const found = (await store?.changes(asked).catch(() => null)) ?? null;
    if (!store || found === null) return unreadable;
    const missing =
      found.length > 0 ? null : await missingInRecord(moment.fleet.all(now), { cluster }, store.record, now);
    return missing ?? changeList(found, span, limit, (ref) => moment.find(ref, now), moment.context(now));
  },
});
