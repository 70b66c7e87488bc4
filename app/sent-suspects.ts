import type { SentSuspects } from '#components/suspects/use-suspects.ts';
import { SuspectsQuery } from '#lib/api/git/suspect.ts';
import type { Moment } from '#lib/api/moment.ts';
import { isRefused } from '#server/web/http/problem.ts';
import type { PageMoment, WebRuntime } from '#server/web/web-runtime.ts';

/** Suspects to send with a page, those that git tells in time: what comes later is asked for by the page itself. */
export async function sentSuspects(
  {
    known,
    runtime: { endpoints, patience },
    moment,
  }: {
    readonly known: PageMoment;
    readonly runtime: Pick<WebRuntime, 'endpoints' | 'patience'>;
    readonly moment: Moment | null;
  },
  asked: { readonly incident: string } | { readonly object: string },
): Promise<SentSuspects> {
  const params = { ...asked, ...(moment === null ? {} : { at: moment.at }) };
  const query = SuspectsQuery.parse({ ...asked, wait: patience.beside.wait() });
  const answer = await known.ask(endpoints.suspects, query);
  if (isRefused(answer)) return { params, answer: null };
  if (answer.rows.some(({ suspicion }) => suspicion?.late === true)) patience.beside.wasLate();
  return { params, answer };
}
