import { wordsOf } from '#lib/api/exemption.ts';
import type { TransitionsQuery, WireTransitionList } from '#lib/api/transition.ts';
import type { RecordReader } from '#server/store/port/record-port.ts';
import { periodOf } from '../history/period.ts';
import { pagesOf } from '../history/record-pages.ts';
import { badCursor, refuse, type Refused } from '../http/problem.ts';
import { wireTime } from '../wire/wire-time.ts';
import { wireNotedTransition } from './changed.ts';

/** Changes of verdict in a period up to `now` (ms), one page of them. */
export async function transitionList(
  record: RecordReader,
  query: TransitionsQuery,
  now: number,
): Promise<WireTransitionList | Refused> {
  const period = periodOf(query, now);
  if ('type' in period) return refuse(period);
  const names = wordsOf(query.cluster);
  const page = await pagesOf(
    {
      scopes: [{ clusters: names.length === 0 ? null : names }],
      read: (scope, cursor, limit) => record.transitions(scope, period, { cursor, limit }),
      keeps: () => true,
    },
    query.cursor,
    query.limit,
  );
  if (page === null) return badCursor;
  return {
    asOf: wireTime(now),
    from: wireTime(period.from),
    to: wireTime(period.to),
    transitions: page.items.map(wireNotedTransition),
    nextCursor: page.next,
  };
}
