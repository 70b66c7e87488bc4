import { transitionsApi, type TransitionsQuery, type WireTransitionList } from '#lib/api/transition.ts';
import type { RecordReader } from '#server/store/port/record-port.ts';
import type { Transition } from '#lib/domain/record/current.ts';
import { periodOf } from '../history/period.ts';
import { pagesOf, type RecordPages } from '../history/record-pages.ts';
import { clustersOf } from '../history/record-scope.ts';
import { badCursor, refuse, unreadable, type Refused } from '../http/problem.ts';
import { wireNotedTransition } from '../past/changed.ts';
import { missingInRecord } from '../requested/not-there.ts';
import { wireTime } from '../wire/wire-time.ts';
import { ofPresent } from './served.ts';

export const transitions = ofPresent(transitionsApi, {
  async ask(moment, query) {
    const now = moment.now();
    const record = moment.reader()?.record;
    if (!record) return unreadable;
    const { cluster } = query;
    const answer = async () =>
      (await missingInRecord(moment.fleet.all(now), { cluster }, record, now)) ?? listOf(record, query, now);
    return answer().catch(() => unreadable);
  },
});

async function listOf(
  record: RecordReader,
  query: TransitionsQuery,
  now: number,
): Promise<WireTransitionList | Refused> {
  const period = periodOf(query, now);
  if ('type' in period) return refuse(period);
  const read: RecordPages<Transition>['read'] = (scope, cursor, limit) =>
    record.transitions(scope, period, { cursor, limit });
  const page = await pagesOf({ scopes: [{ clusters: clustersOf(query) }], read }, query.cursor, query.limit);
  if (page === null) return badCursor;
  return {
    asOf: wireTime(now),
    from: wireTime(period.from),
    to: wireTime(period.to),
    transitions: page.items.map(wireNotedTransition),
    nextCursor: page.next,
  };
}
