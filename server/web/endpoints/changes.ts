import { changesApi } from '#lib/api/change.ts';
import { day } from '#lib/domain/time/length.ts';
import { unreadable } from '../http/problem.ts';
import { missingInRecord } from '../requested/not-there.ts';
import { wireChange } from '../wire/object/wire-change.ts';
import { wireTime } from '../wire/wire-time.ts';
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
    const context = moment.context(now);
    return (
      missing ?? {
        asOf: wireTime(now),
        from: wireTime(span.from),
        to: wireTime(span.to),
        changes: found.slice(0, limit).map((change) => wireChange(change, (ref) => moment.find(ref, now), context)),
        more: found.length > limit,
      }
    );
  },
});
