import { historyParams, periodFrom, usualHere } from '#components/record/shown-period.ts';
import type { Moment } from '#lib/api/moment.ts';
import { sent } from '#server/web/sent.ts';
import type { PageMoment, WebRuntime } from '#server/web/web-runtime.ts';

/** Record of one object or cluster for its page: the timelines of the period in the address (with so many `rows`), the newest incidents. */
export async function recordHere(
  known: PageMoment,
  endpoints: WebRuntime['endpoints'],
  filter: Readonly<Record<string, string>>,
  search: Readonly<Record<string, string | string[] | undefined>>,
  moment: Moment | null,
  rows: Readonly<Record<'rows', string>>,
) {
  const at = moment === null ? {} : { at: moment.at };
  const params = { ...historyParams(filter, periodFrom(search), usualHere, at), ...rows };
  const [history, incidents] = await Promise.all([
    sent(known, endpoints.history, params),
    sent(known, endpoints.incidents, { ...filter, last: '90d', limit: '5', ...at }),
  ]);
  return {
    history: { params, history: history.answer },
    incidents: { params: incidents.params, list: incidents.answer },
  };
}
