import type { SentSuspects } from '#components/suspects/use-suspects.ts';
import { SuspectsQuery } from '#lib/api/git/suspect.ts';
import type { Moment } from '#lib/api/moment.ts';
import { isRefused } from '#server/web/http/problem.ts';
import type { PageMoment, WebRuntime } from '#server/web/web-runtime.ts';

/** So long (ms) a page waits for git: what comes later is asked for by the page itself. */
const patience = 500;

/** Suspects to send with a page. */
export async function sentSuspects(
  {
    known,
    endpoints,
    moment,
  }: {
    readonly known: PageMoment;
    readonly endpoints: WebRuntime['endpoints'];
    readonly moment: Moment | null;
  },
  asked: { readonly incident: string } | { readonly object: string },
): Promise<SentSuspects> {
  const params = { ...asked, ...(moment === null ? {} : { at: moment.at }) };
  const answer = await known.ask(endpoints.suspects, SuspectsQuery.parse({ ...asked, wait: patience }));
  return { params, answer: isRefused(answer) ? null : answer };
}
