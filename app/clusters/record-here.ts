import { historyParams, periodFrom, usualHere } from '#components/history/shown-period.ts';
import type { Moment } from '#lib/api/moment.ts';
import { sentHistory, sentIncidents } from '#server/web/history/sent.ts';
import type { KnownQueries } from '#server/web/web-runtime.ts';

/** What the record tells of one object or cluster, for its page: the timelines of the period in the address (with so many `rows`), the newest incidents. */
export async function recordHere(
  queries: KnownQueries,
  filter: Readonly<Record<string, string>>,
  search: Readonly<Record<string, string | string[] | undefined>>,
  moment: Moment | null,
  rows: Readonly<Record<'rows', string>>,
) {
  const at = moment === null ? {} : { at: moment.at };
  const [history, incidents] = await Promise.all([
    sentHistory(queries, { ...historyParams(filter, periodFrom(search), usualHere, at), ...rows }),
    sentIncidents(queries, { ...filter, last: '90d', limit: '5', ...at }),
  ]);
  return { history, incidents };
}
