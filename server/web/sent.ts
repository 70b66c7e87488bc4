import type { z } from 'zod';
import type { WireNotThere } from '#lib/api/refusals/not-there.ts';
import type { Asked } from './asked.ts';
import { isRefused } from './http/problem.ts';
import type { PageMoment } from './web-runtime.ts';

/** Answer of an endpoint, to send with a page. */
interface Sent<Answer> {
  readonly params: Readonly<Record<string, string>>;
  /** null where there is none: the parameters cannot be read, name what is not there, or the record cannot be read now. */
  readonly answer: Answer | null;
  /** Names that were asked for in vain. */
  readonly notThere: readonly WireNotThere[];
}

/** Asks an endpoint for a page with the parameters that its screen will ask with. */
export async function sent<Moment, Query extends z.ZodObject, Answer extends z.ZodType<object>>(
  moment: PageMoment<Moment>,
  endpoint: Asked<Moment, Query, Answer>,
  params: Readonly<Record<string, string>>,
): Promise<Sent<z.output<Answer>>> {
  const query = endpoint.described.query.safeParse(params);
  if (!query.success) return { params, answer: null, notThere: [] };
  const answer = await moment.ask(endpoint, query.data);
  return isRefused(answer) ? { params, answer: null, notThere: notThereIn(answer) } : { params, answer, notThere: [] };
}

/** The names that an answer was refused for; [] for an answer, and for any other refusal. */
export function notThereIn(answer: object): readonly WireNotThere[] {
  return isRefused(answer) && answer.refused.type === 'not-there' ? answer.refused.names : [];
}
